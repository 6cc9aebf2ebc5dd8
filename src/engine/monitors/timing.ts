import { hash } from 'node:crypto';
import { countTicks, lastTick } from './schedule.ts';
import type { Schedule } from './schedule.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Below this interval a tick starts at once. */
const LEAST_JITTERED_MS = 300_000;
const MOST_JITTER_MS = 300_000;
/** Failures in a row after which a monitor is said to fail and is run less often. */
export const FAILING_AFTER = 3;
const MOST_FAILURES = 100;
const LONGEST_FAILING_MS = 30 * DAY_MS;

/** The missed tick that is made up for, and how many were missed with it. */
export type CatchUp = { readonly tick: number; readonly missed: number };

/** How long after its tick a run of a monitor starts, ms: the same at each tick, and spread over the monitors. */
export function jitterOf(monitorId: string, intervalMs: number): number {
  if (intervalMs <= LEAST_JITTERED_MS) return 0;
  const spread = Math.min(Math.floor(intervalMs / 10), MOST_JITTER_MS);
  return Number.parseInt(hash('sha256', monitorId, 'hex').slice(0, 12), 16) % spread;
}

/** The time from a tick to the next, ms; a day where there is no next. */
export function intervalAfter({ nextTick }: Schedule, tick: number): number {
  const next = nextTick(tick);
  return next === null ? DAY_MS : next - tick;
}

/**
 * Of the ticks from `firstMissed` to `now` the newest, if it is still worth a run: younger than the interval or an hour,
 * whichever is longer, and no older than a day. Null when none is.
 */
export function catchUp(schedule: Schedule, firstMissed: number, now: number): CatchUp | null {
  const tick = lastTick(schedule, now, Math.max(firstMissed, now - DAY_MS));
  if (tick === null) return null;
  if (now - tick >= Math.max(intervalAfter(schedule, tick), HOUR_MS)) return null;
  return { tick, missed: Math.max(1, countTicks(schedule, firstMissed - 1, now)) };
}

/**
 * Until when a monitor that failed at a tick waits, ms: from the third failure in a row on twice as long each time, at
 * most a day; null while it keeps its schedule.
 */
export function backoffUntil(tick: number, intervalMs: number, failures: number): number | null {
  if (failures < FAILING_AFTER || intervalMs >= DAY_MS) return null;
  return tick + Math.min(intervalMs * 2 ** Math.min(failures - 2, 30), DAY_MS);
}

/** The tick after `tick` of a monitor with so many failures in a row; the first at or after the end of its backoff. */
export function tickAfter(schedule: Schedule, tick: number, failures: number): number | null {
  const until = backoffUntil(tick, intervalAfter(schedule, tick), failures);
  return schedule.nextTick(until === null ? tick : until - 1);
}

/** Whether a monitor has failed for so long, or so often, that it is switched off. */
export function isLost(failures: number, failingSince: number, now: number): boolean {
  return failures >= MOST_FAILURES || (failures > 0 && now - failingSince >= LONGEST_FAILING_MS);
}
