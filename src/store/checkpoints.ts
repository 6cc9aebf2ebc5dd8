import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Statements that write between two checkpoints: a few MB of log. */
const EVERY_WRITES = 1000;

/** MiB of heap for a thread that holds one statement. */
const HEAP = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

/** What the thread of checkpoints is started with. */
export type CheckpointOrder = { readonly path: string; readonly sync: 'normal' | 'full' };

export type Checkpoints = {
  /** Notes a statement that may have written. */
  readonly note: () => void;
  readonly close: () => Promise<void>;
};

/**
 * Brings what was written from the log of an embedded store into its file in a thread of its own, which is started when
 * it is first needed: to write and sync some thousand pages takes longer than a request may wait.
 */
export function openCheckpoints(path: string, sync: 'normal' | 'full'): Checkpoints {
  let writes = 0;
  let worker: Worker | null = null;

  function start(): Worker {
    const workerData: CheckpointOrder = { path, sync };
    const module = new URL('./checkpoint.worker.ts', import.meta.url);
    const started = new Worker(module, { workerData, resourceLimits: HEAP });
    started.unref();
    // Without it the connection that writes does what is left.
    started.on('error', () => undefined);
    return started;
  }

  return {
    note() {
      writes += 1;
      if (writes < EVERY_WRITES) return;
      writes = 0;
      worker ??= start();
      worker.postMessage('checkpoint', []);
    },
    async close() {
      if (worker === null) return;
      worker.ref();
      const ended = once(worker, 'exit');
      worker.postMessage('end', []);
      await ended;
    },
  };
}
