import type { FastifyInstance } from 'fastify';
import type { LoopStart } from '#engine/call/feature.ts';
import type { Config } from '#kernel/config.ts';
import { OperatorError } from '#kernel/errors.ts';
import type { Metric } from '#kernel/metric.ts';
import type { Engine } from './engine.ts';
import { buildSlotMetrics } from './metrics.ts';
import type { Store } from './store.ts';

type ReadinessParts = Pick<Engine, 'processes'> & Pick<Background, 'isAlive'> & Pick<Store, 'room'>;

/** Finds the reasons why a process is not ready; empty if it is. */
export function buildReadinessCheck({ processes, isAlive, room }: ReadinessParts) {
  return async (): Promise<readonly string[]> => {
    const stopped = isAlive() ? [] : ['the worker has stopped'];
    const unwritable = await processes.sweep().then(
      async () =>
        room.assertFree().then(
          () => [],
          () => ['the disk of the store is full'],
        ),
      () => ['the store is not writable'],
    );
    return [...stopped, ...unwritable];
  };
}

type ListenAddress = { readonly config: Config; readonly setting: 'QUERN_PORT' | 'QUERN_WORKER_PORT' };

/** Listens on the address in the settings; returns the origin. */
export async function listen(server: FastifyInstance, { config, setting }: ListenAddress): Promise<string> {
  const host = config.QUERN_HOST;
  const port = config[setting];
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE') {
      throw new OperatorError(
        `${setting} ${port}: is in use on ${host}; stop the program that uses it, or set another port`,
        {
          cause: error,
        },
      );
    }
    throw new OperatorError(
      `QUERN_HOST ${host}, ${setting} ${port}: cannot be listened on (${String(code ?? error)})`,
      {
        cause: error,
      },
    );
  }
}

/** The worker and the loops that a process runs in addition to the API. */
export type Background = {
  readonly metrics: readonly Metric[];
  /** False once the worker has stopped by itself. */
  readonly isAlive: () => boolean;
  /** Puts running jobs back into the queue, and ends the loops of the worker. */
  readonly drainJobs: () => Promise<void>;
  /** Ends the loops of the service after they have sent the events of the last jobs. */
  readonly close: () => Promise<void>;
};

/** Starts the loops of all features, and a worker with this many slots. With 0 slots other processes run the jobs. */
export function startBackground(engine: Engine, slots: number, how: LoopStart): Background {
  const worker = slots === 0 ? null : engine.work(how.id, slots);
  const ofJobs = worker === null ? null : engine.start('jobs', how);
  const ofService = engine.start('service', how);
  return {
    metrics: [
      ...ofService.metrics,
      ...(ofJobs?.metrics ?? []),
      ...buildSlotMetrics(slots, () => worker?.counts() ?? { running: 0, busy: 0, owed: 0 }),
    ],
    isAlive: () => worker === null || worker.isAlive(),
    async drainJobs() {
      await Promise.all([ofJobs?.close(), worker?.drain()]);
    },
    close: async () => ofService.close(),
  };
}
