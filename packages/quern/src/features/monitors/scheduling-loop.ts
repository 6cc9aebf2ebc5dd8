import type { Loop, RunningLoop } from '#engine/call/feature.ts';
import { byValue, type Metric, single } from '#kernel/metric.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Digests } from '#features/monitors/run/digests.ts';
import type { RunEnds } from '#features/monitors/run/run-ends.ts';
import { startScheduler } from '#features/monitors/run/scheduler.ts';
import type { Ticks } from '#features/monitors/run/ticks.ts';

export type SchedulingLoopParts = {
  readonly ticks: Ticks;
  readonly digests: Digests;
  readonly runs: Pick<RunEnds, 'counts'>;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
};

/** The loop that turns the ticks of monitors into runs. */
export function schedulingLoop(parts: SchedulingLoopParts): Loop {
  return { beside: 'jobs', start: () => start(parts) };
}

function start({ ticks, digests, runs, clock, report }: SchedulingLoopParts): RunningLoop {
  const scheduler = startScheduler({ ticks, digests, clock, report });
  const metrics: readonly Metric[] = [
    {
      name: 'quern_monitor_ticks_total',
      help: 'Ticks of monitors that this process has turned into runs on time',
      kind: 'total',
      labels: [],
      read: async () => single(scheduler.counts().ticks),
    },
    {
      name: 'quern_monitor_lateness_seconds_total',
      help: 'How long after they were due those runs were queued, in all',
      kind: 'total',
      labels: [],
      read: async () => single(scheduler.counts().lateMs / 1000),
    },
    {
      name: 'quern_monitors_due',
      help: 'Monitors whose tick waits to be turned into a run',
      kind: 'level',
      labels: [],
      read: async () => single(await ticks.backlog()),
    },
    {
      name: 'quern_monitor_runs_total',
      help: 'Runs of monitors that this process has ended, by status',
      kind: 'total',
      labels: ['status'],
      read: async () => byValue(runs.counts()),
    },
  ];
  return { metrics, close: async (): Promise<void> => scheduler.close() };
}
