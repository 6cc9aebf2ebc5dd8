import { z } from 'zod';
import { declareControl, declareRawControl } from '#engine/call/operation.ts';
import { JOB_STATUSES } from '#engine/jobs/job-record.ts';
import { ARTIFACT_TYPES } from '#engine/results/artifacts.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { buildListOutput, LIST_INPUT } from '#features/schema/lists.ts';
import { DeliveryRecord } from '#features/webhooks/delivery-log.ts';
import { JobWebhook } from '#features/webhooks/schema.ts';
import { EXPORT_FORMATS } from './exports/exports.ts';
import { JobView } from './job-view.ts';
import {
  CANCEL_JOB_TOOL,
  JOB_DELIVERIES_TOOL,
  JOB_VIEW,
  JOBS_TOOL,
  JOBS_VIEW,
  READ_PAGE_TOOL,
  RESULT_TOOL,
  SHOW_JOB_TOOL,
  SUBMIT_TOOL,
} from './views.ts';

const RESULT_FIELDS = {
  usage: {
    type: ['object', 'null'],
    description: 'As in the inline response; null if nothing was charged yet',
  },
  next_cursor: {
    type: ['string', 'null'],
    description:
      'For results with a long list: cursor of the next page, null at the end; a running job may add to the list',
  },
};

/** The most elements of a result searched for a URL. */
export const MAX_SEARCHED_ELEMENTS = 5000;

const EXAMPLE_ID = 'job_01kat6v3g5f2q8r9s0tvwxyzab';

const Id = z.string().min(1).max(100).describe('The id of the job');
const instant = z.iso.datetime().transform((text) => Date.parse(text));

export const submitJob = declareRawControl({
  id: 'jobs.submit',
  clientName: 'submitJob',
  route: 'POST /v1/jobs',
  summary: 'Queue any priced operation as a job',
  errors: ['not_found', 'plan_upgrade_required', 'queue_full', 'idempotency_conflict'],
  input: z.strictObject({
    kind: z.string().min(1).max(100).describe('Id of the operation, such as fetch'),
    input: z.record(z.string(), z.unknown()).describe('The input of that operation'),
    max_credits: wholeNumber(1).optional().describe('Most credits that the job may cost'),
    webhook: JobWebhook.optional().describe('Where events of the job are sent: a URL or an object'),
  }),
  output: JobView,
  successes: [{ status: 202, meaning: 'The queued job; Location is its URL', type: 'application/json' }],
  example: { kind: 'fetch', input: { url: 'https://example.com/' } },
  agent: SUBMIT_TOOL,
  orders: { kind: 'kind', input: 'input' },
});

export const listJobs = declareControl({
  id: 'jobs.list',
  clientName: 'listJobs',
  route: 'GET /v1/jobs',
  summary: 'Your jobs of the last 90 days, newest first; long inputs are truncated',
  errors: [],
  input: z.strictObject({
    kind: z.string().max(100).optional().describe('Id of the operation, such as fetch'),
    status: z.enum(JOB_STATUSES).optional().describe('Only jobs in this state'),
    from: instant.optional().describe('Earliest time of submission, ISO 8601 UTC'),
    to: instant.optional().describe('Latest time of submission, ISO 8601 UTC'),
    ...LIST_INPUT,
  }),
  output: buildListOutput(JobView),
  example: { status: 'completed', limit: 10 },
  view: JOBS_VIEW,
  agent: JOBS_TOOL,
});

export const showJob = declareControl({
  id: 'jobs.show',
  clientName: 'getJob',
  route: 'GET /v1/jobs/{id}',
  summary: 'One job, with its result if it has completed',
  errors: ['not_found'],
  input: z.strictObject({
    id: Id,
    wait_ms: wholeNumber(0, 30_000).default(0).describe('Wait up to this long for the job to end'),
  }),
  output: JobView,
  example: { id: EXAMPLE_ID, wait_ms: 10_000 },
  view: JOB_VIEW,
  agent: SHOW_JOB_TOOL,
});

export const showJobResult = declareRawControl({
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
        'Return what is committed so far, in any state of the job: the list, usage, and stop_reason of a cancelled crawl or map',
      ),
    format: z
      .enum(['json', 'jsonl', 'warc', ...EXPORT_FORMATS])
      .default('json')
      .describe(
        'All but json stream the whole list: jsonl has one element per line, csv and parquet are tables, zip has a Markdown file for each page, llms.txt and llms-full.txt are the site for language models; warc is the archive of a crawl with archive: true',
      ),
    rows: z
      .enum(['elements', 'chunks'])
      .default('elements')
      .describe(
        'With jsonl, csv and parquet: what a row is, an element of the list or a chunk of a page with output chunks',
      ),
    limit: wholeNumber(1, 1000)
      .optional()
      .describe('Most elements of one page, up to 4 MiB; default as many as fit into 256 KiB'),
    cursor: z.string().max(1000).optional().describe('next_cursor of the previous page'),
    outline: z
      .boolean()
      .default(false)
      .describe(
        'Return each list element as an outline: its short fields, the sizes of its texts (chars), and its place for jobs.page',
      ),
  }),
  // Only documented, not validated, so that the fields keep the order of the inline response.
  output: z.looseObject({}).meta({ properties: RESULT_FIELDS }),
  successes: [
    { status: 200, meaning: 'The result, or a page of its list', type: 'application/json' },
    { status: 200, meaning: 'With format=jsonl: one list element per line', type: 'application/x-ndjson' },
    {
      status: 200,
      meaning: 'With format=warc: all HTTP exchanges of the crawl as WARC 1.1, one gzip member per record (.warc.gz)',
      type: 'application/warc',
    },
    { status: 200, meaning: 'With format=csv: a table with a line of names', type: 'text/csv' },
    { status: 200, meaning: 'With format=parquet: the same table as Parquet', type: 'application/vnd.apache.parquet' },
    { status: 200, meaning: 'With format=zip: a Markdown file for each page', type: 'application/zip' },
    {
      status: 200,
      meaning: 'With format=llms.txt: links to the pages; with format=llms-full.txt: their Markdown',
      type: 'text/plain',
    },
  ],
  example: { id: EXAMPLE_ID },
  agent: RESULT_TOOL,
});

export const showJobPage = declareControl({
  id: 'jobs.page',
  route: 'GET /v1/jobs/{id}/page',
  summary: 'One list element of a result, such as a page of a crawl, also while the job runs',
  errors: ['not_found', 'result_expired'],
  input: z
    .strictObject({
      id: Id,
      place: z
        .string()
        .regex(/^\d{1,9}\.\d{1,9}$/, 'must be a place from an outline, such as 1.0')
        .optional()
        .describe('Place of the element, from the outline of the result'),
      url: z
        .string()
        .min(1)
        .max(8192)
        .optional()
        .describe(`Or its requested or final URL; the first ${MAX_SEARCHED_ELEMENTS} elements are searched`),
    })
    .refine(({ place, url }) => (place === undefined) !== (url === undefined), {
      path: ['place'],
      message: 'send either place or url',
    }),
  output: z.looseObject({}),
  example: { id: EXAMPLE_ID, place: '1.0' },
  agent: READ_PAGE_TOOL,
});

export const cancelJob = declareRawControl({
  id: 'jobs.cancel',
  clientName: 'cancelJob',
  route: 'DELETE /v1/jobs/{id}',
  summary: 'Cancel a job, or delete the result of one that has ended',
  errors: ['not_found'],
  input: z.strictObject({ id: Id }),
  output: JobView,
  successes: [
    { status: 200, meaning: 'The job was queued and is cancelled', type: 'application/json' },
    { status: 202, meaning: 'The job is running and will be cancelled', type: 'application/json' },
    { status: 204, meaning: 'The job had ended; its result is deleted', type: null },
  ],
  example: { id: EXAMPLE_ID },
  agent: CANCEL_JOB_TOOL,
});

export const listJobDeliveries = declareControl({
  id: 'jobs.deliveries',
  clientName: 'listJobDeliveries',
  route: 'GET /v1/jobs/{id}/deliveries',
  summary: 'Deliveries of a job’s webhook of the last 30 days, newest first',
  errors: ['not_found'],
  input: z.strictObject({ id: Id, ...LIST_INPUT }),
  output: buildListOutput(DeliveryRecord),
  example: { id: EXAMPLE_ID, limit: 10 },
  agent: JOB_DELIVERIES_TOOL,
});

/** File extensions by content type. */
export const FILE_EXTENSIONS: Readonly<Record<(typeof ARTIFACT_TYPES)[number], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'application/octet-stream': 'bin',
};

export const showArtifact = declareRawControl({
  id: 'artifact',
  clientName: 'getArtifact',
  route: 'GET /v1/artifacts/{id}',
  summary: 'The bytes of a screenshot, PDF or downloaded file',
  errors: ['not_found', 'result_expired'],
  input: z.strictObject({ id: z.string().min(1).max(100).describe('The id of the file') }),
  output: z.looseObject({}),
  successes: ARTIFACT_TYPES.map((type) => ({ status: 200 as const, meaning: `The file, as ${type}`, type })),
  example: { id: 'art_01kat6v3g5f2q8r9s0tvwxyzab' },
  agent: { tool: null, serves: 'file' },
});
