import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '#kernel/errors.ts';
import { isBusyError } from './sqlite.ts';

const SERVE_LOCK_FILE = 'serve.lock';
const COMMAND_LOCK_FILE = 'command.lock';
const SETUP_LOCK_FILE = 'browser-setup.lock';
/** Longer than another process holds the lock while it checks whether the lock is free. */
const WAIT_MS = 250;

export type Lock = { readonly release: () => void };

/**
 * Locks the data folder for one `quern serve`; throws `OperatorError` if another one holds it. It is an SQLite lock on an empty
 * file, which the system releases when the process ends for any reason.
 */
export function lockDataDir(folder: string): Lock {
  const handle = new DatabaseSync(join(folder, SERVE_LOCK_FILE), { timeout: WAIT_MS });
  try {
    handle.exec('begin exclusive');
  } catch (error) {
    handle.close();
    const why = isBusyError(error)
      ? 'another quern serve uses it; stop it, or set another folder'
      : `cannot be written (${error instanceof Error ? error.message : String(error)})`;
    throw new OperatorError(`QUERN_DATA_DIR ${folder}: ${why}`, { cause: error });
  }
  return { release: () => handle.close() };
}

/** Locks the cleanup after earlier commands; null if another command holds the lock. */
export function lockCommand(folder: string): Lock | null {
  return tryLock(folder, COMMAND_LOCK_FILE);
}

/** Locks the installation of browsers; null if another process holds the lock. */
export function lockSetup(folder: string): Lock | null {
  return tryLock(folder, SETUP_LOCK_FILE);
}

/** Whether a `quern serve` uses the data folder now. */
export function isServeRunning(folder: string): boolean {
  return isLocked(folder, SERVE_LOCK_FILE);
}

/** Whether a process with this data folder is installing browsers. */
export function isSetupRunning(folder: string): boolean {
  return isLocked(folder, SETUP_LOCK_FILE);
}

function tryLock(folder: string, name: string): Lock | null {
  const handle = new DatabaseSync(join(folder, name), { timeout: 0 });
  try {
    handle.exec('begin exclusive');
  } catch {
    handle.close();
    return null;
  }
  return { release: () => handle.close() };
}

function isLocked(folder: string, name: string): boolean {
  const file = join(folder, name);
  if (!existsSync(file)) return false;
  const handle = new DatabaseSync(file, { timeout: 0 });
  try {
    handle.exec('select 1 from sqlite_schema');
    return false;
  } catch {
    return true;
  } finally {
    handle.close();
  }
}

const STORE_LOCKS = {
  shared: { begin: 'begin; select count(*) from sqlite_schema', refused: 'a restore is running there' },
  alone: { begin: 'begin exclusive', refused: 'a service or a command uses it; stop it first' },
} as const;

/**
 * Locks the embedded store of a data folder: `shared` for each process that opens it, `alone` for one that replaces its file.
 * Throws `OperatorError` if the lock is not available. It is an SQLite lock on an empty file, which the system releases when
 * the process ends for any reason.
 */
export function lockStore(folder: string, kind: keyof typeof STORE_LOCKS): { readonly release: () => void } {
  const handle = new DatabaseSync(join(folder, 'store.lock'), { timeout: 0 });
  try {
    handle.exec(STORE_LOCKS[kind].begin);
  } catch (error) {
    handle.close();
    const why = isBusyError(error)
      ? STORE_LOCKS[kind].refused
      : `cannot be written (${error instanceof Error ? error.message : String(error)})`;
    throw new OperatorError(`QUERN_DATA_DIR ${folder}: ${why}`, { cause: error });
  }
  return { release: () => handle.close() };
}
