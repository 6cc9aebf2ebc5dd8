import { z } from 'zod';
import { openEngine } from '#compose/engine.ts';
import { openStore } from '#compose/store.ts';
import { createNotifications } from '#engine/jobs/job-notifications.ts';
import { generalMonitors } from '#features/monitors/monitor-sets.ts';
import { Ticks } from '#features/monitors/run/ticks.ts';
import { NextRunCalculator } from '#features/monitors/schedule/next-run.ts';
import { computeJitter } from '#features/monitors/schedule/timing.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import { ignoreEvents } from '#kernel/events.ts';
import { newId } from '#kernel/ids.ts';
import { createSealer } from '#kernel/sealer.ts';
import type { Db } from '#store/db.ts';
import { NO_HINTS } from '#store/hints.ts';

const TENANTS = 8;
const HOUR_MS = 3_600_000;
/** Time before the full hour at which the benchmark begins. */
const LEAD_TIME_MS = 3000;
const Made = z.object({ id: z.string() });

/** The engine, guard and SQLite store of a service, with a clock shortly before a full hour. */
export async function createBench(folder: string, origin: string) {
  const { config, artifacts } = loadConfig(
    { QUERN_DATA_DIR: folder, QUERN_ALLOW_TARGETS: new URL(origin).host, QUERN_CHROMIUM: 'off' },
    null,
  );
  const notices = { report: console.error, onSlow: () => undefined, note: console.error };
  const opened = await openStore({ config, artifacts }, notices);
  const hour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  let ahead = hour - LEAD_TIME_MS - Date.now();
  const store = { ...opened, storeClock: { ...SYSTEM_CLOCK, now: (): number => Date.now() + ahead } };
  const engine = await openEngine(config, store, {
    processId: 'bench',
    own: () => [],
    observe: ignoreEvents,
    artifacts,
    settings: [],
    findBrowsers: () => null,
    report: (message, facts) => console.error(message, facts),
    reportText: (message, facts) => console.error(message, facts),
  });
  const tenants: string[] = [];
  for (let at = 0; at < TENANTS; at += 1) {
    tenants.push(await store.registry.tenants.create(`bench ${at}`, 'unlimited'));
  }

  return {
    ...engine,
    db: store.db,
    tenants,
    clock: store.storeClock,
    slots: config.QUERN_JOB_SLOTS,
    hour,
    /** Sets the clock back to shortly before the hour, because seeding took time. */
    rewind: (): void => void (ahead = hour - LEAD_TIME_MS - Date.now()),
    /** Creates an inactive template monitor with a webhook; returns its id. */
    async model(): Promise<string> {
      const [tenant = ''] = tenants;
      const body = {
        url: `${origin}/rye`,
        extract: { price: { json_path: '$.price', type: 'number' } },
        watch: { notify_on_first_run: true },
        cron: '0 * * * *',
        active: false,
        webhook: `${origin}/hook`,
      };
      const answer = await engine.perform(generalMonitors.operations.create, body, {
        caller: { tenant, keyId: 'bench', plan: opened.plans.unlimited },
        requestId: newId('req', store.storeClock.now()),
        signal: new AbortController().signal,
        idempotencyKey: null,
        lastEventId: null,
        lease: null,
      });
      return Made.parse(answer.body).id;
    },
    async end(): Promise<void> {
      await engine.close();
      await store.db.close();
    },
  };
}

export type MonitorBench = Awaited<ReturnType<typeof createBench>>;

const COPY_MONITORS = `insert into monitors (id, tenant_id, kind, name, operation, body, input, watch, metadata, cron, timezone,
    active, next_run_at, due_at, ticks_per_month, run_credits, created_at, updated_at)
  select json_extract(b.value, '$[0]'), json_extract(b.value, '$[1]'), kind, name, operation, body, input, watch,
    metadata, json_extract(b.value, '$[2]'), timezone, 1, json_extract(b.value, '$[3]'), json_extract(b.value, '$[4]'),
    ticks_per_month, run_credits, created_at, updated_at
  from json_each($2) as b join monitors on monitors.id = $1`;
const COPY_WEBHOOKS = `insert into webhooks (owner_id, tenant_id, url, endpoint, sealed, events, created_at)
  select json_extract(b.value, '$[0]'), json_extract(b.value, '$[1]'), url, endpoint, sealed, events, created_at
  from json_each($2) as b join webhooks on owner_id = $1`;

const ROWS_PER_STATEMENT = 1000;

type MonitorSeed = {
  /** Id of the inactive template monitor. */
  readonly model: string;
  readonly tenants: readonly string[];
  readonly count: number;
  readonly cron: string;
  readonly intervalMs: number;
  /** Time of the next tick, in ms. */
  readonly tick: number;
};

/** Creates active monitors with the given next tick, each with its own jitter. */
export async function seedMonitors(
  db: Db,
  { model, tenants, count, cron, intervalMs, tick }: MonitorSeed,
): Promise<void> {
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const cells = Array.from({ length: Math.min(ROWS_PER_STATEMENT, count - from) }, (_, at) => {
      const id = newId('mon', tick);
      return [id, tenants[(from + at) % tenants.length] ?? '', cron, tick, tick + computeJitter(id, intervalMs)];
    });
    await db.transaction(async (tx) => {
      await tx.query(COPY_MONITORS, [model, JSON.stringify(cells)]);
      await tx.query(COPY_WEBHOOKS, [model, JSON.stringify(cells)]);
    });
  }
}

const DAY_MS = 86_400_000;
const SET_DUE = 1000;
const IDLE_CHECKS = 2000;

type GrowthReading = { readonly monitors: number; readonly tickMs: number; readonly lookMs: number };

/** CPU time of a due tick (of a thousand) and of a check without due ticks, with this many monitors. */
export async function measureGrowth(bench: MonitorBench, model: string, monitors: number): Promise<GrowthReading> {
  const { db, hour, tenants } = bench;
  await db.query('delete from monitors where id <> $1', [model]);
  const common = { model, tenants, cron: '0 0 * * *', intervalMs: 0 };
  await seedMonitors(db, { ...common, count: SET_DUE, tick: hour });
  await seedMonitors(db, { ...common, count: monitors - SET_DUE, tick: hour + DAY_MS });
  const ticks = new Ticks({
    db,
    clock: { ...SYSTEM_CLOCK, now: () => hour + 1 },
    random: Math.random,
    sealer: createSealer(new Uint8Array(32), 'bench'),
    notifications: createNotifications(NO_HINTS, SYSTEM_CLOCK),
    nextRuns: new NextRunCalculator(),
  });
  const tickMs = await measureCpuMs(async () => {
    while ((await ticks.tick()).due > 0);
  });
  const lookMs = await measureCpuMs(async () => {
    for (let look = 0; look < IDLE_CHECKS; look += 1) await ticks.tick();
  });
  await db.query('delete from jobs');
  await db.query('delete from monitor_runs');
  return { monitors, tickMs: tickMs / SET_DUE, lookMs: lookMs / IDLE_CHECKS };
}

/** CPU time of the process for some work, in ms. */
async function measureCpuMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
