import { z } from 'zod';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { toDocument } from './firecrawl-document.ts';
import { fromUuid, toUuid } from './firecrawl-ids.ts';
import { listRequested } from './firecrawl-options.ts';
import type { JobWebhook } from './firecrawl-webhooks.ts';
import { type CompatReply, type CompatRequest, replyJson } from './interface.ts';

/** The members of a job that its status is made of. */
const Job = z.looseObject({
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  cancel_requested: z.boolean(),
  input: z.record(z.string(), z.unknown()).nullable(),
  progress: z.object({
    completed: z.number(),
    failed: z.number(),
    pending: z.number().optional(),
  }),
  usage: z.object({ credits: z.number() }).nullable(),
  error: z.object({ message: z.string() }).nullable(),
  expires_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});

type Job = z.output<typeof Job>;

/** Reads the job of a request, after waiting up to `waitMs` for its end. */
export async function readJob(request: CompatRequest, waitMs = 0): Promise<Job> {
  const { body } = await request.run('jobs.show', { id: fromUuid(request.params['id'] ?? '', 'job'), wait_ms: waitMs });
  return Job.parse(body);
}

const STATUSES: Readonly<Record<string, string>> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'completed',
};

/** A job to submit. `path` is that of its routes. */
type JobOrder = {
  readonly kind: string;
  readonly input: JsonObject;
  readonly path: string;
  /** Absent for none. */
  readonly hook?: JobWebhook;
};

/** Submits a job and replies with its id and the address of its status. */
export async function submitJob(
  request: CompatRequest,
  { kind, input, path, hook = { webhook: null, answer: {} } }: JobOrder,
  extra: JsonObject = {},
): Promise<CompatReply> {
  const key = request.headers['x-idempotency-key'] ?? null;
  const { body } = await request.run(
    'jobs.submit',
    { kind, input, ...(hook.webhook === null ? {} : { webhook: hook.webhook }) },
    key,
  );
  const id = toUuid(String(body['id']));
  return replyJson({ success: true, id, url: `${request.base}${path}/${id}`, ...hook.answer, ...extra });
}

const PageQuery = z.object({
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
});

/** Replies with the state of a job and a part of its pages; `next` is the address of the next part. */
export async function showJob(request: CompatRequest, path: string): Promise<CompatReply> {
  const { cursor, limit } = PageQuery.parse(Object.fromEntries(request.query));
  const job = await readJob(request);
  const { id } = job;
  const part = { ...(cursor === undefined ? {} : { cursor }), limit: limit ?? DEFAULT_PART };
  const { body } = await request.run('jobs.result', { id, partial: true, ...part });
  const pages = listPages(body);
  // The result of a running job always has a next part, if empty: clients would read it without end.
  const next = typeof body['next_cursor'] === 'string' && pages.length > 0 ? body['next_cursor'] : null;
  const facts = toDocumentFacts(job, request);
  return replyJson({
    success: true,
    ...describeState(job),
    // The client of v1 follows any `next`, also null.
    ...(next === null
      ? {}
      : { next: `${request.base}${path}/${toUuid(id)}?cursor=${encodeURIComponent(next)}&limit=${part.limit}` }),
    data: pages.filter(isRead).map((page) => toDocument(page, facts)),
  });
}

/** Lists the pages in a part of a result: those of a crawl, or the results of a batch. */
export function listPages({ pages, results = pages }: JsonObject): readonly JsonObject[] {
  return Array.isArray(results) ? results.filter(isJsonObject) : [];
}

/**
 * Whether a page was read, or compared as removed. A batch also lists those that failed, which are in the errors of the
 * job here.
 */
export function isRead({ error, changes }: JsonObject): boolean {
  return error === undefined || isJsonObject(changes);
}

/** Documents of one answer, unless the client asks for another number. */
const DEFAULT_PART = 100;

/** What the documents of a job contain: the formats of its input. */
export function toDocumentFacts({ input }: Pick<Job, 'input'>, { toFileUrl }: Pick<CompatRequest, 'toFileUrl'>) {
  return { requested: listRequested(input ?? {}), creditsUsed: 0, tier: null, warnings: [], toFileUrl };
}

/** Converts the state of a job: a queued or running one is `scraping`. */
export function describeState({
  status,
  progress,
  usage,
  expires_at: expiresAt,
  cancel_requested: cancelled,
}: Job): JsonObject {
  const { completed, failed, pending } = progress;
  const isOver = STATUSES[status] !== undefined;
  return {
    status: STATUSES[status] ?? (cancelled ? 'cancelled' : 'scraping'),
    total: completed + failed + (isOver ? 0 : (pending ?? 0)),
    completed,
    creditsUsed: usage?.credits ?? 0,
    ...(expiresAt === null ? {} : { expiresAt }),
  };
}

/** Cancels a job. One that has ended already stays as it is, with its result. */
export async function cancelJob(request: CompatRequest): Promise<CompatReply> {
  const { id, status } = await readJob(request);
  if (status === 'queued' || status === 'running') await request.run('jobs.cancel', { id });
  return replyJson({ success: true, status: 'cancelled' });
}

/** The most failed pages, and the most pages forbidden by robots.txt, in one answer. */
const MAX_ERRORS = 1000;

const FailedPages = z.object({
  data: z.array(
    z.looseObject({ seq: z.number(), url: z.string(), code: z.string().nullable(), message: z.string().nullable() }),
  ),
});

/** Replies with the pages of a job that failed, and those that robots.txt forbids. */
export async function showErrors(request: CompatRequest): Promise<CompatReply> {
  const { id, finished_at: at } = await readJob(request);
  const list = async (filter: JsonObject) =>
    FailedPages.parse((await request.run('jobs.pages', { id, limit: MAX_ERRORS, ...filter })).body).data;
  const failed = await list({ state: 'failed' });
  const forbidden = await list({ state: 'skipped', code: 'robots' });
  return replyJson({
    success: true,
    errors: failed.map(({ seq, url, code, message }) => ({
      id: String(seq),
      ...(at === null ? {} : { timestamp: at }),
      url,
      code: code ?? undefined,
      error: message ?? code ?? 'failed',
    })),
    robotsBlocked: forbidden.map(({ url }) => url),
  });
}

/** Replies with the running and queued jobs of a kind. */
export async function listActive(request: CompatRequest, kind: string): Promise<CompatReply> {
  const lists = await Promise.all(
    ['running', 'queued'].map(
      async (status) => (await request.run('jobs.list', { kind, status, limit: 100 })).body['data'],
    ),
  );
  const jobs = z.array(Job).parse(lists.flat());
  return replyJson({
    success: true,
    crawls: jobs.map(({ id, input }) => ({
      id: toUuid(id),
      teamId: request.caller.tenant,
      url: input?.['url'] ?? null,
      options: input,
    })),
  });
}
