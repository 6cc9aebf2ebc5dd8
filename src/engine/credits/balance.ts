import { z } from 'zod';
import { nextDay, toDay, toMonth } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Plan } from '#engine/identity/plans.ts';

/** The credit columns of a tenant's row. */
export const Purse = z.object({
  cycle: z.string(),
  used: z.number(),
  topped_up: z.number(),
  day: z.string(),
  day_used: z.number(),
  reserved: z.number(),
});

export type Purse = z.output<typeof Purse>;

type Limits = { readonly grant: number; readonly cap: number };

/** The plan's limits as numbers for SQL: no limit is the largest integer that every store can add to. */
export function toLimits(plan: Plan): Limits {
  return {
    grant: plan.credits_per_month ?? Number.MAX_SAFE_INTEGER,
    cap: plan.daily_cap ?? Number.MAX_SAFE_INTEGER,
  };
}

/** Credits that may still be spent or reserved this month; null when the plan sets no limit. */
export function availableOf(purse: Purse, plan: Plan, now: number): number | null {
  if (plan.credits_per_month === null) return null;
  const spent = purse.cycle < toMonth(now) ? 0 : purse.used - purse.topped_up;
  return Math.max(0, plan.credits_per_month - spent - purse.reserved);
}

/** Credits that may still be spent or reserved today; null when the plan sets no daily cap. */
export function dayLeftOf(purse: Purse, plan: Plan, now: number): number | null {
  if (plan.daily_cap === null) return null;
  const spent = purse.day < toDay(now) ? 0 : purse.day_used;
  return Math.max(0, plan.daily_cap - spent - purse.reserved);
}

/** Why `credits` in all, of which `held` are set aside already, cannot be had now. */
export function refuse(facts: {
  readonly plan: Plan;
  readonly limits: Limits;
  readonly purse: Purse;
  readonly credits: number;
  readonly held: number;
  readonly now: number;
}): ServiceError {
  const { plan, limits, purse, credits, held, now } = facts;
  // What the call itself holds is its own to spend.
  const left = (availableOf(purse, plan, now) ?? 0) + held;
  if (left < credits && limits.grant < Number.MAX_SAFE_INTEGER) {
    return new ServiceError(
      'credits_exhausted',
      `${credits} credits are needed and ${left} are left this month on plan ${plan.name}: a top-up or a higher plan lifts this`,
    );
  }
  return new ServiceError(
    'daily_credit_cap_exceeded',
    `${credits} credits are needed and plan ${plan.name} allows ${plan.daily_cap ?? 0} a day: the count starts again at 00:00 UTC`,
    { retryAfterSeconds: Math.ceil((nextDay(now) - now) / 1000) },
  );
}
