import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '#store/db.ts';
import { migrate } from '#store/migrate.ts';
import { openSqlite } from '#store/sqlite.ts';

/** Work on a fresh embedded store in a temporary folder. */
export async function withFreshStore<T>(work: (db: Db) => Promise<T>): Promise<T> {
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
