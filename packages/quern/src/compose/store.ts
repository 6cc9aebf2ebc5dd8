import { join, resolve } from 'node:path';
import { ConsoleSessions } from '#engine/identity/console-sessions.ts';
import { Keys } from '#engine/identity/keys.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { createFileClock, type Clock, SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Config, LoadedConfig } from '#kernel/config.ts';
import { loadSecret, createDataDir } from '#kernel/data-dir.ts';
import type { ReadObject, BackupSecret } from '#store/backup.ts';
import { OBJECT_LIMITS, openObjectStore } from '#store/objects.ts';
import type { Db } from '#store/db.ts';
import { openMigratedStore, type StoreLocation } from '#store/open-store.ts';
import { createMeasuredDb } from '#store/measured-db.ts';
import { FreeSpaceCheck } from '#store/free-space.ts';
import { createServerClock } from '#store/server-clock.ts';
import type { StartRetry } from './start-retry.ts';

/** An open store with its clock, plans, keys and tenants; every command that touches data opens one. */
export type Store = Awaited<ReturnType<typeof openStore>>;

/** The settings for opening a store. */
export type StoreSettings = Pick<LoadedConfig, 'config' | 'artifacts'>;

/** Receivers of notices of an open store that do not belong to a call. */
export type StoreNotices = {
  /** Receives the errors of idle connections that break. */
  readonly report: (error: unknown) => void;
  /** Receives each slow store call: its statement without values, and ms. */
  readonly onSlow: (what: string, ms: number) => void;
  /** Receives a line about a backup before a migration. */
  readonly note: (line: string) => void;
};

export async function openStore({ config, artifacts }: StoreSettings, { report, note, onSlow }: StoreNotices) {
  createDataDir(config.QUERN_DATA_DIR);
  const plans = loadPlans(config.QUERN_PLANS_FILE ?? null);
  const local = openClock(config);
  const backups = {
    dataDir: config.QUERN_DATA_DIR,
    secret: () => getBackupSecret(config),
    // Without objects of a bucket: a migration does not change them, and they may exceed the disk.
    openObjects: async () => (artifacts.kind === 'folder' ? openObjectReader({ config, artifacts }) : null),
    now: local.now,
    note,
  };
  const place = toStorePlace(config);
  const opened = await withSharedClock(await openMigratedStore(place, { report, clock: local, backups }));
  const { wallClock } = opened;
  const { db, metrics, failures } = createMeasuredDb(opened.db, SYSTEM_CLOCK, onSlow);
  const folders = [
    ...(place.kind === 'sqlite' ? [config.QUERN_DATA_DIR] : []),
    ...(artifacts.kind === 'folder' ? [resolve(artifacts.folder)] : []),
  ];
  const room = new FreeSpaceCheck({ db, folders, failures, clock: SYSTEM_CLOCK });
  const storeClock = config.QUERN_CLOCK_FILE === undefined ? wallClock : local;
  const keys = new Keys({ db, clock: storeClock, plans });
  const consoleSessions = new ConsoleSessions({ db, clock: storeClock, plans, noteUse: keys.recordUse });
  const registry = { keys, consoleSessions, tenants: new Tenants({ db, clock: storeClock }), plans };
  return { db, storeClock, wallClock, plans, registry, metrics, room };
}

/** Writes a row unchanged. */
const TEST_WRITE = 'update migrations set quern = quern where version = 1';

/** Opens the store for a long-running process, which waits while the store is unavailable or read-only. */
export async function openWritable(
  settled: StoreSettings,
  notices: StoreNotices,
  patiently: StartRetry,
): Promise<Store> {
  const store = await patiently(async () => openStore(settled, notices));
  try {
    await patiently(async () => store.db.query(TEST_WRITE));
    return store;
  } catch (error) {
    await store.db.close();
    throw error;
  }
}

/**
 * A store with the clock that all its processes share and that no clock file sets: that of the server, or of the machine
 * if there is no server.
 */
async function withSharedClock(db: Db): Promise<{ readonly db: Db; readonly wallClock: Clock }> {
  if (db.kind === 'sqlite') return { db, wallClock: SYSTEM_CLOCK };
  const wallClock = await createServerClock(db, SYSTEM_CLOCK).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  return {
    wallClock,
    db: {
      ...db,
      async close() {
        wallClock.close();
        await db.close();
      },
    },
  };
}

export function toStorePlace({
  QUERN_DATABASE_URL: url,
  QUERN_DATA_DIR: folder,
  QUERN_SQLITE_SYNC: sync,
}: Config): StoreLocation {
  return url === undefined ? { kind: 'sqlite', file: join(folder, 'quern.db'), sync } : { kind: 'postgres', url };
}

/** Reads the objects that rows refer to; null if large results are stored in the rows. */
export async function openObjectReader({ config, artifacts }: StoreSettings): Promise<ReadObject | null> {
  return (
    (
      await openObjectStore(artifacts, {
        sync: config.QUERN_SQLITE_SYNC,
        callMs: OBJECT_LIMITS.callMs,
        deleteAllMs: OBJECT_LIMITS.deleteAllMs,
        clock: SYSTEM_CLOCK,
      })
    )?.read ?? null
  );
}

/** The secret for a backup; a secret from a setting is not included. */
export function getBackupSecret({ QUERN_DATA_DIR: folder, QUERN_SECRET_KEY: setting }: Config): BackupSecret {
  return { bytes: loadSecret(folder, setting), included: setting === undefined };
}

/** Describes where the store is, without a password. */
export function describePlace({ QUERN_DATABASE_URL: text, QUERN_DATA_DIR: folder }: Config): string {
  if (text === undefined) return `SQLite in ${folder}`;
  const { host, pathname } = new URL(text);
  return `PostgreSQL at ${host}${pathname}`;
}

/** The time of the machine, or of the file that the settings name. */
export function openClock({ QUERN_CLOCK_FILE: file }: Config): Clock {
  return file === undefined ? SYSTEM_CLOCK : createFileClock(file, SYSTEM_CLOCK);
}
