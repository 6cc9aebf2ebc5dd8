import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Rows that are written between two checkpoints: some ten MB of log. */
const EVERY_ROWS = 4000;

/** MiB of heap for a thread that holds one statement. */
const HEAP = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

/** What the thread of checkpoints is started with. */
export type CheckpointOrder = { readonly path: string; readonly sync: 'normal' | 'full' };

/** `copy` brings the log into the file beside writers; `restart` copies the rest and begins the log anew, without writers. */
export type CheckpointStep = 'copy' | 'restart';

export type CheckpointParts = CheckpointOrder & {
  /** Runs work while nothing of this process writes. */
  readonly exclusive: (work: () => Promise<void>) => Promise<void>;
};

export type Checkpoints = {
  /** Notes a statement that may have written, and the rows that it answered. */
  readonly note: (answered: number) => void;
  readonly close: () => Promise<void>;
};

/**
 * Brings what was written from the log of an embedded store into its file in a thread of its own, which is started when
 * it is first needed: to write and sync some thousand pages takes longer than a request may wait. The thread also begins
 * the log anew, because whoever does syncs the disk; writers wait for that in turn, and the event loop does not.
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
    // Without it the connection that writes does what is left.
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

/** Has a thread take a step, and waits until it has or has ended; meanwhile it keeps the process alive. */
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
