import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { type Db, STORE_KINDS, type StoreKind } from '#store/db.ts';
import { migrate } from '#store/migrate.ts';
import { openPostgres } from '#store/postgres.ts';
import { PATIENT_LIMITS } from '#testkit/postgres.ts';
import { openSqlite } from '#store/sqlite.ts';
import { withDatabase, withSchema } from './schema.ts';

/** A folder that is removed after the work. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quern-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens the store of one location, as each process would; it is closed after the work. */
export type OpenStore = () => Promise<Db>;

type AtPlace<T> = (open: OpenStore, place: string) => Promise<T>;

/** An empty location for a store of the kind. */
export async function atPlace<T>(kind: StoreKind, work: AtPlace<T>): Promise<T> {
  return kind === 'sqlite'
    ? inTemporaryFolder(async (folder) => atFolder(folder, work))
    : withSchema(async (url) => atUrl(url, work));
}

/** Runs work on a new, migrated store of the kind. */
export async function withStoreKind<T>(kind: StoreKind, work: (db: Db) => Promise<T>): Promise<T> {
  return kind === 'sqlite'
    ? withStore(work)
    : withDatabase(async (url) =>
        atUrl(url, async (open) => {
          const db = await open();
          await migrate(db);
          return work(db);
        }),
      );
}

/** Runs work on a new, migrated embedded store. */
export async function withStore<T>(work: (db: Db, folder: string) => Promise<T>): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    migrated ??= readMigrated();
    await writeFile(join(folder, FILE), await migrated);
    return atFolder(folder, async (open) => work(await open(), folder));
  });
}

// A copy takes a third of the time of the migrations; a process runs them once.
let migrated: Promise<Uint8Array> | null = null;

async function readMigrated(): Promise<Uint8Array> {
  return inTemporaryFolder(async (folder) => {
    await atFolder(folder, async (open) => migrate(await open()));
    return readFile(join(folder, FILE));
  });
}

const FILE = 'quern.db';

async function atFolder<T>(folder: string, work: AtPlace<T>): Promise<T> {
  return closing(
    () => openSqlite(join(folder, FILE), { sync: 'normal' }),
    async (open) => work(open, folder),
  );
}

async function atUrl<T>(url: string, work: AtPlace<T>): Promise<T> {
  return closing(
    () => openPostgres(url, { ...PATIENT_LIMITS, clock: SYSTEM_CLOCK, report: ignore }),
    async (open) => work(open, url),
  );
}

async function closing<T>(open: () => Db, work: (open: OpenStore) => Promise<T>): Promise<T> {
  const opened: Db[] = [];
  try {
    return await work(async () => {
      const db = open();
      opened.push(db);
      return db;
    });
  } finally {
    for (const db of opened) await db.close().catch(ignore);
  }
}

/** The kinds of store that this run tests: both, or only the embedded one. */
export const TESTED_STORES: readonly StoreKind[] =
  process.env['QUERN_TEST_STORES'] === 'sqlite' ? ['sqlite'] : STORE_KINDS;

/** One test for each kind of store that this run tests. */
export function onEveryStore(title: string, work: (kind: StoreKind) => Promise<void>): void {
  for (const kind of TESTED_STORES) test(`${kind}: ${title}`, async () => work(kind));
}

/** Ignores errors of connections that a test breaks, because only the calls on them are checked. */
export function ignore(): void {}
