import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointWorkerData, CheckpointStep } from './sqlite.ts';

/** Attempts at one checkpoint: the log restarts only if all of it is copied, and writers extend it meanwhile. */
const MAX_TRIES = 10;
/** Writes a page unchanged. */
const EMPTY_WRITE = 'begin immediate; pragma user_version = 0; commit';

// Imports only Node modules: a library would use more memory than the work of this thread.
const { path, sync }: CheckpointWorkerData = workerData;
const handle = new DatabaseSync(path, { timeout: 0 });
handle.exec(`pragma synchronous = ${sync}`);
const checkpoint = handle.prepare('pragma wal_checkpoint(passive)');

/** Copies the log into the database file; returns whether all of it was copied. */
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
    // The writing connection reports a full or broken disk, and a later step repeats this one.
    if (handle.isTransaction) handle.exec('rollback');
  }
}

/** Runs one step for each message and replies when it is done. */
parentPort?.on('message', (step: CheckpointStep | 'end') => {
  if (step === 'end') {
    handle.close();
    parentPort?.close();
    return;
  }
  runStep(step);
  parentPort?.postMessage(step, []);
});
