import { z } from 'zod';
import { toDay, toMonth } from '#kernel/clock.ts';
import type { Plan } from './plans.ts';

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

export type Limits = { readonly grant: number; readonly cap: number };

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
