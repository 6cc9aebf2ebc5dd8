import { toSchedule } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import { intervalAfter, jitterOf, tickAfter } from './timing.ts';

/** The next tick of a monitor and the instant at which its run is due, ms; null for one without ticks. */
export type Due = { readonly nextRunAt: number | null; readonly dueAt: number | null };

/** What tells the ticks of a monitor. */
export type Ticking = {
  readonly id: string;
  readonly cron: string | null;
  readonly timezone: string;
  readonly consecutive_failures: number;
};

export const NEVER: Due = { nextRunAt: null, dueAt: null };

/** Schedules that are kept read: many monitors share few of them. */
const MOST_SCHEDULES = 4000;
/** Ticks of a schedule that are remembered: those that come next are asked for again and again. */
const MOST_TICKS = 8;

/** Tells when monitors are due. */
export type Dues = ReturnType<typeof buildDues>;

export function buildDues() {
  const known = new Map<string, Schedule>();

  function scheduleOf({ cron, timezone }: Pick<Ticking, 'cron' | 'timezone'>): Schedule | null {
    if (cron === null) return null;
    const key = `${timezone} ${cron}`;
    const schedule = known.get(key) ?? remembering(toSchedule(cron, timezone));
    known.delete(key);
    known.set(key, schedule);
    const [oldest] = known.keys();
    if (known.size > MOST_SCHEDULES && oldest !== undefined) known.delete(oldest);
    return schedule;
  }

  return {
    scheduleOf,

    /** The first tick after an instant; of a monitor that fails the first one after its backoff. */
    after(monitor: Ticking, instant: number): Due {
      const schedule = scheduleOf(monitor);
      const tick = schedule === null ? null : tickAfter(schedule, instant, monitor.consecutive_failures);
      if (schedule === null || tick === null) return NEVER;
      return { nextRunAt: tick, dueAt: tick + jitterOf(monitor.id, intervalAfter(schedule, tick)) };
    },
  };
}

/** The same schedule, which walks to a tick once for all monitors that share it. */
function remembering(schedule: Schedule): Schedule {
  const ticks = new Map<number, number | null>();
  return {
    ...schedule,
    nextTick(after) {
      const remembered = ticks.get(after);
      if (remembered !== undefined) return remembered;
      const tick = schedule.nextTick(after);
      const [oldest] = ticks.keys();
      if (ticks.size >= MOST_TICKS && oldest !== undefined) ticks.delete(oldest);
      ticks.set(after, tick);
      return tick;
    },
  };
}
