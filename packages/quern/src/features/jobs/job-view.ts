import { z } from 'zod';
import { JobRecord } from '#engine/jobs/job-record.ts';
import type { FoundJob, Jobs, ListedJob } from '#engine/jobs/jobs.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { LatestPage } from '#features/crawl/frontier/counters.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { WebhookView } from '#features/webhooks/schema.ts';
import type { Webhooks } from '#features/webhooks/webhooks.ts';
import type { Db } from '#store/db.ts';

/** A job as its tenant sees it. */
export const JobView = nameSchema(
  'Job',
  JobRecord.extend({
    webhook: WebhookView.optional().describe('The webhook of the job, if it was submitted with one'),
    warnings: Warnings.optional().describe('Only in the response to the submission: changes made to the input'),
  }),
);

export type JobView = z.output<typeof JobView>;

/** A job as sent in its event stream. */
export const FollowedJob = JobView.extend({
  live: nameSchema(
    'CrawlState',
    z.object({
      pages_per_minute: z.number().nullable().describe('Pages finished in the last minute; null at the start'),
      eta_seconds: z.int().nullable().describe('Estimated time until it ends; null if unknown'),
      latest: z.array(LatestPage).readonly().describe('The pages finished last, latest first'),
    }),
  )
    .optional()
    .describe('Only for running crawls and batches'),
});

export type FollowedJob = z.output<typeof FollowedJob>;

/** A job as its tenant sees it, with version and sizes. */
export type FoundView = Omit<FoundJob, 'record'> & { readonly record: FollowedJob };

export type JobViews = ReturnType<typeof buildJobViews>;

type JobViewsParts = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly webhooks: Pick<Webhooks, 'findWebhook' | 'findWebhooks'>;
};

/** Reads jobs with their webhooks. A job of another tenant is `not_found`. */
export function buildJobViews({ db, jobs, webhooks }: JobViewsParts) {
  async function toView(job: FoundJob): Promise<FoundView> {
    const webhook = job.notify ? await webhooks.findWebhook(db, job.record.id) : null;
    return webhook === null ? job : { ...job, record: { ...job.record, webhook } };
  }

  return {
    read: async (tenant: string, id: string): Promise<FoundView> => toView(await jobs.read(tenant, id)),

    waitForEnd: async (...args: Parameters<Jobs['waitForEnd']>): Promise<FoundView> =>
      toView(await jobs.waitForEnd(...args)),

    async list(filter: Parameters<Jobs['list']>[0]): Promise<readonly JobView[]> {
      const listed = await jobs.list(filter);
      const hooked = listed.filter(({ notify }) => notify).map(({ record }) => record.id);
      const views = await webhooks.findWebhooks(db, hooked);
      return listed.map(({ record }: ListedJob) => {
        const webhook = views.get(record.id);
        return { ...record, ...(webhook === undefined ? {} : { webhook }) };
      });
    },
  };
}
