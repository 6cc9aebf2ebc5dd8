import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { OperatorError } from '#kernel/errors.ts';
import { isBusy } from './sqlite.ts';

const WORDS = {
  shared: { begin: 'begin; select count(*) from sqlite_schema', refused: 'a restore is under way there' },
  alone: { begin: 'begin exclusive', refused: 'a service or a command uses it; stop it first' },
} as const;

/**
 * Takes the embedded store of a data folder: `shared` by each process that opens it, `alone` by one that replaces its
 * file. Throws `OperatorError` when the other kind is held. The lock is SQLite's own on an empty file: the system
 * frees it with the process, however that ends.
 */
export function lockStore(folder: string, kind: keyof typeof WORDS): { readonly release: () => void } {
  const handle = new DatabaseSync(join(folder, 'store.lock'), { timeout: 0 });
  try {
    handle.exec(WORDS[kind].begin);
  } catch (error) {
    handle.close();
    const why = isBusy(error)
      ? WORDS[kind].refused
      : `cannot be written (${error instanceof Error ? error.message : String(error)})`;
    throw new OperatorError(`QUERN_DATA_DIR ${folder}: ${why}`, { cause: error });
  }
  return { release: () => handle.close() };
}
