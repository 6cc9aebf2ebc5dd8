import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { migrate } from '#store/migrate.ts';
import type { Opening } from '#store/open.ts';
import { openSqlite } from '#store/sqlite.ts';

/** Work on a fresh embedded store in a temporary folder. */
export async function withTemporaryStore<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quern-bench-'));
  const db = openSqlite(join(folder, 'quern.db'), { sync: 'normal' });
  try {
    await migrate(db);
    return await work(db);
  } finally {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** How a bench opens a store: what goes wrong is said, and backups before a migration go to the folder. */
export function buildStoreOptions(dataDir: string): Opening {
  return {
    report: console.error,
    clock: SYSTEM_CLOCK,
    backups: {
      dataDir,
      secret: () => ({ bytes: new Uint8Array(32), carried: false }),
      openObjects: async () => null,
      now: Date.now,
      note: console.error,
    },
  };
}
