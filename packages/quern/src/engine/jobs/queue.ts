import { z } from 'zod';
import { RECORD_RETENTION_MS } from '#engine/identity/plans.ts';
import type { Results } from '#engine/results/results.ts';
import type { Clock } from '#kernel/clock.ts';
import { MAX_BATCH_ROWS, changeInBatches, toBatchResult, repeatUntilEmpty } from '#store/batches.ts';
import type { Db } from '#store/db.ts';
import type { Hints } from '#store/hints.ts';
import { readRows } from '#store/rows.ts';
import { type JobHooks, mergeHooks } from './job-hooks.ts';
import { type LeaseParts, Leases } from './job-leases.ts';
import { createNotifications } from './job-notifications.ts';
import { type JobParts, Jobs } from './jobs.ts';

export type QueueParts = Omit<LeaseParts & JobParts, 'notifications' | 'hooks'> & {
  readonly hints: Hints;
  /** The hooks of features, which are created after the queue. */
  readonly hooks: () => readonly JobHooks[];
};

/** Builds the parts of the job queue: for tenants, for workers and for upkeep. */
export function buildQueue(parts: QueueParts) {
  const notifications = createNotifications(parts.hints, parts.clock);
  const hooks = mergeHooks(parts.hooks);
  const all = { ...parts, notifications, hooks };
  return { notifications, hooks, jobs: new Jobs(all), leases: new Leases(all), retention: buildJobRetention(all) };
}

const EXPIRE = `update jobs set status = 'expired', input = null, summary = null, version = version + 1
  where id in (select id from jobs where status = $1 and expires_at <= $2 limit $3) returning id`;
const TO_EMPTY = "select id from jobs where status = 'expired' and stored = 1 limit $1";
const FORGET = `delete from jobs
  where id in (select id from jobs where status = 'expired' and stored = 0 and finished_at < $1
    order by finished_at limit $2)
  returning id`;

const Id = z.object({ id: z.string() });

export type JobRetention = ReturnType<typeof buildJobRetention>;

/** Deletes expired results, and job records after 90 days. */
export function buildJobRetention(parts: { readonly db: Db; readonly clock: Clock; readonly results: Results }) {
  const { db, clock, results } = parts;
  return {
    async tidy(signal?: AbortSignal): Promise<void> {
      const now = clock.now();
      for (const status of ['completed', 'failed', 'cancelled']) {
        await changeInBatches(db, { sql: EXPIRE, values: [status, now] }, signal);
      }
      // Includes results whose deletion was interrupted by a crash.
      await repeatUntilEmpty(async () => {
        const toEmpty = readRows(Id, await db.query(TO_EMPTY, [MAX_BATCH_ROWS]));
        for (const { id } of toEmpty) await results.drop(id);
        return toBatchResult(toEmpty);
      }, signal);
      await changeInBatches(db, { sql: FORGET, values: [now - RECORD_RETENTION_MS] }, signal);
    },
  };
}
