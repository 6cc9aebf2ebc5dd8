import { z } from 'zod';
import { nextDay, toDay, toMonth } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Plan } from '#engine/identity/plans.ts';

/** The credit columns of a tenant's row. */
export const CreditRow = z.object({
  cycle: z.string(),
  used: z.number(),
  topped_up: z.number(),
  day: z.string(),
  day_used: z.number(),
  reserved: z.number(),
});

export type CreditRow = z.output<typeof CreditRow>;

type Limits = { readonly grant: number; readonly cap: number };

/** The plan's limits as numbers for SQL: no limit is the largest integer that every store can add to. */
export function toLimits(plan: Plan): Limits {
  return {
    grant: plan.credits_per_month ?? Number.MAX_SAFE_INTEGER,
    cap: plan.daily_cap ?? Number.MAX_SAFE_INTEGER,
  };
}

/** Credits that may still be spent or reserved this month; null when the plan sets no limit. */
export function availableOf(row: CreditRow, plan: Plan, now: number): number | null {
  if (plan.credits_per_month === null) return null;
  const spent = row.cycle < toMonth(now) ? 0 : row.used - row.topped_up;
  return Math.max(0, plan.credits_per_month - spent - row.reserved);
}

/** Credits that may still be spent or reserved today; null when the plan sets no daily cap. */
export function dayLeftOf(row: CreditRow, plan: Plan, now: number): number | null {
  if (plan.daily_cap === null) return null;
  const spent = row.day < toDay(now) ? 0 : row.day_used;
  return Math.max(0, plan.daily_cap - spent - row.reserved);
}

/** A need of credits in all, of which `held` are reserved already. */
type Need = { readonly plan: Plan; readonly credits: number; readonly held: number; readonly now: number };

/** Whether the month or the day leaves fewer credits than a call needs. */
export function isShort(row: CreditRow, { plan, credits, held, now }: Need): boolean {
  const left = Math.min(availableOf(row, plan, now) ?? Infinity, dayLeftOf(row, plan, now) ?? Infinity);
  return left + held < credits;
}

/** The refusal of `credits` in all, of which `held` are reserved already. */
export function refuse(row: CreditRow, { plan, credits, held, now }: Need): ServiceError {
  // A call may spend what it has reserved itself.
  const left = (availableOf(row, plan, now) ?? 0) + held;
  if ((left < credits && plan.credits_per_month !== null) || plan.daily_cap === null) {
    return new ServiceError(
      'credits_exhausted',
      `${credits} credits are needed and ${left} are left this month on plan ${plan.name}: a top-up or a higher plan lifts this`,
    );
  }
  return new ServiceError(
    'daily_credit_cap_exceeded',
    `${credits} credits are needed and plan ${plan.name} allows ${plan.daily_cap} a day: the count starts again at 00:00 UTC`,
    { retryAfterSeconds: Math.ceil((nextDay(now) - now) / 1000) },
  );
}
