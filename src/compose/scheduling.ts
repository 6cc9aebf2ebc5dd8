import type { News } from '#engine/job-news.ts';
import type { RunEnds } from '#engine/monitors/running.ts';
import { startScheduler } from '#engine/monitors/scheduler.ts';
import type { Scheduling } from '#engine/monitors/scheduling.ts';
import type { Reading } from '#transports/http/metrics.ts';

export type SchedulerParts = {
  readonly scheduling: Scheduling;
  readonly runs: Pick<RunEnds, 'counts'>;
  readonly news: News;
  readonly report: (error: unknown) => void;
};

/** The scheduler of monitors, and what it says of itself and of the runs that this process has ended. */
export function openScheduler({ scheduling, runs, news, report }: SchedulerParts) {
  const scheduler = startScheduler({ scheduling, news, report });
  const readings: readonly Reading[] = [
    {
      name: 'quern_monitor_ticks_total',
      help: 'Ticks of monitors that this process has turned into runs on time',
      kind: 'total',
      label: null,
      read: async () => new Map([['', scheduler.counts().ticks]]),
    },
    {
      name: 'quern_monitor_lateness_seconds_total',
      help: 'How long after they were due those runs were queued, in all',
      kind: 'total',
      label: null,
      read: async () => new Map([['', scheduler.counts().lateMs / 1000]]),
    },
    {
      name: 'quern_monitors_due',
      help: 'Monitors whose tick waits to be turned into a run',
      kind: 'level',
      label: null,
      read: async () => new Map([['', await scheduling.backlog()]]),
    },
    {
      name: 'quern_monitor_runs_total',
      help: 'Runs of monitors that this process has ended, by status',
      kind: 'total',
      label: 'status',
      read: async () => runs.counts(),
    },
  ];
  return { readings, close: async (): Promise<void> => scheduler.close() };
}
