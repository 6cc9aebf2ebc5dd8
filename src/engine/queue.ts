import type { Hints } from '#store/hints.ts';
import { buildFollowing, PACE } from './job-following.ts';
import { buildLeases } from './job-leases.ts';
import type { LeaseParts } from './job-leases.ts';
import { buildNews } from './job-news.ts';
import { buildJobRetention } from './job-retention.ts';
import { buildJobs } from './jobs.ts';
import { buildDues } from './monitors/dues.ts';
import { buildHistory } from './monitors/history.ts';
import { buildMonitorRetention } from './monitors/monitor-retention.ts';
import { buildMonitors } from './monitors/monitors.ts';
import { buildRunEnds } from './monitors/running.ts';
import { buildScheduling } from './monitors/scheduling.ts';
import type { Operation } from './operation.ts';
import type { JobParts } from './jobs.ts';
import { buildDeliveryLog } from './webhooks/delivery-log.ts';
import { buildDeliveryRetention } from './webhooks/delivery-retention.ts';

type QueueParts = Omit<LeaseParts & JobParts, 'news' | 'runs'> & {
  readonly hints: Hints;
  readonly operations: readonly Operation[];
};

/** The queue of jobs, and the monitors whose runs are in it, in their parts: for tenants, for workers and for upkeep. */
export function buildQueue(parts: QueueParts) {
  const news = buildNews(parts.hints);
  const dues = buildDues();
  const all = { ...parts, news, dues };
  const jobs = buildJobs(all);
  const runs = buildRunEnds(all);
  const following = buildFollowing({ jobs, news, pace: PACE });
  return {
    news,
    jobs,
    following,
    leases: buildLeases({ ...all, runs }),
    retention: buildJobRetention(all),
    webhooks: parts.webhooks,
    deliveries: buildDeliveryLog(all),
    deliveryRetention: buildDeliveryRetention(all),
    monitors: buildMonitors(all),
    history: buildHistory(all),
    runs,
    scheduling: buildScheduling(all),
    monitorRetention: buildMonitorRetention(all),
  };
}
