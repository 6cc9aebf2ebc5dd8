import { z } from 'zod';
import { type Clock, computeBillingCycle, computeNextDay, toDay, toMonth, toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { computeAvailable, CreditRow, isInsufficient, createCreditError } from './tenant-credits.ts';

const READ_TENANT = 'select * from tenants where id = $1';
const BY_DAY = `select day as position, day as date, null as operation, sum(calls) as calls, sum(credits) as credits
  from ledger_days where tenant_id = $1 and day >= $2 and day <= $3 and day < $4
  group by day order by day desc limit $5`;
const BY_OPERATION = `select operation as position, null as date, operation, sum(calls) as calls, sum(credits) as credits
  from ledger_days where tenant_id = $1 and day >= $2 and day <= $3 and operation > $4
  group by operation order by operation limit $5`;

const BY_BOTH = `select day || ' ' || operation as position, day as date, operation, calls, credits
  from ledger_days where tenant_id = $1 and day >= $2 and day <= $3 and (day < $4 or (day = $4 and operation > $5))
  order by day desc, operation limit $6`;

/** The current credits of a tenant; null means no limit. Times are ISO 8601 UTC. */
export type Balance = {
  readonly plan: string;
  readonly cycle: { readonly start: string; readonly end: string };
  readonly credits_granted: number | null;
  readonly credits_topped_up: number;
  readonly credits_used: number;
  readonly credits_reserved: number;
  readonly credits_remaining: number | null;
  readonly daily_cap: number | null;
  readonly daily_used: number;
  readonly daily_resets_at: string;
};

const SpendingRow = z.object({
  position: z.string(),
  date: z.string().nullable(),
  operation: z.string().nullable(),
  calls: z.number(),
  credits: z.number(),
});

/** Calls and credits of a day, an operation, or both. `position` is where the next page of the list starts. */
export type Spent = z.output<typeof SpendingRow>;

export type HistoryQuery = {
  readonly tenant: string;
  /** First and last day, inclusive, as `2026-11-21`. */
  readonly from: string;
  readonly to: string;
  readonly by: 'day' | 'operation' | 'day_and_operation';
  /** The position of the last row of the previous page; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
};

type AccountsParts = { readonly db: Db; readonly clock: Clock };

/** Reads balances and past spending of tenants. */
export class Accounts {
  readonly #parts: AccountsParts;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
  }

  async readBalance(tenant: string, plan: Plan): Promise<Balance> {
    return toBalance(await this.#rowOf(tenant), plan, this.#parts.clock.now());
  }

  /** Returns the remaining credits of this month; null if the plan sets no limit. */
  async readRemaining(tenant: string, plan: Plan): Promise<number | null> {
    if (plan.credits_per_month === null) return null;
    return computeAvailable(await this.#rowOf(tenant), plan, this.#parts.clock.now());
  }

  /** Throws the error with which a reservation of `credits` would fail now. */
  async assertCredits(tenant: string, plan: Plan, credits: number): Promise<void> {
    const row = await this.#rowOf(tenant);
    const need = { plan, credits, held: 0, now: this.#parts.clock.now() };
    if (isInsufficient(row, need)) throw createCreditError(row, need);
  }

  /** Lists spending per day (newest first), per operation (by name), or per day and operation. */
  async listSpending({ tenant, from, to, by, after, limit }: HistoryQuery): Promise<readonly Spent[]> {
    const { db } = this.#parts;
    const range = [tenant, from, to];
    if (by === 'day') return readRows(SpendingRow, await db.query(BY_DAY, [...range, after ?? '~', limit]));
    if (by === 'operation') return readRows(SpendingRow, await db.query(BY_OPERATION, [...range, after ?? '', limit]));
    const [day = '~', operation = ''] = after?.split(' ') ?? [];
    return readRows(SpendingRow, await db.query(BY_BOTH, [...range, day, operation, limit]));
  }

  async #rowOf(tenant: string): Promise<CreditRow> {
    const row = readRow(CreditRow, await this.#parts.db.query(READ_TENANT, [tenant]));
    if (row === null) throw new ServiceError('not_found', `no tenant ${tenant}`);
    return row;
  }
}

/** Computes the balance from the row of a tenant and its plan. */
export function toBalance(row: CreditRow, plan: Plan, now: number): Balance {
  const cycle = computeBillingCycle(now);
  const lapsed = row.cycle < toMonth(now);
  return {
    plan: plan.name,
    cycle: { start: toTimestamp(cycle.start), end: toTimestamp(cycle.end) },
    credits_granted: plan.credits_per_month,
    credits_topped_up: lapsed ? 0 : row.topped_up,
    credits_used: lapsed ? 0 : row.used,
    credits_reserved: row.reserved,
    credits_remaining: computeAvailable(row, plan, now),
    daily_cap: plan.daily_cap,
    daily_used: row.day < toDay(now) ? 0 : row.day_used,
    daily_resets_at: toTimestamp(computeNextDay(now)),
  };
}
