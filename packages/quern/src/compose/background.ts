import type { LoopStart } from '#engine/call/feature.ts';
import type { Metric } from '#kernel/metric.ts';
import type { Engine } from './engine.ts';
import { slotMetrics } from './metrics.ts';

/** The jobs and the loops that a process runs in addition to answering calls. */
export type Background = {
  readonly metrics: readonly Metric[];
  /** False once the worker has stopped by itself. */
  readonly isAlive: () => boolean;
  /** Puts running jobs back into the queue, and ends the loops that go with jobs. */
  readonly drainJobs: () => Promise<void>;
  /** Ends the loops of the service; they still send what the last jobs enqueued. */
  readonly close: () => Promise<void>;
};

/** Starts the loops of all features, and a worker with this many slots; with none the jobs are left to other processes. */
export function startBackground(engine: Engine, slots: number, how: LoopStart): Background {
  const worker = slots === 0 ? null : engine.work(how.id, slots);
  const ofJobs = worker === null ? null : engine.start('jobs', how);
  const ofService = engine.start('service', how);
  return {
    metrics: [
      ...ofService.metrics,
      ...(ofJobs?.metrics ?? []),
      ...slotMetrics(slots, () => worker?.counts() ?? { running: 0, busy: 0, owed: 0 }),
    ],
    isAlive: () => worker === null || worker.isAlive(),
    async drainJobs() {
      await Promise.all([ofJobs?.close(), worker?.drain()]);
    },
    close: async () => ofService.close(),
  };
}
