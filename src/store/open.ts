import { z } from 'zod';
import { StoreUnavailable } from './db.ts';
import type { Db } from './db.ts';
import { NO_HINTS } from './hints.ts';
import type { Hints } from './hints.ts';
import { migrate } from './migrate.ts';
import { readRow } from './rows.ts';
import { openSqlite } from './sqlite.ts';
import type { SqliteOptions } from './sqlite.ts';

/** Where everything is kept. */
export type Place =
  | { readonly kind: 'sqlite'; readonly file: string; readonly sync: SqliteOptions['sync'] }
  | { readonly kind: 'postgres'; readonly url: string };

const OLDEST_POSTGRES = 15;
const VERSION = "select current_setting('server_version_num') as version";
const Version = z.object({ version: z.string().transform((text) => Math.floor(Number(text) / 10_000)) });

/**
 * Opens the store and brings its schema up to date. Throws an Error of one line where that cannot be. `report` is told of
 * what goes wrong while nobody waits for it.
 */
export async function openMigrated(place: Place, report: (error: unknown) => void): Promise<Db> {
  if (place.kind === 'postgres') return openServer(place.url, report);
  const db = openSqlite(place.file, { sync: place.sync });
  await migrate(db);
  return db;
}

/** Opens the way on which the processes of one store tell each other what changed; `db` is the store at that place. */
export async function openHints(place: Place, db: Db): Promise<Hints> {
  if (place.kind === 'sqlite') return NO_HINTS;
  const { openPostgresHints } = await import('./postgres-hints.ts');
  return openPostgresHints(place.url, db);
}

async function openServer(url: string, report: (error: unknown) => void): Promise<Db> {
  // Who keeps everything in SQLite does not load the driver.
  const { isOfServer, MIGRATION_LIMITS, openPostgres, POSTGRES_LIMITS } = await import('./postgres.ts');
  const patient = openPostgres(url, { ...MIGRATION_LIMITS, report });
  try {
    await refuseOld(patient);
    await migrate(patient);
  } catch (error) {
    if (!(error instanceof StoreUnavailable) && !isOfServer(error)) throw error;
    throw new Error(`QUERN_DATABASE_URL: the database cannot be used (${error.message})`, { cause: error });
  } finally {
    await patient.close();
  }
  return openPostgres(url, { ...POSTGRES_LIMITS, report });
}

async function refuseOld(db: Db): Promise<void> {
  const found = readRow(Version, await db.query(VERSION))?.version ?? 0;
  if (found >= OLDEST_POSTGRES) return;
  throw new Error(`QUERN_DATABASE_URL: PostgreSQL ${OLDEST_POSTGRES} or newer is needed, and this is ${found}`);
}
