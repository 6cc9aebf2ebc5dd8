import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointOrder } from './checkpoints.ts';

/** The log begins anew only when all of it is in the file, and whoever writes meanwhile makes it longer. */
const MOST_TRIES = 10;

// Nothing but Node is loaded here: a library would take more memory than all that this thread does.
const { path, sync }: CheckpointOrder = workerData;
const handle = new DatabaseSync(path, { timeout: 0 });
handle.exec(`pragma synchronous = ${sync}`);
const checkpoint = handle.prepare('pragma wal_checkpoint(passive)');

/** Each message asks for one; what cannot be done now is done at the next, or by who writes. */
parentPort?.on('message', (message) => {
  if (message === 'end') {
    handle.close();
    parentPort?.close();
    return;
  }
  try {
    for (let tried = 0; tried < MOST_TRIES; tried += 1) {
      const { log, checkpointed } = checkpoint.get() ?? {};
      if (log === checkpointed) return;
    }
  } catch {
    // A full or broken disk is for who writes to tell.
  }
});
