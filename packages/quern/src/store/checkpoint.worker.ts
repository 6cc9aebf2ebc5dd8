import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointWorkerData, CheckpointStep } from './sqlite.ts';

/** Attempts at one checkpoint: the log restarts only when all of it is in the file, and writers extend it meanwhile. */
const MAX_TRIES = 10;
/** Writes a page unchanged. */
const EMPTY_WRITE = 'begin immediate; pragma user_version = 0; commit';

// Only Node is loaded here: a library would take more memory than the work of this thread.
const { path, sync }: CheckpointWorkerData = workerData;
const handle = new DatabaseSync(path, { timeout: 0 });
handle.exec(`pragma synchronous = ${sync}`);
const checkpoint = handle.prepare('pragma wal_checkpoint(passive)');

/** Whether all of the log is in the file. */
function copyLog(): boolean {
  for (let tried = 0; tried < MAX_TRIES; tried += 1) {
    const { log, checkpointed } = checkpoint.get() ?? {};
    if (log === checkpointed) return true;
  }
  return false;
}

function runStep(step: CheckpointStep): void {
  try {
    // The first write after a complete copy restarts the log, and syncs the disk for it.
    if (copyLog() && step === 'restart') handle.exec(EMPTY_WRITE);
  } catch {
    // The writer reports a full or broken disk, and a later step does what this one could not.
    if (handle.isTransaction) handle.exec('rollback');
  }
}

/** Takes one step for each message, and answers it when the step is over. */
parentPort?.on('message', (step: CheckpointStep | 'end') => {
  if (step === 'end') {
    handle.close();
    parentPort?.close();
    return;
  }
  runStep(step);
  parentPort?.postMessage(step, []);
});
