import { z } from 'zod';
import type { Plan } from '#engine/identity/plans.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { computeNextDay, toDay, toMonth } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Queryable, Row, SqlValue } from '#store/db.ts';
import { readRow } from '#store/rows.ts';

/*
 * Each statement that moves credits is one conditional update of the tenant's row, so that concurrent calls cannot spend the same credit twice. The month and the day roll over in the same statement; a clock that is set back changes neither.
 */
const RESERVE = `with calls (tenant, month, today, credits, month_limit, day_limit) as (values ($1, $2, $3,
    cast($4 as bigint), cast($5 as bigint), cast($6 as bigint))),
  asked as (select tenant, max(month) as month, max(today) as today, sum(credits) as credits,
    min(month_limit) as month_limit, min(day_limit) as day_limit from calls group by tenant)
  update tenants set
    used = case when cycle < month then 0 else used end,
    topped_up = case when cycle < month then 0 else topped_up end,
    cycle = case when cycle < month then month else cycle end,
    day_used = case when day < today then 0 else day_used end,
    day = case when day < today then today else day end,
    reserved = reserved + asked.credits
  from asked where id = tenant
    and month_limit + case when cycle < month then 0 else topped_up - used end - reserved >= asked.credits
    and day_limit - case when day < today then 0 else day_used end - reserved >= asked.credits
  returning id`;
/** The same for one call. If merged calls together need too many credits, some of them may still fit alone. */
const RESERVE_ALONE = `update tenants set
    used = case when cycle < $2 then 0 else used end,
    topped_up = case when cycle < $2 then 0 else topped_up end,
    cycle = case when cycle < $2 then $2 else cycle end,
    day_used = case when day < $3 then 0 else day_used end,
    day = case when day < $3 then $3 else day end,
    reserved = reserved + $4
  where id = $1
    and $5 + case when cycle < $2 then 0 else topped_up - used end - reserved >= $4
    and $6 - case when day < $3 then 0 else day_used end - reserved >= $4
  returning id`;
/** The same with a limit `$7` on the total reserved for a call, under its own key and the keys of its parts. */
const RESERVE_WITHIN = RESERVE_ALONE.replace(
  'returning id',
  `and $7 - (select coalesce(sum(credits), 0) from reservations where key = $8 or (key >= $9 and key < $10)) >= $4
  returning id`,
);
const RESERVED_FOR = `select coalesce(sum(credits), 0) as credits from reservations
  where key = $1 or (key >= $2 and key < $3)`;
const UNRESERVE = 'update tenants set reserved = reserved - $2 where id = $1';
const CHARGE = `with calls (tenant, month, today, credits, held) as (values ($1, $2, $3,
    cast($4 as bigint), cast($5 as bigint))),
  spent as (select tenant, max(month) as month, max(today) as today, sum(credits) as credits, sum(held) as held
    from calls group by tenant)
  update tenants set
    used = case when cycle < month then 0 else used end + spent.credits,
    topped_up = case when cycle < month then 0 else topped_up end,
    cycle = case when cycle < month then month else cycle end,
    day_used = case when day < today then 0 else day_used end + spent.credits,
    day = case when day < today then today else day end,
    reserved = reserved - spent.held
  from spent where id = tenant
  returning id, cycle, used, topped_up, day, day_used, reserved`;
const READ_TENANT = 'select * from tenants where id = $1';

/** How often a reservation is retried if it failed but the row read afterwards has enough credits. */
const MAX_ATTEMPTS = 5;

const Reserved = z.object({ credits: z.number() });

/** A tenant and the plan that limits its credits. */
export type Spender = { readonly tenant: string; readonly plan: Plan };

/** The total credits that a call needs, and those that it has already reserved. */
type CreditNeed = { readonly credits: number; readonly held: number };

/**
 * The most that may be reserved for a call, under `key` and all keys `<parts>:<number>`. Reservations with the same
 * ceiling must run one after the other, under one key of `InTurn`.
 */
export type ReservationCeiling = { readonly credits: number; readonly key: string; readonly parts: string };

/** Why credits could not be reserved. */
export type CreditShortage = 'credits_exhausted' | 'daily_cap' | 'max_credits';

/** The credits of one share, and the maximum number of shares. */
export type ShareRequest = {
  readonly each: number;
  readonly most: number;
  readonly ceiling: ReservationCeiling | null;
};

/** Reserves credits of a tenant. Returns the error if there are too few, else null. */
export async function reserveCredits(
  tx: Queryable,
  { tenant, plan }: Spender,
  { credits, held, now }: CreditNeed & { readonly now: number },
): Promise<ServiceError | null> {
  const { grant, cap } = toSqlLimits(plan);
  const need = { plan, credits, held, now };
  const values = [tenant, toMonth(now), toDay(now), credits - held, grant, cap];
  if ((await tx.query(RESERVE, values)).length > 0) return null;
  for (let attempt = 1; ; attempt += 1) {
    if ((await tx.query(RESERVE_ALONE, values)).length > 0) return null;
    const row = parseTenantRow(await readTenant(tx, tenant), tenant);
    // Another process may have released credits since the statement ran.
    if (attempt >= MAX_ATTEMPTS || isInsufficient(row, need)) return createCreditError(row, need);
  }
}

/** Reserves as many shares as the plan and the ceiling allow. Returns how many, and why if there were none. */
export async function reserveShares(
  tx: Queryable,
  spender: Spender,
  { each, most, ceiling, now }: ShareRequest & { readonly now: number },
): Promise<{ readonly times: number; readonly refused: CreditShortage | null }> {
  const { tenant, plan } = spender;
  const { grant, cap } = toSqlLimits(plan);
  const reserve = ceiling === null ? RESERVE_ALONE : RESERVE_WITHIN;
  const within = ceiling === null ? [] : [ceiling.credits, ...getKeyBounds(ceiling)];
  let times = most;
  let refused: CreditShortage | null = null;
  while (times > 0) {
    const values: readonly SqlValue[] = [tenant, toMonth(now), toDay(now), each * times, grant, cap, ...within];
    if ((await tx.query(reserve, values)).length > 0) return { times, refused: null };
    const left = await readRemaining(tx, spender, { ceiling, now });
    refused = left.month < each ? 'credits_exhausted' : left.day < each ? 'daily_cap' : 'max_credits';
    times = Math.min(times - 1, Math.floor(Math.min(left.month, left.day, left.ceiling) / each));
  }
  return { times: 0, refused };
}

/** Releases reserved credits of a tenant. */
export async function releaseCredits(tx: Queryable, tenant: string, credits: number): Promise<void> {
  await tx.query(UNRESERVE, [tenant, credits]);
}

/** Charges a tenant and releases `held` reserved credits. Returns its updated row. */
export async function chargeTenant(
  tx: Queryable,
  { tenant, credits, held, now }: CreditNeed & { readonly tenant: string; readonly now: number },
): Promise<CreditRow> {
  return parseTenantRow(await tx.query(CHARGE, [tenant, toMonth(now), toDay(now), credits, held]), tenant);
}

/** Reads the row of a tenant; empty if it is unknown. */
export async function readTenant(tx: Queryable, tenant: string): Promise<readonly Row[]> {
  return tx.query(READ_TENANT, [tenant]);
}

function parseTenantRow(rows: readonly Row[], tenant: string): CreditRow {
  const row = readRow(CreditRow, rows);
  if (row === null) throw new InvariantError(`no tenant ${tenant}`);
  return row;
}

/**
 * Reads the credits remaining in the month, in the day and below the ceiling; the largest safe integer means no limit.
 */
async function readRemaining(
  tx: Queryable,
  { tenant, plan }: Spender,
  { ceiling, now }: { readonly ceiling: ReservationCeiling | null; readonly now: number },
) {
  const row = parseTenantRow(await readTenant(tx, tenant), tenant);
  return {
    month: computeAvailable(row, plan, now) ?? Number.MAX_SAFE_INTEGER,
    day: computeDayRemaining(row, plan, now) ?? Number.MAX_SAFE_INTEGER,
    ceiling: ceiling === null ? Number.MAX_SAFE_INTEGER : await readRemainingUnder(tx, ceiling),
  };
}

async function readRemainingUnder(tx: Queryable, ceiling: ReservationCeiling): Promise<number> {
  const reserved = readRow(Reserved, await tx.query(RESERVED_FOR, getKeyBounds(ceiling)));
  return Math.max(0, ceiling.credits - (reserved?.credits ?? 0));
}

/** Returns the key of a call and the lower and upper bound of the keys of its parts. */
function getKeyBounds({ key, parts }: ReservationCeiling): readonly string[] {
  return [key, `${parts}:`, `${parts};`];
}

/** The credit columns of a tenant. */
export const CreditRow = z.object({
  cycle: z.string(),
  used: z.number(),
  topped_up: z.number(),
  day: z.string(),
  day_used: z.number(),
  reserved: z.number(),
});

export type CreditRow = z.output<typeof CreditRow>;

type SqlLimits = { readonly grant: number; readonly cap: number };

/** Converts the limits of a plan to numbers for SQL. No limit becomes the largest safe integer. */
function toSqlLimits(plan: Plan): SqlLimits {
  return {
    grant: plan.credits_per_month ?? Number.MAX_SAFE_INTEGER,
    cap: plan.daily_cap ?? Number.MAX_SAFE_INTEGER,
  };
}

/** Computes the credits that may still be spent or reserved this month; null if the plan sets no limit. */
export function computeAvailable(row: CreditRow, plan: Plan, now: number): number | null {
  if (plan.credits_per_month === null) return null;
  const spent = row.cycle < toMonth(now) ? 0 : row.used - row.topped_up;
  return Math.max(0, plan.credits_per_month - spent - row.reserved);
}

/** Computes the credits that may still be spent or reserved today; null if the plan sets no daily cap. */
function computeDayRemaining(row: CreditRow, plan: Plan, now: number): number | null {
  if (plan.daily_cap === null) return null;
  const spent = row.day < toDay(now) ? 0 : row.day_used;
  return Math.max(0, plan.daily_cap - spent - row.reserved);
}

/** The total credits that a call needs, of which `held` are already reserved. */
type PlanNeed = { readonly plan: Plan; readonly credits: number; readonly held: number; readonly now: number };

/** Whether the month or the day has too few credits left for a call. */
export function isInsufficient(row: CreditRow, { plan, credits, held, now }: PlanNeed): boolean {
  const left = Math.min(computeAvailable(row, plan, now) ?? Infinity, computeDayRemaining(row, plan, now) ?? Infinity);
  return left + held < credits;
}

/** Builds `credits_exhausted` or `daily_credit_cap_exceeded`. */
export function createCreditError(row: CreditRow, { plan, credits, held, now }: PlanNeed): ServiceError {
  // A call may spend its own reservation.
  const left = (computeAvailable(row, plan, now) ?? 0) + held;
  if ((left < credits && plan.credits_per_month !== null) || plan.daily_cap === null) {
    return new ServiceError(
      'credits_exhausted',
      `${credits} credits are needed and ${left} are left this month on plan ${plan.name}; ask for a top-up, or upgrade`,
    );
  }
  return new ServiceError(
    'daily_credit_cap_exceeded',
    `${credits} credits are needed and plan ${plan.name} allows ${plan.daily_cap} per day; the count resets at 00:00 UTC`,
    { retryAfterSeconds: Math.ceil((computeNextDay(now) - now) / 1000) },
  );
}

const ERRORS = {
  credits_exhausted: ['credits_exhausted', 'too few credits for a single page; ask for a top-up, or upgrade'],
  daily_cap: ['daily_credit_cap_exceeded', 'the daily cap does not allow another page; the count resets at 00:00 UTC'],
  max_credits: ['credits_exhausted', 'max_credits: is less than the price of one page'],
} as const satisfies Readonly<Record<CreditShortage, readonly [ServiceError['code'], string]>>;

/** Builds the error of a crawl that could not pay for its first page. */
export function createUnpaidPageError(shortage: CreditShortage): ServiceError {
  const [code, message] = ERRORS[shortage];
  return new ServiceError(code, message);
}
