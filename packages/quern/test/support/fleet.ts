import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CommandProcess } from '#demo/service.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { openPostgres } from '#store/postgres.ts';
import { PATIENT_LIMITS } from '#testkit/postgres.ts';
import { openSqlite } from '#store/sqlite.ts';
import { type RunningService, serveQuern, type Settings, workQuern } from './quern.ts';
import { withSchema } from './schema.ts';
import { ignore, inTemporaryFolder } from './store.ts';
import { openWatchedSite, type WatchedSite } from './watched-site.ts';

const START = '2026-11-21T12:00:00Z';
const TICK_MS = 100;
const LOOK_MS = 25;
const PATIENCE_MS = 120_000;

/** How time passes for the processes: in real time, or as the test sets it. */
export type Time = {
  /** Advances the time; real time passes by itself. */
  readonly skip: (ms: number) => void;
  /** Lets time pass faster than real time by this factor. */
  readonly run: (times: number) => void;
};

export type Fleet = {
  readonly site: WatchedSite;
  readonly folder: string;
  /** The settings of all processes of the fleet. */
  readonly settings: Settings;
  /** The PostgreSQL of the fleet; throws on the embedded store. */
  readonly url: () => string;
  readonly time: Time;
  /** Opens a service on the store of the fleet; on PostgreSQL several can run, each in its own folder. */
  readonly serve: (name: string, settings?: Settings) => Promise<RunningService>;
  /** Opens a worker on the PostgreSQL of the fleet. */
  readonly work: (name: string, settings?: Settings) => Promise<CommandProcess>;
  /** Reads the store from outside the processes. */
  readonly look: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
};

export type FleetOptions = {
  readonly kind: StoreKind;
  readonly time: 'rehearsed' | 'real';
  /** The response time of the site for a page. */
  readonly delayMs?: () => number;
  /** A separate PostgreSQL instead of the shared one. */
  readonly server?: string;
};

/** Real processes on one store, and a site for them to visit; all are removed after the work. */
export async function withFleet<T>(options: FleetOptions, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  const { kind, server } = options;
  return inTemporaryFolder(async (folder) => {
    if (kind === 'sqlite') return openFleet(options, { folder, url: null }, work);
    return withSchema(async (url) => openFleet(options, { folder, url }, work), server);
  });
}

type Place = { readonly folder: string; readonly url: string | null };

async function openFleet<T>(options: FleetOptions, { folder, url }: Place, work: (fleet: Fleet) => Promise<T>) {
  await using closing = new AsyncDisposableStack();
  const site = await openWatchedSite(options.delayMs ?? (() => 0));
  closing.defer(async () => site.close());
  const { time, settings } = options.time === 'real' ? realTime() : rehearsedTime(join(folder, 'clock'), closing);
  const common = {
    ...settings,
    QUERN_ALLOW_TARGETS: site.host,
    QUERN_LOG_LEVEL: 'error',
    ...(url === null ? {} : { QUERN_DATABASE_URL: url, QUERN_SECRET_KEY: randomBytes(32).toString('base64') }),
  };
  const db = url === null ? null : openPostgres(url, { ...PATIENT_LIMITS, clock: SYSTEM_CLOCK, report: ignore });
  if (db !== null) closing.defer(async () => db.close());

  async function toOwn(name: string): Promise<string> {
    const own = url === null ? folder : join(folder, name);
    await mkdir(own, { recursive: true });
    return own;
  }

  // Awaited here, so that nothing is removed before the work has ended.
  return await work({
    site,
    folder,
    settings: common,
    url() {
      if (url === null) throw new Error('the embedded store has no URL');
      return url;
    },
    time,
    serve: async (name, more = {}) => closing.use(await serveQuern(await toOwn(name), { ...common, ...more })),
    work: async (name, more = {}) => closing.use(await workQuern(await toOwn(name), { ...common, ...more })),
    async look(looking) {
      if (db !== null) return looking(db);
      const opened = openSqlite(join(folder, 'quern.db'), { sync: 'normal' });
      return looking(opened).finally(async () => opened.close());
    },
  });
}

function realTime(): { readonly time: Time; readonly settings: Settings } {
  return { time: { skip: ignore, run: ignore }, settings: {} };
}

function rehearsedTime(
  file: string,
  closing: AsyncDisposableStack,
): { readonly time: Time; readonly settings: Settings } {
  let now = Date.parse(START);
  let running: NodeJS.Timeout | undefined;

  function set(ms: number): void {
    now += ms;
    // A starting process must not read a partially written file.
    writeFileSync(`${file}.next`, new Date(now).toISOString());
    renameSync(`${file}.next`, file);
  }

  set(0);
  closing.defer(() => clearInterval(running));
  const time: Time = {
    skip: set,
    run(times) {
      clearInterval(running);
      running = setInterval(() => set(TICK_MS * times), TICK_MS);
    },
  };
  return { time, settings: { QUERN_CLOCK_FILE: file } };
}

/** Polls until the condition holds. */
export async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const last = performance.now() + PATIENCE_MS;
  while (!(await look())) {
    if (performance.now() > last) throw new Error(`after ${PATIENCE_MS} ms still not: ${what}`);
    await wait(LOOK_MS);
  }
}

/** Whether a statement returns no rows. */
export async function isEmpty({ look }: Fleet, sql: string): Promise<boolean> {
  return look(async (db) => (await db.query(sql)).length === 0);
}
