import { join } from 'node:path';
import { buildKeys } from '#engine/keys.ts';
import { loadPlans } from '#engine/plans.ts';
import { buildTenants } from '#engine/tenants.ts';
import { openClockFile, systemClock } from '#kernel/clock-file.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { prepareDataDir } from '#kernel/data-dir.ts';
import { openMigrated } from '#store/open.ts';
import type { Place } from '#store/open.ts';
import type { Registry } from '#transports/cli/keys.ts';

/** The store with what reads and writes it; every command that touches data opens one. */
export type Store = Awaited<ReturnType<typeof openStore>>;

/** `report` is told of connections that break while nobody waits for them. */
export async function openStore(config: Config, report: (error: unknown) => void) {
  prepareDataDir(config.QUERN_DATA_DIR);
  const plans = loadPlans(config.QUERN_PLANS_FILE ?? null);
  const clock = openClock(config);
  const db = await openMigrated(placeOf(config), report);
  const registry: Registry = { keys: buildKeys({ db, clock, plans }), tenants: buildTenants({ db, clock }) };
  return { db, clock, plans, registry };
}

export function placeOf({ QUERN_DATABASE_URL: url, QUERN_DATA_DIR: folder, QUERN_SQLITE_SYNC: sync }: Config): Place {
  return url === undefined ? { kind: 'sqlite', file: join(folder, 'quern.db'), sync } : { kind: 'postgres', url };
}

/** Where everything is kept, in words and without a password. */
export function describePlace({ QUERN_DATABASE_URL: text, QUERN_DATA_DIR: folder }: Config): string {
  if (text === undefined) return `SQLite in ${folder}`;
  const { host, pathname } = new URL(text);
  return `PostgreSQL at ${host}${pathname}`;
}

/** The time of the machine, or of the file that the settings name. */
export function openClock({ QUERN_CLOCK_FILE: file }: Config): Clock {
  return file === undefined ? systemClock : openClockFile(file);
}
