import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { migrate } from '#store/migrate.ts';
import type { OpenStoreOptions } from '#store/open-store.ts';
import { openSqlite } from '#store/sqlite.ts';

/** Runs `work` with a new SQLite store in a temporary folder. */
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

/** Store options for benchmarks: errors go to standard error, backups to the data folder. */
export function buildStoreOptions(dataDir: string): OpenStoreOptions {
  return {
    report: console.error,
    clock: SYSTEM_CLOCK,
    backups: {
      dataDir,
      secret: () => ({ bytes: new Uint8Array(32), included: false }),
      openObjects: async () => null,
      now: Date.now,
      note: console.error,
    },
  };
}
