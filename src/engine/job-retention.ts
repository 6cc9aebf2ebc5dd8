import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import type { Results } from './results.ts';

const EXPIRE = `update jobs set status = 'expired', input = null, summary = null, version = version + 1
  where id in (select id from jobs where status = $1 and expires_at <= $2 limit $3)`;
const TO_EMPTY = "select id from jobs where status = 'expired' and stored = 1 limit $1";
const FORGET = `delete from jobs
  where id in (select id from jobs where status = 'expired' and expires_at is not null and stored = 0 and finished_at < $1 limit $2)`;

/** How long it is known that something was there, after what was kept of it has gone. */
export const RECORDS_KEPT_MS = 90 * 24 * 3600 * 1000;
/** Rows that one statement changes at most, so that no lock lasts. */
const BATCH = 1000;

const Id = z.object({ id: z.string() });

export type JobRetention = ReturnType<typeof buildJobRetention>;

/** Lets results go at their time, and the records after 90 days; each call is one batch. */
export function buildJobRetention(parts: { readonly db: Db; readonly clock: Clock; readonly results: Results }) {
  const { db, clock, results } = parts;
  return {
    async tidy(): Promise<void> {
      const now = clock.now();
      for (const status of ['completed', 'failed', 'cancelled']) await db.query(EXPIRE, [status, now, BATCH]);
      // Those of a deletion that a crash cut short too.
      for (const { id } of readRows(Id, await db.query(TO_EMPTY, [BATCH]))) await results.drop(id);
      await db.query(FORGET, [now - RECORDS_KEPT_MS, BATCH]);
    },
  };
}
