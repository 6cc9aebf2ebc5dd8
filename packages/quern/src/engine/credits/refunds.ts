import { z } from 'zod';
import type { Statements } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { enterOnce } from './ledger.ts';

/** A charge with its parts, whose keys are its own with a number after it; they may stand in several days. */
const FIND_CHARGES = `select operation, cycle, day, sum(credits) as credits from ledger
  where (key = $1 or (key > $1 || ':' and key < $1 || ';')) and tenant_id = $2 and kind in ('charge', 'part')
  group by operation, cycle, day order by day`;
/** The row of the tenant goes first, as with everything that moves credits. */
const LOCK = 'update tenants set used = used where id = $1';
const GIVE_BACK = `update tenants set
    used = case when cycle = $2 then used - $4 else used end,
    day_used = case when day = $3 then day_used - $4 else day_used end
  where id = $1`;

const ChargeRow = z.object({ operation: z.string(), credits: z.number(), cycle: z.string(), day: z.string() });

/** Refunded credits, 0 where nothing was charged, and whether they were refunded before. */
export type Refund = { readonly credits: number; readonly wasBefore: boolean };

/** Gives back all that was charged under a key, once, to the month and the day of each charge. */
export async function giveBack(
  tx: Statements,
  { tenant, key, now }: { readonly tenant: string; readonly key: string; readonly now: number },
): Promise<Refund> {
  const charges = readRows(ChargeRow, await tx.query(FIND_CHARGES, [key, tenant]));
  if (charges.length > 0) await tx.query(LOCK, [tenant]);
  for (const [at, { credits, ...of }] of charges.entries()) {
    const name = at === 0 ? `refund:${key}` : `refund:${key}:${of.day}`;
    const entry = { ...of, key: name, tenant, now, kind: 'refund', credits: -credits } as const;
    if (!(await enterOnce(tx, entry))) return { credits: 0, wasBefore: true };
    await tx.query(GIVE_BACK, [tenant, of.cycle, of.day, credits]);
  }
  return { credits: charges.reduce((sum, { credits }) => sum + credits, 0), wasBefore: false };
}
