import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Clock } from '#kernel/clock.ts';
import { STORE_KINDS } from '#store/db.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { migrate } from '#store/migrate.ts';
import { openPostgres, POSTGRES_LIMITS } from '#store/postgres.ts';
import { openSqlite } from '#store/sqlite.ts';
import { withSchema } from './schema.ts';

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

/** Opens the store of one place, as each process would; what the work leaves open is closed after it. */
export type OpenStore = () => Promise<Db>;

/** An empty place for a store of the kind. */
export async function atPlace<T>(kind: StoreKind, work: (open: OpenStore, place: string) => Promise<T>): Promise<T> {
  const opened: Db[] = [];

  async function closing(open: () => Db, place: string): Promise<T> {
    try {
      return await work(async () => {
        const db = open();
        opened.push(db);
        return db;
      }, place);
    } finally {
      for (const db of opened) await db.close().catch(ignore);
    }
  }

  if (kind === 'sqlite') {
    return inTemporaryFolder(async (folder) =>
      closing(() => openSqlite(join(folder, 'quern.db'), { sync: 'normal' }), folder),
    );
  }
  return withSchema(async (url) => closing(() => openPostgres(url, { ...POSTGRES_LIMITS, report: ignore }), url));
}

/** Work on a fresh, migrated store of the kind. */
export async function withStoreOf<T>(kind: StoreKind, work: (db: Db) => Promise<T>): Promise<T> {
  return atPlace(kind, async (open) => {
    const db = await open();
    await migrate(db);
    return work(db);
  });
}

/** One test for each kind of store. */
export function onEveryStore(title: string, work: (kind: StoreKind) => Promise<void>): void {
  for (const kind of STORE_KINDS) test(`${kind}: ${title}`, async () => work(kind));
}

/** For connections that a test breaks: the calls on them are what is looked at. */
export function ignore(): void {}
