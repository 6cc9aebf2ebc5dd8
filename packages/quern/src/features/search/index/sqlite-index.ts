import { Piscina } from 'piscina';
import type { Clock } from '#kernel/clock.ts';
import { createFairQueue } from '#kernel/fair-queue.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { IndexStore } from './index-store.ts';
import type { IndexReply, IndexTask } from './sqlite-index.worker.ts';

/** Time limit of one read or one batch of writes; a slower thread is terminated. */
const TASK_TIMEOUT_MS = 10_000;
/** Time limit of rewriting a segment of the largest size, which takes two seconds on an idle machine. */
const REWRITE_TIMEOUT_MS = 60_000;
/** One thread can search while the other adds pages. */
const THREADS = 2;
const HEAP_LIMITS = { maxOldGenerationSizeMb: 128 };
const IDLE_MS = 30_000;

/**
 * Opens the index in a separate SQLite file. It runs in worker threads, because a query over many pages would block the event
 * loop. The file can be deleted while the service is stopped; the index is then rebuilt.
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
    resourceLimits: HEAP_LIMITS,
  });

  /** Tasks wait here, where tenants take turns, and not in the queue of the pool. */
  const turns = createFairQueue({ places: THREADS, spare: 0, clock });

  async function ask(task: IndexTask, signal: AbortSignal): Promise<IndexReply> {
    const isRewrite = task.kind === 'merge' || task.kind === 'compact';
    const deadline = clock.deadline(isRewrite ? REWRITE_TIMEOUT_MS : TASK_TIMEOUT_MS, signal);
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
    read: async (step, signal) => (await ask({ kind: 'read', step }, signal)).rows,
    write: async (steps, signal) => (await ask({ kind: 'write', steps, batch: null }, signal)).done,
    async add(batch, steps, signal) {
      if (!(await ask({ kind: 'write', steps, batch }, signal)).done) return false;
      while ((await ask({ kind: 'merge', tenant: batch.tenant }, signal)).done) signal.throwIfAborted();
      return true;
    },
    async rank(request, signal) {
      const leave = await turns.acquire({ tenant: request.tenant, weight: 1 }, signal);
      try {
        return (await ask({ kind: 'rank', request }, signal)).found;
      } finally {
        leave();
      }
    },
    compact: async (range, signal) => (await ask({ kind: 'compact', range }, signal)).lastSegment,
    bytes: async (signal) => (await ask({ kind: 'bytes' }, signal)).bytes,
    close: async () => pool.destroy(),
  };
}
