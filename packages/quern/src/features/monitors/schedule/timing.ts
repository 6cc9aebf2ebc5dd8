import { hash } from 'node:crypto';
import { countTicks, findLastTick, type Schedule } from './schedule.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Up to this interval a run starts right at its tick, without jitter. */
const MIN_JITTERED_MS = 300_000;
const MAX_JITTER_MS = 300_000;
/** After this many failures in a row a monitor counts as failing and runs less often. */
export const FAILING_AFTER = 3;
const MAX_FAILURES = 100;
const MAX_FAILING_MS = 30 * DAY_MS;

/** The missed tick to catch up on, and the number of missed ticks. */
export type CatchUp = { readonly tick: number; readonly missed: number };

/**
 * Computes the delay of a monitor's runs after their ticks, ms. It is constant for a monitor and spreads the load of
 * all monitors.
 */
export function computeJitter(monitorId: string, intervalMs: number): number {
  if (intervalMs <= MIN_JITTERED_MS) return 0;
  const spread = Math.min(Math.floor(intervalMs / 10), MAX_JITTER_MS);
  return Number.parseInt(hash('sha256', monitorId, 'hex').slice(0, 12), 16) % spread;
}

/** Computes the time from a tick to the next, ms; a day if there is no next tick. */
export function computeInterval({ nextTick }: Schedule, tick: number): number {
  const next = nextTick(tick);
  return next === null ? DAY_MS : next - tick;
}

/**
 * Finds the newest tick from `firstMissed` to `now`. Null if it is older than a day, or older than both the interval
 * and an hour.
 */
export function findCatchUp(schedule: Schedule, firstMissed: number, now: number): CatchUp | null {
  const tick = findLastTick(schedule, now, Math.max(firstMissed, now - DAY_MS));
  if (tick === null) return null;
  if (now - tick >= Math.max(computeInterval(schedule, tick), HOUR_MS)) return null;
  return { tick, missed: Math.max(1, countTicks(schedule, firstMissed - 1, now)) };
}

/**
 * Computes the end of the backoff of a monitor that failed at a tick, ms. From the third failure in a row the backoff
 * doubles each time, up to a day. Null while the monitor keeps its schedule.
 */
export function computeBackoffEnd(tick: number, intervalMs: number, failures: number): number | null {
  if (failures < FAILING_AFTER || intervalMs >= DAY_MS) return null;
  return tick + Math.min(intervalMs * 2 ** Math.min(failures - 2, 30), DAY_MS);
}

/** Finds the next tick of a monitor with `failures` in a row: the first at or after the end of its backoff. */
export function findNextTick(schedule: Schedule, tick: number, failures: number): number | null {
  const until = computeBackoffEnd(tick, computeInterval(schedule, tick), failures);
  return schedule.nextTick(until === null ? tick : until - 1);
}

/** Whether a monitor has failed so often or so long that it is switched off. */
export function hasFailedTooLong(failures: number, failingSince: number, now: number): boolean {
  return failures >= MAX_FAILURES || (failures > 0 && now - failingSince >= MAX_FAILING_MS);
}
