import { z } from 'zod';
import { JOB_STATUSES } from '#engine/jobs/job-record.ts';
import { declareControl, declareReplies } from '#engine/call/operation.ts';
import { DeliveryRecord } from '#features/webhooks/delivery-log.ts';
import { JobWebhook } from '#features/webhooks/schema.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { LIST_INPUT, listOutput } from '#features/schema/lists.ts';
import {
  JOB_VIEW,
  JOBS_VIEW,
  CANCEL_JOB_TOOL,
  JOB_DELIVERIES_TOOL,
  JOBS_TOOL,
  READ_PAGE_TOOL,
  RESULT_TOOL,
  SHOW_JOB_TOOL,
  SUBMIT_TOOL,
} from './views.ts';
import { JobView } from './job-schema.ts';

const RESULT_FIELDS = {
  usage: {
    type: ['object', 'null'],
    description: 'As the inline call answers it; null while nothing was charged',
  },
  next_cursor: {
    type: ['string', 'null'],
    description: 'Of results with a long list: where it goes on, null at its end; a job that runs may add to it',
  },
};

/** Elements of a result that are looked through for an address. */
export const MAX_SEARCHED_ELEMENTS = 5000;

const EXAMPLE_ID = 'job_01kat6v3g5f2q8r9s0tvwxyzab';

const Id = z.string().min(1).max(100).describe('The id of the job');
const instant = z.iso.datetime().transform((text) => Date.parse(text));

export const submitJob = declareReplies({
  id: 'jobs.submit',
  clientName: 'submitJob',
  route: 'POST /v1/jobs',
  summary: 'Queue any priced operation as a job',
  errors: ['not_found', 'plan_upgrade_required', 'queue_full', 'idempotency_conflict'],
  input: z.strictObject({
    kind: z.string().min(1).max(100).describe('Id of the operation, such as fetch'),
    input: z.record(z.string(), z.unknown()).describe('What that operation takes'),
    max_credits: wholeNumber(1).optional().describe('Ceiling for what the job may cost'),
    webhook: JobWebhook.optional().describe('Where job.completed or job.failed is sent: a URL, or an object'),
  }),
  output: JobView,
  successes: [{ status: 202, meaning: 'The queued job; Location is where it is read', type: 'application/json' }],
  example: { kind: 'fetch', input: { url: 'https://example.com/' } },
  agent: SUBMIT_TOOL,
  orders: { kind: 'kind', input: 'input' },
});

export const jobs = declareControl({
  id: 'jobs.list',
  clientName: 'listJobs',
  route: 'GET /v1/jobs',
  summary: 'Your jobs of the last 90 days, newest first; long inputs are cut',
  errors: [],
  input: z.strictObject({
    kind: z.string().max(100).optional().describe('Id of the operation, such as fetch'),
    status: z.enum(JOB_STATUSES).optional().describe('Only jobs in this state'),
    from: instant.optional().describe('Earliest instant of submission, ISO 8601 UTC'),
    to: instant.optional().describe('Latest instant of submission, ISO 8601 UTC'),
    ...LIST_INPUT,
  }),
  output: listOutput(JobView),
  example: { status: 'completed', limit: 10 },
  view: JOBS_VIEW,
  agent: JOBS_TOOL,
});

export const showJob = declareControl({
  id: 'jobs.show',
  clientName: 'getJob',
  route: 'GET /v1/jobs/{id}',
  summary: 'One job, with its result when it has completed',
  errors: ['not_found'],
  input: z.strictObject({
    id: Id,
    wait_ms: wholeNumber(0, 30_000).default(0).describe('Wait until the job has ended, at most this long'),
  }),
  output: JobView,
  example: { id: EXAMPLE_ID, wait_ms: 10_000 },
  view: JOB_VIEW,
  agent: SHOW_JOB_TOOL,
});

export const jobResult = declareReplies({
  id: 'jobs.result',
  clientName: 'getJobResult',
  route: 'GET /v1/jobs/{id}/result',
  summary: 'The result of a completed job: the response body of the same inline call; long lists are paginated',
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
    outline: z
      .boolean()
      .default(false)
      .describe(
        'Instead of each element of the list its short members, the sizes of its texts (chars) and its place, by which jobs.page reads it',
      ),
  }),
  // Described and not declared, so that the members keep the order of the inline answer.
  output: z.looseObject({}).meta({ properties: RESULT_FIELDS }),
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
  agent: RESULT_TOOL,
});

export const jobPage = declareControl({
  id: 'jobs.page',
  route: 'GET /v1/jobs/{id}/page',
  summary: 'One element of the list of a result, such as a page of a crawl, also while the job runs',
  errors: ['not_found', 'result_expired'],
  input: z
    .strictObject({
      id: Id,
      place: z
        .string()
        .regex(/^\d{1,9}\.\d{1,9}$/, 'must be a place of an outline, such as 1.0')
        .optional()
        .describe('Its place, as the outline of the result names it'),
      url: z
        .string()
        .min(1)
        .max(8192)
        .optional()
        .describe(
          `Its address instead, asked for or final; looked for among the first ${MAX_SEARCHED_ELEMENTS} elements`,
        ),
    })
    .refine(({ place, url }) => (place === undefined) !== (url === undefined), {
      path: ['place'],
      message: 'send either place or url',
    }),
  output: z.looseObject({}),
  example: { id: EXAMPLE_ID, place: '1.0' },
  agent: READ_PAGE_TOOL,
});

export const cancelJob = declareReplies({
  id: 'jobs.cancel',
  clientName: 'cancelJob',
  route: 'DELETE /v1/jobs/{id}',
  summary: 'Cancel a job, or delete the result of one that has ended',
  errors: ['not_found'],
  input: z.strictObject({ id: Id }),
  output: JobView,
  successes: [
    { status: 200, meaning: 'The job was queued and is cancelled', type: 'application/json' },
    { status: 202, meaning: 'The job runs and will be cancelled', type: 'application/json' },
    { status: 204, meaning: 'The job had ended: its result is gone', type: null },
  ],
  example: { id: EXAMPLE_ID },
  agent: CANCEL_JOB_TOOL,
});

export const jobDeliveries = declareControl({
  id: 'jobs.deliveries',
  clientName: 'listJobDeliveries',
  route: 'GET /v1/jobs/{id}/deliveries',
  summary: 'Deliveries of a job’s webhook of the last 30 days, newest first',
  errors: ['not_found'],
  input: z.strictObject({ id: Id, ...LIST_INPUT }),
  output: listOutput(DeliveryRecord),
  example: { id: EXAMPLE_ID, limit: 10 },
  agent: JOB_DELIVERIES_TOOL,
});
