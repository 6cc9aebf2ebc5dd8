import { setImmediate as turn } from 'node:timers/promises';
import type { Loop, RunningLoop } from '#engine/call/feature.ts';
import { type Clock, sleepUnlessAborted } from '#kernel/clock.ts';
import { toLabelledSamples, type Metric, toUnlabelledSamples } from '#kernel/metric.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { Digests } from './digests.ts';
import type { RunEnds } from './run-ends.ts';
import type { Ticks } from './ticks.ts';

const POLL_MS = 250;
const RETRY_MS = 1000;

export type SchedulerLoopParts = {
  readonly ticks: Ticks;
  readonly digests: Digests;
  readonly clock: Clock;
  /** Called with each error; the loop continues. */
  readonly report: (error: unknown) => void;
};

/**
 * Starts the loop that looks for due monitors and digests four times a second. `close` resolves when it has stopped
 * writing.
 */
export function startScheduler({ ticks, digests, clock, report }: SchedulerLoopParts) {
  const closing = new AbortController();
  const counts = { ticks: 0, lateMs: 0 };

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        // Expire first, so that an expired monitor does not run.
        const expired = await ticks.expire();
        const resting = await ticks.announceSuspension();
        const { due, lateness } = await ticks.tick();
        counts.ticks += lateness.length;
        counts.lateMs += lateness.reduce((sum, ms) => sum + Math.max(0, ms), 0);
        const flushed = await digests.flush();
        if (expired > 0 || resting > 0 || due > 0 || flushed > 0) {
          // Yield to other work between two batches.
          await turn();
          continue;
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) report(error);
        await sleepUnlessAborted(clock, RETRY_MS, closing.signal);
      }
      await sleepUnlessAborted(clock, POLL_MS, closing.signal);
    }
  }

  const ended = loop();
  return {
    /** Number of ticks turned into runs on time, and their total lateness, ms. */
    counts: () => counts,
    async close(): Promise<void> {
      closing.abort();
      await ended;
    },
  };
}

type SchedulingLoopParts = {
  readonly ticks: Ticks;
  readonly digests: Digests;
  readonly runs: Pick<RunEnds, 'counts'>;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
};

/** Builds the loop that turns the ticks of monitors into runs. */
export function buildSchedulingLoop(parts: SchedulingLoopParts): Loop {
  return { beside: 'jobs', start: () => startScheduling(parts) };
}

function startScheduling({ ticks, digests, runs, clock, report }: SchedulingLoopParts): RunningLoop {
  const scheduler = startScheduler({ ticks, digests, clock, report });
  const metrics: readonly Metric[] = [
    {
      name: 'quern_monitor_ticks_total',
      help: 'Ticks that this process turned into runs on time',
      kind: 'total',
      labels: [],
      read: async () => toUnlabelledSamples(scheduler.counts().ticks),
    },
    {
      name: 'quern_monitor_lateness_seconds_total',
      help: 'Total delay of these runs after their due time',
      kind: 'total',
      labels: [],
      read: async () => toUnlabelledSamples(scheduler.counts().lateMs / 1000),
    },
    {
      name: 'quern_monitors_due',
      help: 'Monitors that are due',
      kind: 'level',
      labels: [],
      read: async () => toUnlabelledSamples(await ticks.countDue()),
    },
    {
      name: 'quern_monitor_runs_total',
      help: 'Runs that this process ended, by status',
      kind: 'total',
      labels: ['status'],
      read: async () => toLabelledSamples(runs.counts()),
    },
  ];
  return { metrics, close: async (): Promise<void> => scheduler.close() };
}
