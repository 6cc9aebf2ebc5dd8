import type { ListedJob, Found, Jobs } from '#engine/jobs/jobs.ts';
import type { Db } from '#store/db.ts';
import type { FollowedJob, JobView } from './job-schema.ts';
import type { Webhooks } from '#features/webhooks/webhooks.ts';

/** A job as its tenant sees it, with the particulars of a found one. */
export type FoundView = Omit<Found, 'record'> & { readonly record: FollowedJob };

export type JobViews = ReturnType<typeof buildJobViews>;

export type JobViewsParts = {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly webhooks: Pick<Webhooks, 'webhookOf' | 'webhooksOf'>;
};

/** Jobs with their webhooks; another tenant's job is `not_found`. */
export function buildJobViews({ db, jobs, webhooks }: JobViewsParts) {
  async function toView(found: Found): Promise<FoundView> {
    const webhook = found.notify ? await webhooks.webhookOf(db, found.record.id) : null;
    return webhook === null ? found : { ...found, record: { ...found.record, webhook } };
  }

  return {
    find: async (tenant: string, id: string): Promise<FoundView> => toView(await jobs.find(tenant, id)),

    findEnded: async (...asked: Parameters<Jobs['findEnded']>): Promise<FoundView> =>
      toView(await jobs.findEnded(...asked)),

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
