import { z } from 'zod';
import { toTimestamp } from '#kernel/clock.ts';
import type { Queryable, StoreKind } from '#store/db.ts';
import { readRows } from '#store/rows.ts';

/** A charge and its parts, whose keys are the key of the charge followed by a number. They may be on different days. */
const FIND_CHARGES = `select operation, cycle, day, sum(credits) as credits from ledger
  where (key = $1 or (key > $1 || ':' and key < $1 || ';')) and tenant_id = $2 and kind in ('charge', 'part')
  group by operation, cycle, day order by day`;
/** The row of the tenant is locked first, as in every transaction that moves credits. */
const LOCK = 'update tenants set used = used where id = $1';
const GIVE_BACK = `update tenants set
    used = case when cycle = $2 then used - $4 else used end,
    day_used = case when day = $3 then day_used - $4 else day_used end
  where id = $1`;

const ChargeRow = z.object({ operation: z.string(), credits: z.number(), cycle: z.string(), day: z.string() });

/** The refunded credits (0 if nothing was charged), and whether they had been refunded before. */
export type Refund = { readonly credits: number; readonly wasRefunded: boolean };

/** Refunds everything that was charged under a key, once, in the month and day of each charge. */
export async function refundCharges(
  tx: Queryable,
  { tenant, key, now }: { readonly tenant: string; readonly key: string; readonly now: number },
): Promise<Refund> {
  const charges = readRows(ChargeRow, await tx.query(FIND_CHARGES, [key, tenant]));
  if (charges.length > 0) await tx.query(LOCK, [tenant]);
  for (const [at, { credits, ...of }] of charges.entries()) {
    const name = at === 0 ? `refund:${key}` : `refund:${key}:${of.day}`;
    const entry = { ...of, key: name, tenant, now, kind: 'refund', credits: -credits } as const;
    if (!(await addEntryOnce(tx, entry))) return { credits: 0, wasRefunded: true };
    await tx.query(GIVE_BACK, [tenant, of.cycle, of.day, credits]);
  }
  return { credits: charges.reduce((sum, { credits }) => sum + credits, 0), wasRefunded: false };
}

const ENTER = `insert into ledger (key, tenant_id, at, cycle, day, kind, operation, credits)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const ENTER_ONCE = `${ENTER} on conflict (key) do nothing returning key`;
const ADD = `on conflict (tenant_id, day, operation) do update
    set calls = ledger_days.calls + excluded.calls, credits = ledger_days.credits + excluded.credits`;
/** Adds to the totals of a day and operation, so that usage can be read without the entries. */
const COUNT = `with calls (tenant, on_day, operation, calls, credits) as (values ($1, $2, $3, cast($4 as bigint),
    cast($5 as bigint)))
  insert into ledger_days (tenant_id, day, operation, calls, credits)
  select tenant, on_day, operation, sum(calls), sum(credits) from calls group by tenant, on_day, operation
  ${ADD}`;
/** The same for SQLite, which does not merge calls; grouping a single call would double the cost. */
const COUNT_ONE = `insert into ledger_days (tenant_id, day, operation, calls, credits) values ($1, $2, $3, $4, $5) ${ADD}`;

/** An entry of the ledger. `charge` counts as a call; `part` is one of several charges of the same call. */
export type LedgerEntry = {
  readonly key: string;
  readonly tenant: string;
  /** Time of the entry, ms. */ readonly now: number;
  readonly cycle: string;
  readonly day: string;
  readonly kind: 'charge' | 'part' | 'refund';
  readonly operation: string;
  readonly credits: number;
};

/** Adds an entry and updates the totals of its day, in a transaction that holds the row of the tenant. */
export async function addEntry(tx: Queryable, entry: LedgerEntry, kind: StoreKind): Promise<void> {
  const counting = kind === 'sqlite' ? COUNT_ONE : COUNT;
  await Promise.all([tx.query(ENTER, toValues(entry)), countEntry(tx, entry, counting)]);
}

/** Like `addEntry`, but returns false if the entry already exists. */
async function addEntryOnce(tx: Queryable, entry: LedgerEntry): Promise<boolean> {
  if ((await tx.query(ENTER_ONCE, toValues(entry))).length === 0) return false;
  await countEntry(tx, entry);
  return true;
}

/** Adds a top-up. It is not part of the daily totals. */
export async function addTopUp(tx: Queryable, entry: Omit<LedgerEntry, 'kind' | 'operation'>): Promise<void> {
  await tx.query(ENTER_ONCE, toValues({ ...entry, kind: 'top_up', operation: 'top_up' }));
}

async function countEntry(tx: Queryable, entry: LedgerEntry, sql = COUNT): Promise<void> {
  const { tenant, day, operation, kind, credits } = entry;
  await tx.query(sql, [tenant, day, operation, kind === 'charge' ? 1 : 0, credits]);
}

function toValues(entry: Omit<LedgerEntry, 'kind'> & { readonly kind: LedgerEntry['kind'] | 'top_up' }) {
  const { key, tenant, now, cycle, day, kind, operation, credits } = entry;
  return [key, tenant, toTimestamp(now), cycle, day, kind, operation, credits];
}
