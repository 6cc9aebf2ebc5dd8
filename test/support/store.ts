import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { migrate } from '#store/migrate.ts';
import { openSqlite } from '#store/sqlite.ts';

/** A clock that a test sets. */
export type TestClock = Clock & { readonly set: (iso: string) => void; readonly pass: (ms: number) => void };

export function openTestClock(iso: string): TestClock {
  let now = Date.parse(iso);
  return {
    now: () => now,
    set: (next) => void (now = Date.parse(next)),
    pass: (ms) => void (now += ms),
  };
}

/** A folder that is gone after the work. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quern-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Work on a fresh, migrated embedded store. */
export async function withStore<T>(work: (db: Db, folder: string) => Promise<T>): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const db = openSqlite(join(folder, 'quern.db'), { sync: 'normal' });
    await migrate(db);
    try {
      return await work(db, folder);
    } finally {
      await db.close();
    }
  });
}
