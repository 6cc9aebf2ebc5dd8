import { type Schedule, createSchedule } from './schedule.ts';
import { computeInterval, computeJitter, findNextTick } from './timing.ts';

/** The next tick of a monitor, and when its run is due (ms). Null if it has no next tick. */
export type NextRun = { readonly nextRunAt: number | null; readonly dueAt: number | null };

/** The fields of a monitor that determine its ticks. */
export type ScheduledMonitor = {
  readonly id: string;
  readonly cron: string | null;
  readonly timezone: string;
  readonly consecutive_failures: number;
};

export const NO_NEXT_RUN: NextRun = { nextRunAt: null, dueAt: null };

/** Maximum number of cached schedules; many monitors share a few. */
const MAX_SCHEDULES = 4000;
/** Maximum number of cached ticks of a schedule; the next ones are requested repeatedly. */
const MAX_TICKS = 8;

/** Computes when monitors run next. Parsed schedules are cached. */
export class NextRunCalculator {
  readonly #schedules = new Map<string, Schedule>();

  /** Gets the schedule of a monitor, null if it has no cron expression. */
  getSchedule({ cron, timezone }: Pick<ScheduledMonitor, 'cron' | 'timezone'>): Schedule | null {
    if (cron === null) return null;
    const key = `${timezone} ${cron}`;
    const schedule = this.#schedules.get(key) ?? withTickMemory(createSchedule(cron, timezone));
    this.#schedules.delete(key);
    this.#schedules.set(key, schedule);
    const [oldest] = this.#schedules.keys();
    if (this.#schedules.size > MAX_SCHEDULES && oldest !== undefined) this.#schedules.delete(oldest);
    return schedule;
  }

  /** Computes the first tick after an instant; for a failing monitor, the first tick after its backoff. */
  computeNextRun(monitor: ScheduledMonitor, instant: number): NextRun {
    const schedule = this.getSchedule(monitor);
    const tick = schedule === null ? null : findNextTick(schedule, instant, monitor.consecutive_failures);
    if (schedule === null || tick === null) return NO_NEXT_RUN;
    return { nextRunAt: tick, dueAt: tick + computeJitter(monitor.id, computeInterval(schedule, tick)) };
  }
}

/** Wraps a schedule with a cache of its latest ticks, for all monitors that share it. */
function withTickMemory(schedule: Schedule): Schedule {
  const ticks = new Map<number, number | null>();
  return {
    ...schedule,
    nextTick(after) {
      const remembered = ticks.get(after);
      if (remembered !== undefined) return remembered;
      const tick = schedule.nextTick(after);
      const [oldest] = ticks.keys();
      if (ticks.size >= MAX_TICKS && oldest !== undefined) ticks.delete(oldest);
      ticks.set(after, tick);
      return tick;
    },
  };
}
