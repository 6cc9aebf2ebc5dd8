import type { Hints } from '#store/hints.ts';
import { buildFollowing, PACE } from './job-following.ts';
import { buildLeases } from './job-leases.ts';
import type { LeaseParts } from './job-leases.ts';
import { buildNews } from './job-news.ts';
import { buildJobRetention } from './job-retention.ts';
import { buildJobs } from './jobs.ts';
import type { JobParts } from './jobs.ts';
import { buildDeliveryLog } from './webhooks/delivery-log.ts';
import { buildDeliveryRetention } from './webhooks/delivery-retention.ts';

/** The queue of jobs in its parts: for tenants, for workers and for upkeep. */
export function buildQueue(parts: Omit<LeaseParts & JobParts, 'news'> & { readonly hints: Hints }) {
  const news = buildNews(parts.hints);
  const all = { ...parts, news };
  const jobs = buildJobs(all);
  const following = buildFollowing({ jobs, news, pace: PACE });
  return {
    news,
    jobs,
    following,
    leases: buildLeases(all),
    retention: buildJobRetention(all),
    webhooks: parts.webhooks,
    deliveries: buildDeliveryLog(all),
    deliveryRetention: buildDeliveryRetention(all),
  };
}
