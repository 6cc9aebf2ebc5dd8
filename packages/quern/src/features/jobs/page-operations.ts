import { z } from 'zod';
import { declareControl, declareRawControl } from '#engine/call/operation.ts';
import { PAGE_STATES } from '#features/crawl/frontier/page-list.ts';
import { LIST_INPUT, buildListOutput } from '#features/schema/lists.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { FollowedJob } from './job-view.ts';

const EXAMPLE_CRAWL = 'job_01kat6v3g5f2q8r9s0tvwxyzab';

const Id = z.string().min(1).max(100).describe('The id of a job of the kind crawl or fetch.batch');
const AnyId = z.string().min(1).max(100).describe('The id of the job');
const Prefix = z.string().min(1).max(8192).describe('Prefix of their URLs');

/** The states in filters, where `waiting` includes pages in progress. */
const FILTER_STATES = PAGE_STATES.filter((state) => state !== 'visiting');

export const listJobPages = declareControl({
  id: 'jobs.pages',
  clientName: 'listJobPages',
  route: 'GET /v1/jobs/{id}/pages',
  summary: 'The pages of a crawl in order of discovery, also while it runs; with filters, a list page may be short',
  errors: ['not_found', 'result_expired'],
  input: z.strictObject({
    id: Id,
    state: z.enum(FILTER_STATES).optional().describe('skipped: not a separate page, such as a duplicate'),
    status_code: wholeNumber(100, 599).optional().describe('HTTP status of the page'),
    depth: wholeNumber(0, 1_000_000).optional().describe('Number of links from the start page'),
    code: z.string().min(1).max(100).optional().describe('Code of the failure or of the reason why it was skipped'),
    search: z.string().min(1).max(500).optional().describe('Text in URL or title, case-insensitive'),
    prefix: Prefix.optional(),
    near_duplicate: z.boolean().optional().describe('true: only near-duplicates; false: only other pages'),
    ...LIST_INPUT,
  }),
  output: buildListOutput(
    nameSchema(
      'CrawlPageRow',
      z.object({
        seq: z.int().describe('Number in order of discovery'),
        url: z.string(),
        state: z.enum(PAGE_STATES),
        depth: z.int(),
        status_code: z.int().nullable(),
        title: z.string().nullable(),
        bytes: z.int().nullable().describe('Size of its part of the result'),
        near_duplicate: z.boolean(),
        code: z.string().nullable().describe('Code of the failure or of the reason why it was skipped'),
        message: z.string().nullable(),
        place: z.string().nullable().describe('Place for jobs.page; null if the page is not stored'),
      }),
    ),
  ),
  example: { id: EXAMPLE_CRAWL, state: 'failed' },
});

const Counts = { stored: z.int(), failed: z.int(), skipped: z.int(), waiting: z.int() } as const;

export const showJobTree = declareControl({
  id: 'jobs.tree',
  clientName: 'getJobTree',
  route: 'GET /v1/jobs/{id}/tree',
  summary: 'Page counts of a crawl and one level of the site as a tree of URL segments',
  errors: ['not_found', 'result_expired'],
  input: z.strictObject({ id: Id, prefix: Prefix.optional().describe('The URL prefix to list; default the hosts') }),
  output: nameSchema(
    'CrawlTree',
    z.object({
      job_id: z.string(),
      prefix: z.string(),
      counts: z
        .object({
          total: z.int(),
          ...Counts,
          near_duplicates: z.int(),
          by_code: z.array(z.object({ code: z.string(), count: z.int() })).readonly(),
          by_depth: z.array(z.object({ depth: z.int(), count: z.int() })).readonly(),
          by_status: z.array(z.object({ status_code: z.int(), count: z.int() })).readonly(),
        })
        .describe('Counts of the pages below the prefix'),
      children: z
        .array(
          z.object({
            name: z.string().describe('Empty for the page of the prefix itself'),
            prefix: z.string().describe('Prefix for the next level, and for jobs.pages'),
            is_leaf: z.boolean(),
            ...Counts,
          }),
        )
        .readonly()
        .describe('The 1,000 children with the most pages, sorted by name'),
      cut: z.boolean().describe('Whether there are more children'),
    }),
  ),
  example: { id: EXAMPLE_CRAWL, prefix: 'https://example.com/docs/' },
});

export const followJob = declareRawControl({
  id: 'jobs.events',
  clientName: 'followJob',
  route: 'GET /v1/jobs/{id}/events',
  summary: 'Follow a job as server-sent events: progress, then end',
  errors: ['not_found'],
  input: z.strictObject({ id: AnyId }),
  output: FollowedJob,
  successes: [
    {
      status: 200,
      meaning:
        'At most one `progress` event per second and one `end` event, both with the job; ids increase, and Last-Event-ID is supported',
      type: 'text/event-stream',
    },
  ],
  example: { id: EXAMPLE_CRAWL },
});
