import { z } from 'zod';
import { JobRecord } from '#engine/jobs/job-record.ts';
import type { FoundJob, Jobs, ListedJob } from '#engine/jobs/jobs.ts';
import { named } from '#extract/schema/names.ts';
import { LatestPage } from '#features/crawl/frontier/counters.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { WebhookView } from '#features/webhooks/schema.ts';
import type { Webhooks } from '#features/webhooks/webhooks.ts';
import type { Db } from '#store/db.ts';

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

/** A job as its tenant sees it, with the particulars of a found one. */
export type FoundView = Omit<FoundJob, 'record'> & { readonly record: FollowedJob };

export type JobViews = ReturnType<typeof buildJobViews>;

type JobViewsParts = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly webhooks: Pick<Webhooks, 'webhookOf' | 'webhooksOf'>;
};

/** Jobs with their webhooks; another tenant's job is `not_found`. */
export function buildJobViews({ db, jobs, webhooks }: JobViewsParts) {
  async function toView(found: FoundJob): Promise<FoundView> {
    const webhook = found.notify ? await webhooks.webhookOf(db, found.record.id) : null;
    return webhook === null ? found : { ...found, record: { ...found.record, webhook } };
  }

  return {
    read: async (tenant: string, id: string): Promise<FoundView> => toView(await jobs.read(tenant, id)),

    waitForEnd: async (...asked: Parameters<Jobs['waitForEnd']>): Promise<FoundView> =>
      toView(await jobs.waitForEnd(...asked)),

    async list(filter: Parameters<Jobs['list']>[0]): Promise<readonly JobView[]> {
      const listed = await jobs.list(filter);
      const hooked = listed.filter(({ notify }) => notify).map(({ record }) => record.id);
      const views = await webhooks.webhooksOf(db, hooked);
      return listed.map(({ record }: ListedJob) => {
        const webhook = views.get(record.id);
        return { ...record, ...(webhook === undefined ? {} : { webhook }) };
      });
    },
  };
}
