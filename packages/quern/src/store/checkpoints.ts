import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Rows that are written between two checkpoints: some ten MB of log. */
const EVERY_ROWS = 4000;

/** MiB of heap of the thread, which holds one statement. */
const HEAP = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

/** The data that the thread of checkpoints is started with. */
export type CheckpointOrder = { readonly path: string; readonly sync: 'normal' | 'full' };

/** `copy` moves the log into the file while others write; `restart` moves the rest and restarts the log, while none does. */
export type CheckpointStep = 'copy' | 'restart';

export type CheckpointParts = CheckpointOrder & {
  /** Runs work while nothing of this process writes. */
  readonly exclusive: (work: () => Promise<void>) => Promise<void>;
};

export type Checkpoints = {
  /** Counts a statement that may have written, and the rows that it answered. */
  readonly note: (answered: number) => void;
  readonly close: () => Promise<void>;
};

/**
 * Moves committed pages from the log of an embedded store into its file, in a thread that is started at the first need:
 * writing and syncing a few thousand pages takes longer than a request may wait. The thread also restarts the log, which
 * syncs the disk: writers wait for that, and the event loop does not.
 */
export function openCheckpoints({ path, sync, exclusive }: CheckpointParts): Checkpoints {
  let rows = 0;
  let worker: Worker | null = null;
  let running: Promise<void> | null = null;
  let isClosed = false;

  function start(): Worker {
    const workerData: CheckpointOrder = { path, sync };
    const module = new URL('./checkpoint.worker.ts', import.meta.url);
    const started = new Worker(module, { workerData, resourceLimits: HEAP });
    started.unref();
    // Without the thread the writing connection makes the checkpoints.
    started.on('error', () => undefined);
    started.once('exit', () => (worker = null));
    return started;
  }

  async function checkpoint(): Promise<void> {
    const thread = (worker ??= start());
    await askFor(thread, 'copy');
    await exclusive(async () => {
      if (worker === thread) await askFor(thread, 'restart');
    });
  }

  return {
    note(answered) {
      rows += Math.max(1, answered);
      if (rows < EVERY_ROWS || running !== null || isClosed) return;
      rows = 0;
      running = checkpoint().finally(() => (running = null));
    },
    async close() {
      isClosed = true;
      await running;
      if (worker === null) return;
      worker.ref();
      const ended = once(worker, 'exit');
      worker.postMessage('end', []);
      await ended;
    },
  };
}

/** Makes a thread take a step, and waits until it has done so or has ended; it keeps the process alive meanwhile. */
async function askFor(thread: Worker, step: CheckpointStep): Promise<void> {
  thread.ref();
  const { promise, resolve } = Promise.withResolvers<void>();
  thread.once('message', resolve);
  thread.once('exit', resolve);
  thread.postMessage(step, []);
  await promise;
  thread.off('message', resolve);
  thread.off('exit', resolve);
  thread.unref();
}
