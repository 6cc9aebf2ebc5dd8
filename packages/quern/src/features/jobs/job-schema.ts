import { z } from 'zod';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { LatestPage } from '#features/crawl/frontier/counters.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { WebhookView } from '#features/webhooks/schema.ts';
import { named } from '#extract/schema/names.ts';

/** A job as its tenant sees it. */
export const JobView = named(
  'Job',
  JobRecord.extend({
    webhook: WebhookView.optional().describe('Of a job that was submitted with one'),
    warnings: Warnings.optional().describe('In the answer to the submission: what of the input was changed'),
  }),
);

export type JobView = z.output<typeof JobView>;

/** The record of a job as its events carry it. */
export const FollowedJob = JobView.extend({
  live: named(
    'CrawlState',
    z.object({
      pages_per_minute: z.number().nullable().describe('Pages that ended in the last minute; null at the start'),
      eta_seconds: z.int().nullable().describe('Until it ends if it goes on like this; null while that is not known'),
      latest: z.array(LatestPage).readonly().describe('The pages that ended last, the latest first'),
    }),
  )
    .optional()
    .describe('Of a crawl that runs'),
});

export type FollowedJob = z.output<typeof FollowedJob>;
