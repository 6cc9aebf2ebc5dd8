/** Jobs per second on both stores, compared with two job queues on the same PostgreSQL, and recovery time after a crash. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Client } from 'pg';
import { z } from 'zod';
import { startService, startWorker, type ServiceProcess } from '#demo/service.ts';
import { openMigratedStore } from '#store/open-store.ts';
import { readRow } from '#store/rows.ts';
import { startPostgres } from '#testkit/postgres.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { computeMedian } from './processes.ts';
import { buildStoreOptions } from './store.ts';
import { CONCURRENCY, CONNECTIONS, type JobRates, SETTINGS, type ToolName, TOOLS } from './jobs-settings.ts';

const KEY = `qk_${'mill'.repeat(8)}`;

const FINISHED_JOBS = 100_000;

const BATCH = 5_000;

const DAY_MS = 24 * 3600 * 1000;

const CALL_TIMEOUT_MS = 10_000;

/** The secret key, because several processes decrypt the data of one of them. */
const SECRET = Buffer.alloc(32, 'mill').toString('base64');

/** Inserts `$2` ended jobs, numbered from `$1`, which expire in a day. */
const SEED_JOBS = `with recursive numbers (n) as (
    select cast($1 as bigint) union all select n + 1 from numbers where n + 1 < cast($1 as bigint) + cast($2 as bigint))
  insert into jobs (id, tenant_id, request_id, kind, status, attempt, created_at, started_at, finished_at, expires_at,
    due_at, discovered, completed, total)
  select 'job_' || (1000000 + n), $3, 'req_' || n, 'fetch', 'completed', 1, cast($4 as bigint), cast($4 as bigint),
    cast($4 as bigint), cast($5 as bigint), cast($4 as bigint), 1, 1, 1 from numbers`;

const SELECT_TENANT = 'select id from tenants limit 1';

const Tenant = z.object({ id: z.string() });

const ROUND_TIMEOUT_MS = 60_000;
/** The transitions of a job: submitted, started and ended. */
const TRANSITIONS_PER_JOB = 3;
const Printed = z.object({ submit: z.number(), work: z.number(), both: z.number() });

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '3000' }, rounds: { type: 'string', default: '3' } },
});
const jobs = Number(values.jobs);
const rounds = Number(values.rounds);
if (!(jobs >= 1 && rounds >= 1)) throw new Error('--jobs and --rounds take a positive number');

const benchFolder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
process.once('exit', () => rmSync(benchFolder, { recursive: true, force: true }));
const server = await startPostgres('as installed');
try {
  const rates = await measureRates();
  printProgress('a start after kill -9 with 100,000 finished jobs');
  const restarts = {
    SQLite: await measureRestart({ folder: join(benchFolder, 'restart'), url: null }),
    PostgreSQL: await measureRestart({ folder: join(benchFolder, 'restart-pg'), url: await createDatabase('restart') }),
  };
  printProgress('a worker that dies with a job in hand');
  const rerunMs = await measureDeadWorker({ folder: join(benchFolder, 'dead'), url: await createDatabase('dead') });
  printTables(rates, restarts, rerunMs);
} finally {
  await server.stop();
}

/** Runs the tools in turn, each on its own database that is new in each round; returns the medians of the rounds. */
async function measureRates(): Promise<ReadonlyMap<ToolName, JobRates>> {
  const measured = new Map<ToolName, JobRates[]>(TOOLS.map((tool) => [tool, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [at, tool] of TOOLS.entries()) {
      printProgress(`round ${round} of ${rounds}: ${tool}`);
      measured.get(tool)?.push(await runTool(tool, `round_${round}_${at}`));
    }
  }
  return new Map([...measured].map(([tool, list]) => [tool, computeMedians(list)]));
}

function computeMedians(list: readonly JobRates[]): JobRates {
  return {
    submit: computeMedian(list.map(({ submit }) => submit)),
    work: computeMedian(list.map(({ work }) => work)),
    both: computeMedian(list.map(({ both }) => both)),
  };
}

async function runTool(tool: ToolName, name: string): Promise<JobRates> {
  const url = await createDatabase(name);
  const place = mkdtempSync(join(benchFolder, 'round-'));
  const order = JSON.stringify({ tool, folder: place, url, jobs });
  const command = [...process.execArgv, join(import.meta.dirname, 'jobs-tool.ts'), order];
  const { stdout } = await promisify(execFile)(process.execPath, command, { timeout: ROUND_TIMEOUT_MS });
  rmSync(place, { recursive: true });
  await runSql(`drop database ${name} with (force)`);
  return Printed.parse(JSON.parse(stdout));
}

async function createDatabase(name: string): Promise<string> {
  await runSql(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = name;
  return url.href;
}

async function runSql(sql: string): Promise<void> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function printTables(
  rates: ReadonlyMap<ToolName, JobRates>,
  restarts: Readonly<Record<string, number>>,
  rerunMs: number,
): void {
  const ours = rates.get('quern, PostgreSQL');
  const embedded = rates.get('quern, SQLite');
  if (ours === undefined || embedded === undefined) throw new Error('nothing was measured');
  printLine(
    `\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, medians of ${rounds} rounds of`,
  );
  printLine(`${jobs} jobs, ${CONCURRENCY} submissions in flight, ${CONNECTIONS} connections, fsync on\n`);
  printLine('| jobs a second | submitted | worked off | both | both, against Quern on PostgreSQL | settings |');
  printLine('|---|---|---|---|---|---|');
  for (const [tool, { submit, work, both }] of rates) {
    const figures = [submit, work, both].map((rate) => rate.toFixed(0)).join(' | ');
    printLine(`| ${tool} | ${figures} | ${(both / ours.both).toFixed(2)} | ${SETTINGS[tool]} |`);
  }
  const peers = [...rates].filter(([tool]) => tool === 'pg-boss' || tool === 'graphile-worker');
  const faster = (part: keyof JobRates): number => Math.max(...peers.map(([, peer]) => peer[part]));
  printLine('\n| | measured | goal |\n|---|---|---|');
  printLine(`| transitions a second on SQLite | ${(embedded.both * TRANSITIONS_PER_JOB).toFixed(0)} | ≥ 1,000 |`);
  for (const part of ['submit', 'work', 'both'] as const) {
    const ratio = (ours[part] / faster(part)).toFixed(2);
    printLine(`| ${part}: PostgreSQL, against the faster of pg-boss and graphile-worker | ${ratio} | ≥ 1.0 |`);
  }
  for (const [store, ms] of Object.entries(restarts)) {
    printLine(`| kill -9 with 100,000 finished jobs to ready, ${store} | ${ms.toFixed(0)} ms | ≤ 2,000 ms |`);
  }
  printLine(`| a dead worker's job started again | ${(rerunMs / 1000).toFixed(1)} s | ≤ 35 s |`);
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printProgress(text: string): void {
  process.stderr.write(`${text} …\n`);
}

/** Where a service stores its data: a folder, and PostgreSQL unless everything is in the folder. */
type ServiceHome = { readonly folder: string; readonly url: string | null };

/** Time from the start of a killed service with 100,000 finished jobs in its store to its first 200 of `/readyz`, ms. */
async function measureRestart(home: ServiceHome): Promise<number> {
  const first = await startJobService(home);
  await first.close();
  await seedJobs(home);
  const second = await startJobService(home);
  await killService(second);
  const third = await startJobService(home);
  await killService(third);
  return third.readyMs;
}

/** Time from the kill -9 of a worker in the middle of a job until another worker starts the job again, ms. */
async function measureDeadWorker(home: ServiceHome): Promise<number> {
  const begun = [Promise.withResolvers<number>(), Promise.withResolvers<number>()] as const;
  let requests = 0;
  // It never responds, so the job runs until its worker is killed.
  await using site = await startHttpServer(() => {
    begun[requests === 0 ? 0 : 1].resolve(performance.now());
    requests += 1;
  });
  const settings = { ...buildSettings(home), QUERN_ALLOW_TARGETS: new URL(site.origin).host };
  const at = (name: string): string => createFolder(join(home.folder, name));
  const service = await startService({ dataDir: at('serve'), settings: { ...settings, QUERN_JOB_SLOTS: '0' } });
  const first = await startWorker({ dataDir: at('first'), settings });
  const second = await submitJob(service, site.origin)
    .then(async () => begun[0].promise)
    .then(async () => startWorker({ dataDir: at('second'), settings }));
  const killed = performance.now();
  await killService(first);
  const again = await begun[1].promise;
  await Promise.all([killService(second), killService(service)]);
  return again - killed;
}

async function submitJob(service: ServiceProcess, url: string): Promise<void> {
  const answer = await fetch(`${service.origin}/v1/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'fetch', input: { url } }),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (answer.status !== 202) throw new Error(`the job was answered ${answer.status}: ${await answer.text()}`);
}

/** Writes the finished jobs directly into the store. */
async function seedJobs(home: ServiceHome): Promise<void> {
  const file = join(home.folder, 'quern.db');
  const place = home.url === null ? ({ kind: 'sqlite', file, sync: 'normal' } as const) : toServerPlace(home.url);
  const db = await openMigratedStore(place, buildStoreOptions(home.folder));
  const tenant = readRow(Tenant, await db.query(SELECT_TENANT))?.id ?? '';
  const now = Date.now();
  for (let from = 0; from < FINISHED_JOBS; from += BATCH)
    await db.query(SEED_JOBS, [from, BATCH, tenant, now, now + DAY_MS]);
  await db.close();
}

function toServerPlace(url: string) {
  return { kind: 'postgres', url } as const;
}

async function startJobService(home: ServiceHome): Promise<ServiceProcess> {
  return startService({ dataDir: createFolder(home.folder), settings: buildSettings(home) });
}

function buildSettings({ url }: ServiceHome): Readonly<Record<string, string>> {
  const common = { QUERN_BOOTSTRAP_KEY: KEY, QUERN_SECRET_KEY: SECRET, QUERN_CHROMIUM: 'off' };
  return url === null ? common : { ...common, QUERN_DATABASE_URL: url };
}

function createFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function killService({ signal, ended }: Pick<ServiceProcess, 'signal' | 'ended'>): Promise<void> {
  signal('SIGKILL');
  await ended;
}
