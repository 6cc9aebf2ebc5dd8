import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { listJobPages } from '#features/jobs/page-operations.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { fromUuid, type IdPrefix, toUuid } from '#kernel/ids.ts';
import { toDocument } from './firecrawl-document.ts';
import { listRequested } from './firecrawl-options.ts';
import type { JobWebhook } from './firecrawl-webhooks.ts';
import { type CompatReply, type CompatRequest, replyJson, type SendMessage } from './interface.ts';

/** Reads a UUID, which is the form of every id of Firecrawl, as an id of Quern. Throws `not_found` for any other text. */
export function readUuid(uuid: string | undefined, prefix: IdPrefix): string {
  const id = fromUuid(uuid ?? '', prefix);
  if (id === null) throw new ServiceError('not_found', 'there is nothing with this id');
  return id;
}

/** Reads the job of a request, after waiting up to `waitMs` for its end. */
export async function readJob(request: CompatRequest, waitMs = 0): Promise<JobRecord> {
  const { body } = await request.run('jobs.show', { id: readUuid(request.params['id'], 'job'), wait_ms: waitMs });
  return JobRecord.parse(body);
}

const STATUSES: Readonly<Record<string, string>> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'completed',
};

/** A job to submit. `path` is that of its routes; `warnings` are sentences about what is not honoured. */
export type JobOrder = {
  readonly kind: string;
  readonly input: JsonObject;
  readonly path: string;
  readonly warnings: readonly string[];
  /** Absent for none. */
  readonly hook?: JobWebhook;
};

/** Submits a job and replies with its id and the address of its status. */
export async function submitJob(
  request: CompatRequest,
  { kind, input, path, warnings, hook = { webhook: null, answer: {} } }: JobOrder,
  extra: JsonObject = {},
): Promise<CompatReply> {
  const key = request.headers['x-idempotency-key'] ?? null;
  const { body } = await request.run('jobs.submit', { kind, input, webhook: hook.webhook ?? undefined }, key);
  const id = toUuid(String(body['id']));
  const warning = warnings.join('; ') || undefined;
  return replyJson({ success: true, id, url: `${request.base}${path}/${id}`, ...hook.answer, ...extra, warning });
}

const checkQuery = buildInputChecker({
  input: z.looseObject({
    cursor: z.string().optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(100),
  }),
});

/** Replies with the state of a job and a part of its pages; `next` is the address of the next part. */
export async function showJob(request: CompatRequest, path: string): Promise<CompatReply> {
  const { cursor, limit } = checkQuery(Object.fromEntries(request.query)).input;
  const job = await readJob(request);
  const { id } = job;
  const { body } = await request.run('jobs.result', { id, partial: true, cursor, limit });
  const pages = listPages(body);
  // The result of a running job always has a next part, if empty: clients would read it without end.
  const more = typeof body['next_cursor'] === 'string' && pages.length > 0 ? body['next_cursor'] : null;
  const query = `cursor=${encodeURIComponent(more ?? '')}&limit=${limit}`;
  // The client of v1 follows any `next`, also null.
  const next = more === null ? undefined : `${request.base}${path}/${toUuid(id)}?${query}`;
  const facts = toDocumentFacts(job, request);
  return replyJson({
    success: true,
    ...describeState(job),
    next,
    data: pages.filter(isRead).map((page) => toDocument(page, facts)),
  });
}

/** Lists the pages in a part of a result: those of a crawl, or the results of a batch. */
function listPages({ pages, results = pages }: JsonObject): readonly JsonObject[] {
  return Array.isArray(results) ? results.filter(isJsonObject) : [];
}

/**
 * Whether a page was read, or compared as removed. A batch also lists those that failed, which are in the errors of the
 * job here.
 */
export function isRead({ error, changes }: JsonObject): boolean {
  return error === undefined || isJsonObject(changes);
}

/** What the documents of a job contain: the formats of its input. */
export function toDocumentFacts({ input }: Pick<JobRecord, 'input'>, { toFileUrl }: Pick<CompatRequest, 'toFileUrl'>) {
  return { requested: listRequested(input ?? {}), creditsUsed: 0, tier: null, warnings: [], toFileUrl };
}

/** Converts the state of a job: a queued or running one is `scraping`. */
export function describeState({
  status,
  progress: { completed, failed, pending },
  usage,
  expires_at: expiresAt,
  cancel_requested: cancelled,
}: JobRecord): JsonObject {
  const isOver = STATUSES[status] !== undefined;
  return {
    status: STATUSES[status] ?? (cancelled ? 'cancelled' : 'scraping'),
    total: completed + failed + (isOver ? 0 : (pending ?? 0)),
    completed,
    creditsUsed: usage?.credits ?? 0,
    expiresAt: expiresAt ?? undefined,
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

/** Replies with the pages of a job that failed, and those that robots.txt forbids. */
export async function showErrors(request: CompatRequest): Promise<CompatReply> {
  const { id, finished_at: at } = await readJob(request);
  const list = async (filter: JsonObject) =>
    listJobPages.output.parse((await request.run('jobs.pages', { id, limit: MAX_ERRORS, ...filter })).body).data;
  const failed = await list({ state: 'failed' });
  const forbidden = await list({ state: 'skipped', code: 'robots' });
  return replyJson({
    success: true,
    errors: failed.map(({ seq, url, code, message }) => ({
      id: String(seq),
      timestamp: at ?? undefined,
      url,
      code: code ?? undefined,
      error: message ?? code ?? 'failed',
    })),
    robotsBlocked: forbidden.map(({ url }) => url),
  });
}

/** Replies with the running and queued jobs of a kind. */
export async function listActive(request: CompatRequest, kind: string): Promise<CompatReply> {
  const list = async (status: string) => (await request.run('jobs.list', { kind, status, limit: 100 })).body['data'];
  const lists = await Promise.all(['running', 'queued'].map(list));
  return replyJson({
    success: true,
    crawls: z
      .array(JobRecord)
      .parse(lists.flat())
      .map(({ id, input }) => ({
        id: toUuid(id),
        teamId: request.caller.tenant,
        url: input?.['url'] ?? null,
        options: input,
      })),
  });
}

/** How long one look at a running job waits for its end, ms. New pages are sent as often. */
const LOOK_MS = 1000;

/** The place up to which the pages of a job have been sent: a part of its result, and the pages of that part. */
type ReadingPlace = { cursor: string | null; sent: number };

/**
 * Sends the pages of a job over a WebSocket: first those that are there, as `catchup`, then each further one as
 * `document`, and `done` at the end.
 */
export async function watchJob(request: CompatRequest, send: SendMessage): Promise<void> {
  const place: ReadingPlace = { cursor: null, sent: 0 };
  const first = await readJob(request);
  const facts = toDocumentFacts(first, request);
  const early: JsonObject[] = [];
  for await (const page of readNewPages(request, first.id, place))
    if (isRead(page)) early.push(toDocument(page, facts));
  await send({ type: 'catchup', data: { success: true, ...describeState(first), data: early } });
  for (let isOver = false; !isOver;) {
    const job = await readJob(request, LOOK_MS);
    isOver = job.status !== 'queued' && job.status !== 'running';
    for await (const page of readNewPages(request, job.id, place))
      if (isRead(page)) await send({ type: 'document', data: toDocument(page, facts) });
    if (job.status === 'failed') await send({ type: 'error', error: job.error?.message ?? 'the job failed' });
    else if (isOver) await send({ type: 'done', data: { ...describeState(job), data: [] } });
  }
}

/** Reads the pages after a place, and moves the place. The result of a running job always has a next part, if empty. */
export async function* readNewPages(
  { run }: CompatRequest,
  id: string,
  place: ReadingPlace,
): AsyncGenerator<JsonObject> {
  for (;;) {
    const { body } = await run('jobs.result', { id, partial: true, limit: 100, cursor: place.cursor ?? undefined });
    const pages = listPages(body);
    for (const page of pages.slice(place.sent)) {
      place.sent += 1;
      yield page;
    }
    const next = body['next_cursor'];
    if (typeof next !== 'string' || pages.length === 0) return;
    place.cursor = next;
    place.sent = 0;
  }
}
