import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '#kernel/errors.ts';
import { syncFolder } from './backup-file.ts';
import { type Backup, fillStore, backUpReplacedData, type ReplaceStore, type RestoreOptions } from './restore.ts';
import { type Db, StoreUnavailable } from './db.ts';
import { openSqlite } from './sqlite.ts';
import { lockStore } from './locks.ts';

/** Suffixes of the files that SQLite creates next to a database. */
const COMPANION_SUFFIXES = ['-wal', '-shm', '-journal'] as const;

/** Builds a new database file and renames it into place, so that a crash leaves either the old or the new one. */
export function replaceSqlite(file: string, order: RestoreOptions): ReplaceStore {
  return async (backup) => {
    const lock = lockStore(dirname(file), 'alone');
    try {
      return await replaceFile(file, backup, order);
    } finally {
      lock.release();
    }
  };
}

async function replaceFile(file: string, backup: Backup, order: RestoreOptions): Promise<string | null> {
  const replaced = existsSync(file)
    ? await runOnFile(file, async (db) =>
        db.snapshot(async (view) => backUpReplacedData({ view, kind: 'sqlite' }, order)),
      )
    : null;
  const fresh = `${file}.restoring`;
  await deleteStoreFiles(fresh);
  try {
    await runOnFile(fresh, async (db) =>
      db.transaction(async (tx) => fillStore(tx, backup, { kind: 'sqlite', ...order })),
    );
    await syncFile(fresh);
    await rename(fresh, file);
  } catch (error) {
    await deleteStoreFiles(fresh);
    if (replaced !== null) await rm(replaced);
    throw error instanceof StoreUnavailable
      ? new OperatorError(`QUERN_DATA_DIR ${dirname(file)}: cannot be written (${error.message})`, { cause: error })
      : error;
  }
  await syncFolder(dirname(file));
  return replaced;
}

/** Runs work on a database and closes it so that no log remains: the next database would take the log for its own. */
async function runOnFile<T>(file: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openSqlite(file, { sync: 'full' });
  const result = await work(db).finally(async () => db.close());
  if (existsSync(`${file}-wal`))
    throw new OperatorError(`${file}: is open in another program; stop that program first`);
  return result;
}

async function deleteStoreFiles(file: string): Promise<void> {
  for (const name of [file, ...COMPANION_SUFFIXES.map((end) => file + end)]) await rm(name, { force: true });
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
