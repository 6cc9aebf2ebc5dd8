import { z } from 'zod';
import { nameSchema } from '#extract/schema/names.ts';
import { declareEvent } from '#features/webhooks/declare-event.ts';

const EXAMPLE_ID = 'job_01kat6v3g5f2q8r9s0tvwxyzab';

const CrawlAbout = { job_id: z.string(), kind: z.string().describe('crawl or fetch.batch') };
const EXAMPLE_ABOUT = { job_id: EXAMPLE_ID, kind: 'crawl' };

/** A page in an event. Its other members are those of a page in the result of the job. */
const EventPage = nameSchema(
  'CrawlEventPage',
  z
    .looseObject({
      seq: z.int().describe('Number of the page in its crawl'),
      state: z.enum(['stored', 'failed']),
      url: z.string(),
      status_code: z.int().optional(),
      error: z.object({ code: z.string(), message: z.string() }).optional().describe('Why it failed'),
      result_url: z.string().optional().describe('Path of the stored page'),
      truncated: z
        .literal(true)
        .optional()
        .describe('The page is too long: its outputs and perhaps its metadata are left out'),
    })
    .describe('The other members are those of a page in the result'),
);

/** The webhook events of crawls and batches. */
export const eventsOfCrawls = [
  declareEvent({
    type: 'crawl.started',
    summary: 'A crawl or batch has started',
    about: CrawlAbout,
    data: z.object({ urls: z.int().describe('Number of URLs that it starts with') }),
    example: { about: EXAMPLE_ABOUT, data: { urls: 1 } },
  }),
  declareEvent({
    type: 'crawl.page',
    summary: 'Pages of a crawl or batch were stored, or have failed',
    about: CrawlAbout,
    data: z.object({ pages: z.array(EventPage).readonly() }),
    example: {
      about: EXAMPLE_ABOUT,
      data: {
        pages: [
          {
            seq: 7,
            state: 'stored',
            url: 'https://example.com/rye',
            status_code: 200,
            result_url: `/v1/jobs/${EXAMPLE_ID}/page?place=1.0`,
          },
        ],
      },
    },
  }),
];
