import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '#kernel/errors.ts';
import { isBusy } from './sqlite.ts';

const LOCK_FILE = 'serve.lock';
const COMMAND_FILE = 'command.lock';
const SETUP_FILE = 'browser-setup.lock';
/** Longer than another process holds the lock to look whether it is taken. */
const WAIT_MS = 250;

export type Lock = { readonly release: () => void };

/**
 * Takes the data folder for one `serve`; throws `OperatorError` when another has it. The lock is SQLite's own on
 * an empty file: the system frees it with the process, however that ends.
 */
export function lockDataDir(folder: string): Lock {
  const handle = new DatabaseSync(join(folder, LOCK_FILE), { timeout: WAIT_MS });
  try {
    handle.exec('begin exclusive');
  } catch (error) {
    handle.close();
    const why = isBusy(error)
      ? 'another quern serve uses it; stop that one or name another folder'
      : `cannot be written (${error instanceof Error ? error.message : String(error)})`;
    throw new OperatorError(`QUERN_DATA_DIR ${folder}: ${why}`, { cause: error });
  }
  return { release: () => handle.close() };
}

/** Locks the right to free what an earlier command left behind; null while another command has it. */
export function lockCommand(folder: string): Lock | null {
  return tryLock(folder, COMMAND_FILE);
}

/** Locks the installation of browsers; null while another process has it. */
export function lockSetup(folder: string): Lock | null {
  return tryLock(folder, SETUP_FILE);
}

/** Whether a `serve` has the data folder now. */
export function isServed(folder: string): boolean {
  return isTaken(folder, LOCK_FILE);
}

/** Whether a process that uses the data folder installs browsers now. */
export function isSettingUp(folder: string): boolean {
  return isTaken(folder, SETUP_FILE);
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

function isTaken(folder: string, name: string): boolean {
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
