import { z } from 'zod';
import { toTimestamp } from '#kernel/clock.ts';
import type { Statements } from '#store/db.ts';
import { readRows } from '#store/rows.ts';

const ENTER = `insert into ledger (key, tenant_id, at, cycle, day, kind, operation, credits)
  values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (key) do nothing returning key`;
/** A charge with its parts, whose keys are its own with a number after it; they may stand in several days. */
const FIND_CHARGES = `select operation, cycle, day, sum(credits) as credits from ledger
  where (key = $1 or (key > $1 || ':' and key < $1 || ';')) and tenant_id = $2 and kind in ('charge', 'part')
  group by operation, cycle, day order by day`;
const GIVE_BACK = `update tenants set
    used = case when cycle = $2 then used - $4 else used end,
    day_used = case when day = $3 then day_used - $4 else day_used end
  where id = $1`;

const ChargeRow = z.object({ operation: z.string(), credits: z.number(), cycle: z.string(), day: z.string() });

/** What was given back: `credits`, 0 where nothing was charged, or that it was given back before. */
export type Refund = { readonly credits: number; readonly wasBefore: boolean };

/** Gives back all that was charged under a key, once, to the month and the day of each charge. */
export async function giveBack(
  tx: Statements,
  { tenant, key, now }: { readonly tenant: string; readonly key: string; readonly now: number },
): Promise<Refund> {
  const charges = readRows(ChargeRow, await tx.query(FIND_CHARGES, [key, tenant]));
  for (const [at, { operation, credits, cycle, day }] of charges.entries()) {
    const entry = [`refund:${key}`, tenant, toTimestamp(now), cycle, day, 'refund', operation];
    if (at > 0) entry[0] = `refund:${key}:${day}`;
    if ((await tx.query(ENTER, [...entry, -credits])).length === 0) return { credits: 0, wasBefore: true };
    await tx.query(GIVE_BACK, [tenant, cycle, day, credits]);
  }
  return { credits: charges.reduce((sum, { credits }) => sum + credits, 0), wasBefore: false };
}
