import { Piscina } from 'piscina';
import type { Clock } from '#kernel/clock.ts';
import { openTurns, SERVICE_PARTY } from '#kernel/turns.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { IndexStore } from './index-store.ts';
import type { IndexReply, IndexTask } from './sqlite-index.worker.ts';

/** Time of one statement or one batch; a thread that takes longer is ended. */
const MAX_MS = 10_000;
/** One searches while another adds. */
const THREADS = 2;
const HEAP = { maxOldGenerationSizeMb: 128 };
const IDLE_MS = 30_000;

/**
 * Opens the index in a file of its own, in threads: a query over many pages takes longer than the event loop may wait.
 * The file is not part of the store, so it can be deleted while no service runs.
 */
export function openSqliteIndex(file: string, clock: Pick<Clock, 'deadline' | 'monotonic'>): IndexStore {
  const pool = new Piscina<IndexTask, IndexReply>({
    filename: new URL('./sqlite-index.worker.ts', import.meta.url).href,
    name: 'runTask',
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    workerData: { file },
    resourceLimits: HEAP,
  });

  /** What waits for a thread waits here, where the tenants take turns, and not in the line of the pool. */
  const turns = openTurns({ places: THREADS, spare: 0, clock });

  async function ask(task: IndexTask, signal: AbortSignal): Promise<IndexReply> {
    const deadline = clock.deadline(MAX_MS, signal);
    deadline.throwIfAborted();
    const reply = await pool.run(task, { signal: deadline }).catch((error: unknown) => {
      deadline.throwIfAborted();
      throw error;
    });
    if (reply.unavailable !== null) throw new StoreUnavailable(`the search index: ${reply.unavailable}`);
    return reply;
  }

  return {
    kind: 'sqlite',
    async read(step, signal, tenant = SERVICE_PARTY.tenant) {
      const leave = await turns.take({ tenant, weight: 1 }, signal);
      try {
        return (await ask({ kind: 'read', step }, signal)).rows;
      } finally {
        leave();
      }
    },
    write: async (steps, signal) => (await ask({ kind: 'write', steps }, signal)).done,
    // FTS5 sorts in what is added with its transaction.
    settle: async () => undefined,
    bytes: async (signal) => (await ask({ kind: 'bytes' }, signal)).bytes,
    close: async () => pool.destroy(),
  };
}
