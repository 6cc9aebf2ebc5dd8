import type { Loop, RunningLoop } from '#engine/call/feature.ts';
import { startWorker } from '#engine/jobs/worker.ts';
import { startUpkeep } from '#engine/upkeep/upkeep.ts';
import type { Config } from '#kernel/config.ts';
import { StoreUnavailable } from '#store/db.ts';
import { build } from './build.ts';
import { makeFeatures } from './features.ts';
import { engineMetrics } from './metrics.ts';
import { readingsOfModel } from './model.ts';
import { openPorts, type PortOptions } from './ports.ts';
import type { Store } from './store.ts';

/** The service over a store: it performs operations, and starts workers and loops. */
export async function openEngine(config: Config, store: Store, options: PortOptions) {
  const opened = await openPorts(config, store, options);
  const { ports, browsing, model } = opened;
  const built = build(ports, makeFeatures);
  const { billing, processes, idempotentAnswers, queue, features } = built;
  const { planOf, reporter, storeClock: clock } = ports;
  await processes.abandon();
  await idempotentAnswers.abandon();
  await processes.sweep();

  /** Starts the loops of all features that run with jobs, or with a service. */
  function start(beside: Loop['beside'], how: Parameters<Loop['start']>[0]): RunningLoop {
    const loops = features.flatMap((feature) => feature.loops ?? []).filter((loop) => loop.beside === beside);
    const running = loops.map((loop) => loop.start(how));
    return {
      metrics: running.flatMap(({ metrics }) => metrics),
      close: async () => void (await Promise.all(running.map(async (loop) => loop.close()))),
    };
  }

  return {
    perform: built.perform,
    accounts: built.accounts,
    processes,
    browsing,
    start,
    /** Takes back the jobs of a worker that is known to be dead. */
    recover: async (worker: string) => queue.leases.recover(worker, planOf),
    /** Starts a worker of this id, with this many jobs at once. */
    work: (id: string, slots: number) =>
      startWorker({
        ...queue,
        id,
        slots,
        perform: built.performJob,
        billing,
        clock,
        planOf,
        observe: ports.observe,
        report: reporter('a job could not be run or written'),
      }),
    metrics: [
      ...(model === null ? [] : readingsOfModel(model)),
      ...engineMetrics({ ...built, db: ports.db, browsing, breakers: ports.calls.breakers }),
      ...store.metrics,
    ],
    upkeep: async () =>
      startUpkeep({
        ...built,
        clock,
        jobRetention: queue.retention,
        rounds: features.flatMap(({ rounds }) => rounds ?? []),
        dataDir: config.QUERN_DATA_DIR,
        quota: config.QUERN_MAX_DISK,
        report: reporter('a round of upkeep failed'),
      }),
    async close(): Promise<void> {
      // If the store is away, other processes free what this one holds when its time is up.
      await processes.leave().catch(ignoreUnavailable);
      for (const feature of features) await feature.close?.();
      await opened.close();
    },
  };
}

export type Engine = Awaited<ReturnType<typeof openEngine>>;

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error;
}
