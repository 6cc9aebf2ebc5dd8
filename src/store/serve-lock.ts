import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { isBusy } from './sqlite.ts';

/**
 * Takes the data folder for one `serve`; throws an Error of one line when another has it. The lock is SQLite's own on
 * an empty file: the system frees it with the process, however that ends.
 */
export function lockDataDir(folder: string): { readonly release: () => void } {
  const handle = new DatabaseSync(join(folder, 'serve.lock'), { timeout: 0 });
  try {
    handle.exec('begin exclusive');
  } catch (error) {
    handle.close();
    const why = isBusy(error)
      ? 'another quern serve uses it; stop that one or name another folder'
      : `cannot be written (${error instanceof Error ? error.message : String(error)})`;
    throw new Error(`QUERN_DATA_DIR ${folder}: ${why}`, { cause: error });
  }
  return { release: () => handle.close() };
}
