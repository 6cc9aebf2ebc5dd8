import type { Feature, Loop, LoopStart, RunningLoop } from '#engine/call/feature.ts';
import { startWorker, type PerformJob } from '#engine/jobs/worker.ts';
import { startUpkeep } from '#engine/upkeep/upkeep.ts';
import type { Config } from '#kernel/config.ts';
import { StoreUnavailable } from '#store/db.ts';
import { buildService, type Core, type Ports } from './build.ts';
import { makeFeatures } from './features.ts';
import { buildEngineMetrics } from './metrics.ts';
import { buildModelMetrics } from './model.ts';
import { openPorts, type PortOptions } from './ports.ts';
import type { Store } from './store.ts';

/** The engine on a store: it performs operations, and starts workers and loops. */
export type Engine = Awaited<ReturnType<typeof openEngine>>;

/** Opens the engine, and releases what dead processes and the previous process with this id held. */
export async function openEngine(config: Config, store: Store, options: PortOptions) {
  const opened = await openPorts(config, store, options);
  const { ports, browsing, model } = opened;
  const { core, made, perform, performJob } = buildService(ports, makeFeatures);
  const { processes, queue, accounts } = core;
  const { features } = made;
  await processes.freeOwn();
  await core.idempotentAnswers.releaseOwn();
  await processes.sweep();

  return {
    perform,
    accounts,
    processes,
    browsing,
    start: (beside: Loop['beside'], how: LoopStart) => startLoops(features, beside, how),
    /** Returns the jobs of a worker that is known to be dead to the queue. */
    recover: async (worker: string) => queue.leases.recover(worker, ports.planOf),
    /** Starts a worker with this id, which runs this many jobs at once. */
    work: (id: string, slots: number) => startJobs({ ports, core, performJob, id, slots }),
    metrics: [
      ...(model === null ? [] : buildModelMetrics(model)),
      ...buildEngineMetrics({
        db: ports.db,
        queueState: core.queueState,
        upkeepLog: core.upkeepLog,
        browsing,
        breakers: ports.calls.breakers,
      }),
      ...store.metrics,
    ],
    upkeep: async () => startRounds(config, { ports, core, features }),
    async close(): Promise<void> {
      // If the store is unavailable, other processes release what this one holds when it expires.
      await processes.signOff().catch(ignoreUnavailable);
      for (const feature of features) await feature.close?.();
      await opened.close();
    },
  };
}

/** Starts the loops of all features that run with jobs, or with a service. */
function startLoops(features: readonly Feature[], beside: Loop['beside'], how: LoopStart): RunningLoop {
  const loops = features.flatMap((feature) => feature.loops ?? []).filter((loop) => loop.beside === beside);
  const running = loops.map((loop) => loop.start(how));
  return {
    metrics: running.flatMap(({ metrics }) => metrics),
    close: async () => void (await Promise.all(running.map(async (loop) => loop.close()))),
  };
}

type JobsParts = {
  readonly ports: Ports;
  readonly core: Core;
  readonly performJob: PerformJob;
  readonly id: string;
  readonly slots: number;
};

function startJobs({ ports, core, performJob, id, slots }: JobsParts) {
  const { queue, billing } = core;
  return startWorker({
    id,
    slots,
    perform: performJob,
    hooks: queue.hooks,
    leases: queue.leases,
    billing,
    notifications: queue.notifications,
    clock: ports.storeClock,
    readPlan: ports.planOf,
    observe: ports.observe,
    report: ports.reporter('a job could not be run or written'),
  });
}

type RoundsParts = { readonly ports: Ports; readonly core: Core; readonly features: readonly Feature[] };

async function startRounds(config: Config, { ports, core, features }: RoundsParts) {
  return startUpkeep({
    processes: core.processes,
    deferredReleases: core.deferredReleases,
    requestLog: core.requestLog,
    pageCache: core.pageCache,
    idempotentAnswers: core.idempotentAnswers,
    jobRetention: core.queue.retention,
    rounds: features.flatMap(({ rounds }) => rounds ?? []),
    results: core.results,
    artifacts: core.artifacts,
    diskUsage: core.diskUsage,
    keptRoom: core.keptRoom,
    upkeepLog: core.upkeepLog,
    dataDir: config.QUERN_DATA_DIR,
    quota: config.QUERN_MAX_DISK,
    clock: ports.storeClock,
    report: ports.reporter('a round of upkeep failed'),
  });
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error;
}
