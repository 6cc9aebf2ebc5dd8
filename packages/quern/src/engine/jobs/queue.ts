import type { Hints } from '#store/hints.ts';
import { type JobHooks, joinHooks } from './job-hooks.ts';
import { type LeaseParts, Leases } from './job-leases.ts';
import { buildNotifications } from './job-notifications.ts';
import { buildJobRetention } from './job-retention.ts';
import { type JobParts, Jobs } from './jobs.ts';

export type QueueParts = Omit<LeaseParts & JobParts, 'notifications' | 'hooks'> & {
  readonly hints: Hints;
  /** Those of the features, which are made after the queue. */
  readonly hooks: () => readonly JobHooks[];
};

/** The queue of jobs in its parts: for tenants, for workers and for upkeep. */
export function buildQueue(parts: QueueParts) {
  const notifications = buildNotifications(parts.hints, parts.clock);
  const hooks = joinHooks(parts.hooks);
  const all = { ...parts, notifications, hooks };
  return { notifications, hooks, jobs: new Jobs(all), leases: new Leases(all), retention: buildJobRetention(all) };
}
