import { type Schedule, createSchedule } from './schedule.ts';
import { computeInterval, jitterOf, findNextTick } from './timing.ts';

/** The next tick of a monitor and the instant at which its run is due, ms; null for one without ticks. */
export type NextRun = { readonly nextRunAt: number | null; readonly dueAt: number | null };

/** The members of a monitor that determine its ticks. */
export type ScheduledMonitor = {
  readonly id: string;
  readonly cron: string | null;
  readonly timezone: string;
  readonly consecutive_failures: number;
};

export const NO_NEXT_RUN: NextRun = { nextRunAt: null, dueAt: null };

/** Parsed schedules that are kept: many monitors share a few. */
const MAX_SCHEDULES = 4000;
/** Remembered ticks of a schedule: the next ones are asked for repeatedly. */
const MAX_TICKS = 8;

/** Computes when monitors run next, with the schedules that they share parsed once. */
export class NextRunCalculator {
  readonly #schedules = new Map<string, Schedule>();

  /** Null for a monitor without a cron expression. */
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

  /** The first tick after an instant; of a failing monitor, the first tick after its backoff. */
  computeNextRun(monitor: ScheduledMonitor, instant: number): NextRun {
    const schedule = this.getSchedule(monitor);
    const tick = schedule === null ? null : findNextTick(schedule, instant, monitor.consecutive_failures);
    if (schedule === null || tick === null) return NO_NEXT_RUN;
    return { nextRunAt: tick, dueAt: tick + jitterOf(monitor.id, computeInterval(schedule, tick)) };
  }
}

/** The same schedule with its latest ticks remembered, for all monitors that share it. */
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
