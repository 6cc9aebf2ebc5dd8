import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { readRows } from '#store/rows.ts';

const EXPIRE = `update jobs set status = 'expired', input = null, version = version + 1
  where id in (select id from jobs where status = $1 and expires_at <= $2 limit $3) returning id`;
const DROP_RESULT = 'delete from job_results where job_id = $1';
const FORGET = `delete from jobs
  where id in (select id from jobs where status = 'expired' and finished_at < $1 limit $2)`;

const RECORDS_KEPT_MS = 90 * 24 * 3600 * 1000;
/** Rows that one statement changes at most, so that no lock lasts. */
const BATCH = 1000;

const Id = z.object({ id: z.string() });

export type JobRetention = ReturnType<typeof buildJobRetention>;

/** Lets results go at their time, and the records after 90 days; each call is one batch. */
export function buildJobRetention({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  return {
    async tidy(): Promise<void> {
      const now = clock.now();
      for (const status of ['completed', 'failed', 'cancelled']) {
        await db.transaction(async (tx) => {
          const rows = readRows(Id, await tx.query(EXPIRE, [status, now, BATCH]));
          for (const { id } of rows) await tx.query(DROP_RESULT, [id]);
        });
      }
      await db.query(FORGET, [now - RECORDS_KEPT_MS, BATCH]);
    },
  };
}
