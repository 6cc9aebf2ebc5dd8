import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { OperatorError } from '#kernel/errors.ts';
import {
  backUpBeforeMigration,
  type MigrationBackupOptions,
  type BackupOptions,
  type BackupSummary,
  writeBackup,
} from './backup.ts';
import { openBackupFile, DamagedBackup } from './backup-file.ts';
import { openBackup, restoreBackup, type RestoreResult, type RestoreOptions } from './restore.ts';
import { type Db, StoreUnavailable } from './db.ts';
import { type Hints, NO_HINTS } from './hints.ts';
import { readAppliedMigrations, migrate, getSchemaVersion } from './migrate.ts';
import { openWithReceipts } from './receipts.ts';
import { readServerTime } from './server-clock.ts';
import { replaceSqlite } from './restore-sqlite.ts';
import { readRow } from './rows.ts';
import { type KnownSchema, loadKnownSchema, getNewestVersion } from './schema.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';
import { lockStore } from './locks.ts';

/** Where the database is: an SQLite file or a PostgreSQL URL. */
export type StoreLocation =
  | { readonly kind: 'sqlite'; readonly file: string; readonly sync: SqliteOptions['sync'] }
  | { readonly kind: 'postgres'; readonly url: string };

type ClockOption = { readonly clock: Clock };

/** What opening a store needs. */
export type OpenStoreOptions = {
  /** Receives the errors of idle connections that break. */
  readonly report: (error: unknown) => void;
  readonly clock: Clock;
  readonly backups: MigrationBackupOptions;
};

const MIN_POSTGRES_VERSION = 15;
const SHARED_POOLER_WARNING =
  'QUERN_DATABASE_URL: points to a pooler that shares connections between transactions, such as PgBouncer with pool_mode=transaction: statements are not prepared, and jobs that other processes queue start up to two seconds late; set pool_mode=session, or connect to the server directly';
const SELECT_VERSION = "select current_setting('server_version_num') as version";
const ServerVersion = z.object({ version: z.string().transform((text) => Math.floor(Number(text) / 10_000)) });
/** Locks a row to wait for another process that migrates; an empty database needs no lock. */
const LOCK_MIGRATIONS = 'update migrations set quern = quern where version = $1';

/**
 * Opens the store, backs up older data and migrates its schema. Throws `OperatorError` if this is not possible.
 */
export async function openMigratedStore(
  place: StoreLocation,
  { report, clock, backups }: OpenStoreOptions,
): Promise<Db> {
  const code = await loadKnownSchema();
  if (place.kind === 'postgres') {
    const { openPostgres, POSTGRES_LIMITS } = await import('./postgres.ts');
    await runOnServer(place.url, { report, clock }, async (patient) => migratePostgres(patient, { code, backups }));
    const { findConnectionMode } = await import('./postgres.ts');
    const way = await findConnectionMode(place.url);
    if (way === 'shared') backups.note(SHARED_POOLER_WARNING);
    return openWithReceipts(openPostgres(place.url, { ...POSTGRES_LIMITS, report, clock, mode: way }), clock);
  }
  const db = openLockedSqlite(place);
  try {
    await backUpBeforeMigration(db, code, backups);
    await migrate(db, code);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

/** Opens an embedded store, locked against a restore until it is closed. */
function openLockedSqlite(place: Extract<StoreLocation, { readonly kind: 'sqlite' }>): Db {
  const lock = lockStore(dirname(place.file), 'shared');
  const db = openSqliteFile(place, lock.release);
  return {
    ...db,
    async close() {
      await db.close();
      lock.release();
    },
  };
}

/** Opens the database file; throws `OperatorError` with its name if it is damaged or not a database. */
function openSqliteFile({ file, sync }: Extract<StoreLocation, { readonly kind: 'sqlite' }>, giveUp: () => void): Db {
  try {
    return openSqlite(file, { sync });
  } catch (error) {
    giveUp();
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`QUERN_DATA_DIR: ${file} cannot be opened (${why})`, { cause: error });
  }
}

/** Opens the hints between processes of a store; `db` is the open store at `place`. */
export async function openHints(place: StoreLocation, db: Db, clock: Clock): Promise<Hints> {
  if (place.kind === 'sqlite') return NO_HINTS;
  const { openPostgresHints } = await import('./postgres-hints.ts');
  return openPostgresHints({ url: place.url, db, clock });
}

/** Whether a database has the tables of a store. */
export async function hasStoreTables(url: string, clock: Clock): Promise<boolean> {
  return runOnServer(
    url,
    { report: ignoreIdleError, clock },
    async (db) => getSchemaVersion(await readAppliedMigrations(db, 'postgres')) > 0,
  );
}

/** Backs up a store of any schema version, whether or not a service is running on it. Throws `OperatorError`. */
export async function backUpStore(
  place: StoreLocation,
  file: string,
  { clock, ...options }: Omit<BackupOptions, 'code'> & ClockOption,
): Promise<BackupSummary> {
  const facts = { ...options, code: await loadKnownSchema() };
  if (place.kind === 'postgres') {
    return runOnServer(place.url, { report: ignoreIdleError, clock }, async (db) =>
      db.snapshot(async (view) => writeBackup({ view, kind: 'postgres' }, file, facts)),
    );
  }
  if (!existsSync(place.file))
    throw new OperatorError(`QUERN_DATA_DIR ${dirname(place.file)}: there is nothing to back up`);
  const db = openLockedSqlite(place);
  return db
    .snapshot(async (view) => writeBackup({ view, kind: 'sqlite' }, file, facts))
    .finally(async () => db.close());
}

/** Verifies a backup file and summarizes it; deletes a damaged one and throws `OperatorError`. */
export async function summarizeBackup(
  file: string,
  { progress, signal }: Pick<BackupOptions, 'progress' | 'signal'>,
): Promise<BackupSummary> {
  const handle = await openBackupFile(file);
  try {
    const { head, rows } = await openBackup(handle, await loadKnownSchema(), signal);
    const counts = Object.fromEntries(head.tables.map(({ name }) => [name, 0]));
    let read = 0;
    for await (const { table } of rows()) {
      counts[table] = (counts[table] ?? 0) + 1;
      progress((read += 1));
    }
    const { size } = await handle.stat();
    return { file, bytes: size, schema: head.schema, rows: counts, carries_secret: head.secret.key !== null };
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error;
    await rm(file, { force: true });
    throw new OperatorError(`${file}: is removed, because ${error.message}`, { cause: error });
  } finally {
    await handle.close();
  }
}

/** The time that all processes of a store share, ms: that of the PostgreSQL server, or of this machine. */
export async function readStoreTime(place: StoreLocation, clock: Clock): Promise<number> {
  if (place.kind === 'sqlite') return clock.now();
  return runOnServer(place.url, { report: ignoreIdleError, clock }, async (db) => readServerTime(db, clock));
}

/** Replaces the data of a store by a backup of any store. `aliveSince`: see `replacePostgres`. */
export async function restoreStore(
  place: StoreLocation,
  aliveSince: number,
  { clock, ...options }: Omit<RestoreOptions, 'code'> & ClockOption,
): Promise<RestoreResult> {
  const order = { ...options, code: await loadKnownSchema() };
  if (place.kind === 'sqlite') return restoreBackup(replaceSqlite(place.file, order), order);
  const { replacePostgres } = await import('./restore-postgres.ts');
  return runOnServer(place.url, { report: ignoreIdleError, clock }, async (db) =>
    restoreBackup(replacePostgres(db, aliveSince, order), order),
  );
}

/** Migrates a PostgreSQL database. If several processes start at once, one backs up and migrates while the others wait. */
async function migratePostgres(
  db: Db,
  { code, backups }: { readonly code: KnownSchema; readonly backups: MigrationBackupOptions },
): Promise<void> {
  const schema = getSchemaVersion(await readAppliedMigrations(db, 'postgres'));
  if (schema === 0 || schema >= getNewestVersion(code)) return migrate(db, code);
  return db.transaction(async (tx) => {
    await tx.query(LOCK_MIGRATIONS, [schema]);
    await backUpBeforeMigration(db, code, backups);
    // On other connections, each migration in its own transaction; this transaction only holds the lock.
    await migrate(db, code);
  });
}

type ServerOptions = Pick<OpenStoreOptions, 'report' | 'clock'>;

/** Runs work on a PostgreSQL server with long time limits. The driver is loaded here, so that SQLite does not need it. */
async function runOnServer<T>(url: string, opening: ServerOptions, work: (db: Db) => Promise<T>): Promise<T> {
  const { isServerError, openPostgres, PATIENT_LIMITS } = await import('./postgres.ts');
  const db = openPostgres(url, { ...PATIENT_LIMITS, ...opening });
  try {
    await assertServerVersion(db);
    return await work(db);
  } catch (error) {
    if (!(error instanceof StoreUnavailable) && !isServerError(error)) throw error;
    throw new OperatorError(`QUERN_DATABASE_URL: the database cannot be used (${error.message})`, { cause: error });
  } finally {
    await db.close();
  }
}

async function assertServerVersion(db: Db): Promise<void> {
  const version = readRow(ServerVersion, await db.query(SELECT_VERSION))?.version ?? 0;
  if (version >= MIN_POSTGRES_VERSION) return;
  throw new OperatorError(
    `QUERN_DATABASE_URL: PostgreSQL ${MIN_POSTGRES_VERSION} or newer is needed, and this is ${version}`,
  );
}

/** Ignores errors of idle connections: a statement on a broken connection reports its own error. */
function ignoreIdleError(): void {}
