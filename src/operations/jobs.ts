import { z } from 'zod';
import type { Sight } from '#engine/job-following.ts';
import { JOB_STATUSES, JobRecord } from '#engine/job-record.ts';
import { defineControl, defineReplies, toReply } from '#engine/operation.ts';
import { JobWebhook } from '#engine/webhooks/schema.ts';
import { ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#kernel/numbers.ts';
import { demandArchive, openArchive } from './job-archives.ts';
import { openLines, readPartialResult, readResult, readShortResult } from './job-results.ts';
import { LIST_INPUT, listOutput, readPage } from './lists.ts';

const RETRY_AFTER_SECONDS = 2;
const LATEST = 8_640_000_000_000_000;

const RESULT_MEMBERS = {
  usage: {
    type: ['object', 'null'],
    description: 'As the inline call answers it; null while nothing was charged',
  },
  next_cursor: {
    type: ['string', 'null'],
    description: 'Of results with a long list: where it goes on, null at its end; a job that runs may add to it',
  },
};

const EXAMPLE_ID = 'job_01kat6v3g5f2q8r9s0tvwxyzab';

const Id = z.string().min(1).max(100).describe('The id of the job');
const instant = z.iso.datetime().transform((text) => Date.parse(text));

export const submitJob = defineReplies({
  id: 'jobs.submit',
  route: 'POST /v1/jobs',
  summary: 'Queue any priced operation as a job',
  errors: ['plan_upgrade_required', 'queue_full', 'idempotency_conflict'],
  input: z.strictObject({
    kind: z.string().min(1).max(100).describe('Id of the operation, such as fetch'),
    input: z.record(z.string(), z.unknown()).describe('What that operation takes'),
    max_credits: wholeNumber(1).optional().describe('Ceiling for what the job may cost'),
    webhook: JobWebhook.optional().describe('Where job.completed or job.failed is sent: a URL, or an object'),
  }),
  output: JobRecord,
  successes: [{ status: 202, meaning: 'The queued job; Location is where it is read', type: 'application/json' }],
  example: { kind: 'fetch', input: { url: 'https://example.com/' } },
  run: async ({ kind, input, max_credits: maxCredits = null, webhook = null }, { submit }) => {
    const reply = await submit({ kind, input, maxCredits, webhook });
    return { ...reply, body: JobRecord.parse(reply.body) };
  },
});

export const jobs = defineControl({
  id: 'jobs.list',
  route: 'GET /v1/jobs',
  summary: 'Your jobs of the last 90 days, newest first; long inputs are cut',
  errors: [],
  input: z.strictObject({
    kind: z.string().max(100).optional().describe('Id of the operation, such as fetch'),
    status: z.enum(JOB_STATUSES).optional(),
    from: instant.optional().describe('Earliest instant of submission, ISO 8601 UTC'),
    to: instant.optional().describe('Latest instant of submission, ISO 8601 UTC'),
    ...LIST_INPUT,
  }),
  output: listOutput(JobRecord),
  example: { status: 'completed', limit: 10 },
  async run({ kind, status, from, to, limit, cursor }, context) {
    const { caller, cursors } = context;
    const scope = { tenant: caller.tenant, operation: 'jobs', filters: { kind, status, from, to } };
    const filter = { tenant: caller.tenant, from: from ?? 0, to: to ?? LATEST };
    return readPage({
      limit,
      after: cursors.read(scope, cursor ?? null),
      load: async (after, most) =>
        context.jobs.list({ ...filter, kind: kind ?? null, status: status ?? null, after, limit: most }),
      positionOf: ({ id }) => id,
      cursorOf: (last) => cursors.write(scope, last),
    });
  },
});

export const showJob = defineControl({
  id: 'jobs.show',
  route: 'GET /v1/jobs/{id}',
  summary: 'One job, with its result when it has completed',
  errors: ['not_found'],
  input: z.strictObject({
    id: Id,
    wait_ms: wholeNumber(0, 30_000).default(0).describe('Wait until the job has ended, at most this long'),
  }),
  output: JobRecord,
  example: { id: EXAMPLE_ID, wait_ms: 10_000 },
  async run({ id, wait_ms: ms }, context) {
    const { caller, jobs: store, signal } = context;
    const found = await store.findEnded(caller.tenant, id, { ms, signal });
    const { record } = found;
    if (record.status !== 'completed') return record;
    const result = await readShortResult(found, context).catch(ignoreExpired);
    return result === null ? record : { ...record, result: { ...result } };
  },
});

export const jobResult = defineReplies({
  id: 'jobs.result',
  route: 'GET /v1/jobs/{id}/result',
  summary: 'The result of a completed job: the very body of the inline call, its long list in pages',
  errors: ['not_found', 'job_not_finished', 'job_failed', 'job_cancelled', 'archive_not_kept', 'result_expired'],
  input: z.strictObject({
    id: Id,
    partial: z
      .boolean()
      .default(false)
      .describe(
        'Answer what is committed in whatever state the job is: the list so far, and usage; of a cancelled crawl or map with its stop_reason',
      ),
    format: z
      .enum(['json', 'jsonl', 'warc'])
      .default('json')
      .describe(
        'As a stream: jsonl, the elements of the whole list, one a line; warc, the archive of a crawl with archive: true',
      ),
    limit: wholeNumber(1, 1000)
      .optional()
      .describe('Elements of one page at most, of 4 MiB at most; without it as many as fit into 256 KiB'),
    cursor: z.string().max(1000).optional().describe('next_cursor of the page before'),
  }),
  // Described and not declared, so that the members keep the order of the inline answer.
  output: z.looseObject({}).meta({ properties: RESULT_MEMBERS }),
  successes: [
    { status: 200, meaning: 'The result, or a page of its list', type: 'application/json' },
    { status: 200, meaning: 'With format=jsonl: each element of the list on a line', type: 'application/x-ndjson' },
    {
      status: 200,
      meaning: 'With format=warc: every exchange of the crawl as WARC 1.1, each record a gzip member (.warc.gz)',
      type: 'application/warc',
    },
  ],
  example: { id: EXAMPLE_ID },
  async run({ id, partial, format, limit = null, cursor = null }, context) {
    const found = await context.jobs.find(context.caller.tenant, id);
    const { status } = found.record;
    if (format === 'warc') demandArchive(found);
    if (status !== 'completed' && (status === 'expired' || !partial)) throw refusalOf(found.record);
    const pages = { limit, cursor };
    if (format === 'jsonl') {
      return { status: 200, headers: {}, body: null, stream: await openLines(found, context, pages) };
    }
    if (format === 'warc') return openArchive(found, context, pages);
    const read = status === 'completed' ? readResult : readPartialResult;
    return toReply(200, await read(found, context, pages));
  },
});

export const cancelJob = defineReplies({
  id: 'jobs.cancel',
  route: 'DELETE /v1/jobs/{id}',
  summary: 'Cancel a job, or delete the result of one that has ended',
  errors: ['not_found'],
  input: z.strictObject({ id: Id }),
  output: JobRecord,
  successes: [
    { status: 200, meaning: 'The job was queued and is cancelled', type: 'application/json' },
    { status: 202, meaning: 'The job runs and will be cancelled', type: 'application/json' },
    { status: 204, meaning: 'The job had ended: its result is gone', type: null },
  ],
  example: { id: EXAMPLE_ID },
  async run({ id }, { caller, jobs: store }) {
    const cancelled = await store.cancel(caller, id);
    if (cancelled.was === 'ended') return { status: 204, headers: {}, body: null, stream: null };
    return toReply(cancelled.was === 'queued' ? 200 : 202, cancelled.record);
  },
});

export const jobEvents = defineReplies({
  id: 'jobs.events',
  route: 'GET /v1/jobs/{id}/events',
  summary: 'Follow a job as server-sent events: progress, then end',
  errors: ['not_found'],
  input: z.strictObject({ id: Id }),
  output: JobRecord,
  successes: [
    {
      status: 200,
      meaning:
        'At most one `progress` a second and one `end`, both with the record; ids count up, and Last-Event-ID is honoured',
      type: 'text/event-stream',
    },
  ],
  example: { id: EXAMPLE_ID },
  async run({ id }, { caller, following, signal, lastEventId: seen }) {
    const sights = await following.follow({ tenant: caller.tenant, id, seen, signal });
    const stream = { type: 'text/event-stream', pieces: toEvents(sights) } as const;
    return { status: 200, headers: {}, body: null, stream };
  },
});

async function* toEvents(sights: AsyncIterable<Sight | null>): AsyncGenerator<string, void> {
  for await (const sight of sights) {
    if (sight === null) yield ': still there\n\n';
    else yield `event: ${sight.isOver ? 'end' : 'progress'}\nid: ${sight.version}\ndata: ${sight.text}\n\n`;
  }
}

/** A result that goes while its job is shown is as one that has gone before. */
function ignoreExpired(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'result_expired') return null;
  throw error;
}

function refusalOf({ id, status, error }: JobRecord): ServiceError {
  switch (status) {
    case 'failed':
      return new ServiceError('job_failed', `${error?.code ?? 'internal_error'}: ${error?.message ?? ''}`);
    case 'cancelled':
      return new ServiceError('job_cancelled', `${id} was cancelled before it had a result`);
    case 'queued':
    case 'running':
      return new ServiceError(
        'job_not_finished',
        `${id} is ${status}: ask again, or wait with GET /v1/jobs/${id}?wait_ms`,
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      );
    default:
      return new ServiceError('result_expired', `the result of ${id} is not kept any more`);
  }
}
