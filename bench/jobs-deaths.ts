import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openService, openWorker, type Service } from '#demo/service.ts';
import { openMigrated } from '#store/open.ts';
import { readRow } from '#store/rows.ts';
import { openSite } from '#testkit/servers.ts';
import { toOpening } from './opening.ts';

/** Where a service keeps its data: a folder, and a PostgreSQL unless the folder has it all. */
export type Home = { readonly folder: string; readonly url: string | null };

const KEY = `qk_${'mill'.repeat(8)}`;
const FINISHED = 100_000;
const BATCH = 5_000;
const DAY_MS = 24 * 3600 * 1000;
const CALL_MS = 10_000;
/** Several processes open what one of them has sealed. */
const SECRET = Buffer.alloc(32, 'mill').toString('base64');

/** One row for each number from `$1` on, so many as `$2` says, all ended and kept for a day more. */
const SEED = `with recursive numbers (n) as (
    select cast($1 as bigint) union all select n + 1 from numbers where n + 1 < cast($1 as bigint) + cast($2 as bigint))
  insert into jobs (id, tenant_id, request_id, kind, status, attempt, created_at, started_at, finished_at, expires_at,
    due_at, discovered, completed, total)
  select 'job_' || (1000000 + n), $3, 'req_' || n, 'fetch', 'completed', 1, cast($4 as bigint), cast($4 as bigint),
    cast($4 as bigint), cast($5 as bigint), cast($4 as bigint), 1, 1, 1 from numbers`;
const TENANT = 'select id from tenants limit 1';
const Tenant = z.object({ id: z.string() });

/** From the start of a service, killed before with 100,000 finished jobs in its store, to its first 200 of `/readyz`; ms. */
export async function measureRestart(home: Home): Promise<number> {
  const first = await open(home);
  await first.close();
  await seed(home);
  const second = await open(home);
  await kill(second);
  const third = await open(home);
  await kill(third);
  return third.readyMs;
}

/** From the kill -9 of a worker in the middle of a job to the moment when another begins the job again; ms. */
export async function measureDeadWorker(home: Home): Promise<number> {
  const begun = [Promise.withResolvers<number>(), Promise.withResolvers<number>()] as const;
  let requests = 0;
  // It never answers, so the job is in hand until its worker is killed.
  await using site = await openSite(() => {
    begun[requests === 0 ? 0 : 1].resolve(performance.now());
    requests += 1;
  });
  const settings = { ...settingsOf(home), QUERN_ALLOW_TARGETS: new URL(site.origin).host };
  const at = (name: string): string => prepare(join(home.folder, name));
  const service = await openService({ dataDir: at('serve'), settings: { ...settings, QUERN_JOB_SLOTS: '0' } });
  const first = await openWorker({ dataDir: at('first'), settings });
  const second = await submit(service, site.origin)
    .then(async () => begun[0].promise)
    .then(async () => openWorker({ dataDir: at('second'), settings }));
  const killed = performance.now();
  await kill(first);
  const again = await begun[1].promise;
  await Promise.all([kill(second), kill(service)]);
  return again - killed;
}

async function submit(service: Service, url: string): Promise<void> {
  const answer = await fetch(`${service.origin}/v1/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'fetch', input: { url } }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  if (answer.status !== 202) throw new Error(`the job was answered ${answer.status}: ${await answer.text()}`);
}

/** Writes the finished jobs straight into the store. */
async function seed(home: Home): Promise<void> {
  const file = join(home.folder, 'quern.db');
  const place = home.url === null ? ({ kind: 'sqlite', file, sync: 'normal' } as const) : toServer(home.url);
  const db = await openMigrated(place, toOpening(home.folder));
  const tenant = readRow(Tenant, await db.query(TENANT))?.id ?? '';
  const now = Date.now();
  for (let from = 0; from < FINISHED; from += BATCH) await db.query(SEED, [from, BATCH, tenant, now, now + DAY_MS]);
  await db.close();
}

function toServer(url: string) {
  return { kind: 'postgres', url } as const;
}

async function open(home: Home): Promise<Service> {
  return openService({ dataDir: prepare(home.folder), settings: settingsOf(home) });
}

function settingsOf({ url }: Home): Readonly<Record<string, string>> {
  const common = { QUERN_BOOTSTRAP_KEY: KEY, QUERN_SECRET_KEY: SECRET, QUERN_CHROMIUM: 'off' };
  return url === null ? common : { ...common, QUERN_DATABASE_URL: url };
}

function prepare(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function kill({ signal, ended }: Pick<Service, 'signal' | 'ended'>): Promise<void> {
  signal('SIGKILL');
  await ended;
}
