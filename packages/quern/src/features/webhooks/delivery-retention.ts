import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { bulk } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import { BATCH, changeInBatches, moreOf, untilEmpty } from '#store/batches.ts';

const OLD = `select id from deliveries where created_at < $1 and status not in ('pending', 'delivering')
  order by created_at limit $2`;
/** Webhooks of jobs that have ended and of which nothing is in the log any more. */
const FORGET_WEBHOOKS = `delete from webhooks where owner_id in (
  select owner_id from webhooks where created_at < $1 and owner_id like 'job^_%' escape '^'
    and not exists (select 1 from jobs where jobs.id = webhooks.owner_id and status in ('queued', 'running'))
    and not exists (select 1 from deliveries where deliveries.owner_id = webhooks.owner_id)
  limit $2) returning owner_id`;

/** How long a delivery is in the log. */
export const DELIVERIES_KEPT_MS = 30 * 24 * 3600 * 1000;

const Id = z.object({ id: z.string() });

/** Forgets deliveries after 30 days. */
export function buildDeliveryRetention({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const ids = bulk(db.kind, '$1', { name: 'b', columns: { delivery: 'text' } });
  const forgetAttempts = `delete from delivery_attempts where delivery_id in (select delivery from ${ids})`;
  // One that is being sent again meanwhile stays, and loses only the log of its first attempts.
  const forget = `delete from deliveries
    where id in (select delivery from ${ids}) and status not in ('pending', 'delivering')`;
  return {
    async tidy(signal?: AbortSignal): Promise<void> {
      const before = clock.now() - DELIVERIES_KEPT_MS;
      await untilEmpty(async () => {
        const old = readRows(Id, await db.query(OLD, [before, BATCH]));
        const cells = JSON.stringify(old.map(({ id }) => [id]));
        if (old.length > 0) {
          await db.transaction(async (tx) => {
            await tx.query(forgetAttempts, [cells]);
            await tx.query(forget, [cells]);
          });
        }
        return moreOf(old);
      }, signal);
      await changeInBatches(db, { sql: FORGET_WEBHOOKS, values: [before] }, signal);
    },
  };
}
