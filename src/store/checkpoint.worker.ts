import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointOrder, CheckpointStep } from './checkpoints.ts';

/** The log begins anew only when all of it is in the file, and whoever writes meanwhile makes it longer. */
const MOST_TRIES = 10;
/** Writes a page as it is. */
const WRITE_NOTHING = 'begin immediate; pragma user_version = 0; commit';

// Nothing but Node is loaded here: a library would take more memory than all that this thread does.
const { path, sync }: CheckpointOrder = workerData;
const handle = new DatabaseSync(path, { timeout: 0 });
handle.exec(`pragma synchronous = ${sync}`);
const checkpoint = handle.prepare('pragma wal_checkpoint(passive)');

/** Whether all of the log is in the file. */
function copy(): boolean {
  for (let tried = 0; tried < MOST_TRIES; tried += 1) {
    const { log, checkpointed } = checkpoint.get() ?? {};
    if (log === checkpointed) return true;
  }
  return false;
}

function take(step: CheckpointStep): void {
  try {
    // The first write after a whole copy begins the log anew, and syncs the disk for it.
    if (copy() && step === 'restart') handle.exec(WRITE_NOTHING);
  } catch {
    // A full or broken disk is for who writes to tell, and what cannot be done now is done at the next step.
    if (handle.isTransaction) handle.exec('rollback');
  }
}

/** Each message asks for one step, and is answered when it is over. */
parentPort?.on('message', (step: CheckpointStep | 'end') => {
  if (step === 'end') {
    handle.close();
    parentPort?.close();
    return;
  }
  take(step);
  parentPort?.postMessage(step, []);
});
