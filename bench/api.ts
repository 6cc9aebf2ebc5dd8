import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { startService, type ServiceProcess } from '#demo/service.ts';
import { RequestLog } from '#engine/call/request-log.ts';
import { Billing } from '#engine/credits/billing.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { Keys } from '#engine/identity/keys.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { SYSTEM_CLOCK, toTimestamp } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { migrate } from '#store/migrate.ts';
import { openSqlite } from '#store/sqlite.ts';
import { readFootprint, type Load, computeMedian, startServerProcess, runLoad, type LoadTarget } from './processes.ts';

const CONNECTIONS = 32;
const STARTS = 3;
const IDLE_SECONDS = 60;
const HOSTILE_MS = 120_000;
const KEY = `qk_${'mill'.repeat(8)}`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    idle: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
if (!(seconds > 0 && rounds >= 1)) throw new Error('--seconds and --rounds take a positive number');

const dataDir = mkdtempSync(join(tmpdir(), 'quern-bench-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const origin = await startServerProcess('origin.ts');
const bare = await startServerProcess('bare.ts');
const tableLines: (readonly [string, string, string])[] = [];

const readyMs = await measureStarts();
const service = await startApiService();
// The garbage of a start is collected a second after it.
await wait(3000);
const memory = formatMemory();
if (values.idle) await measureIdle(service);
tableLines.push(['start to ready, warm', `${readyMs.toFixed(0)} ms`, '≤ 1,000 ms']);
tableLines.push(['resident memory before the first fetch', memory, '≤ 130 MiB']);
const rate = await measureRates();
tableLines.push(['resident memory after the load', formatMemory(), '≤ 260 MiB']);
await measureHostile(rate);
tableLines.push(['— and after the hostile page', formatMemory(), '']);
printProgress(`idle for ${IDLE_SECONDS} s`);
await wait(IDLE_SECONDS * 1000);
tableLines.push(['— and a minute later', formatMemory(), '≤ 350 MiB']);
await service.close();
await Promise.all([origin.close(), bare.close()]);
printProgress('credits');
for (const width of [CONNECTIONS, 1]) {
  const credits = await measureCredits(width);
  tableLines.push([
    `CPU of key, plan, reserve and settle, ${width} in flight`,
    `${credits.toFixed(3)} ms a call`,
    '≤ 0.15 ms',
  ]);
}

process.stdout.write(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, `);
process.stdout.write(`${rounds} rounds of ${seconds} s, ${CONNECTIONS} in flight\n\n`);
process.stdout.write('| | measured | goal |\n|---|---|---|\n');
for (const [name, measured, goal] of tableLines) process.stdout.write(`| ${name} | ${measured} | ${goal} |\n`);

async function startApiService(): Promise<ServiceProcess> {
  return startService({
    dataDir,
    settings: {
      QUERN_ALLOW_TARGETS: new URL(origin.origin).host,
      QUERN_BOOTSTRAP_KEY: KEY,
      QUERN_LOG_LEVEL: 'warn',
      QUERN_CHROMIUM: 'off',
    },
  });
}

/** Median start time on existing data; the first start creates the data and is not counted. */
async function measureStarts(): Promise<number> {
  const times: number[] = [];
  for (let attempt = 0; attempt <= STARTS; attempt++) {
    const started = await startApiService();
    if (attempt > 0) times.push(started.readyMs);
    await started.close();
  }
  return computeMedian(times);
}

async function measureIdle(idle: ServiceProcess): Promise<void> {
  printProgress(`idle for ${IDLE_SECONDS} s`);
  const before = readFootprint(idle.pid);
  await wait(IDLE_SECONDS * 1000);
  const share = (readFootprint(idle.pid).cpuSeconds - before.cpuSeconds) / IDLE_SECONDS;
  tableLines.push([`CPU over ${IDLE_SECONDS} s idle`, `${(share * 100).toFixed(2)} % of a core`, '≤ 0.2 %']);
}

/** Runs the loads in turn; returns the median rate of `POST /v1/fetch`. */
async function measureRates(): Promise<number> {
  const page: LoadTarget = { url: `${origin.origin}/`, method: 'GET', headers: {}, body: null };
  const route: LoadTarget = { url: `${bare.origin}/`, method: 'GET', headers: {}, body: null };
  const call = buildFetchTarget(`${origin.origin}/`);
  const options = { connections: CONNECTIONS, seconds };
  const loads: { readonly page: Load; readonly call: Load; readonly route: Load }[] = [];
  for (let round = 1; round <= rounds; round++) {
    printProgress(`round ${round} of ${rounds}`);
    loads.push({
      page: await runLoad(page, options),
      call: await runLoad(call, options),
      route: await runLoad(route, options),
    });
  }
  const pageRate = computeMedian(loads.map((load) => load.page.rate));
  const callRate = computeMedian(loads.map((load) => load.call.rate));
  const routeRate = computeMedian(loads.map((load) => load.route.rate));
  const p50 = computeMedian(loads.map((load) => load.call.p50Ms));
  const p99 = computeMedian(loads.map((load) => load.call.p99Ms));
  const failures = loads.reduce((sum, load) => sum + load.call.failures, 0);
  tableLines.push(
    ['undici `request` over the page', `${pageRate.toFixed(0)}/s`, ''],
    ['Fastify, 5 KB of JSON', `${routeRate.toFixed(0)}/s`, ''],
    ['`POST /v1/fetch` to markdown', `${callRate.toFixed(0)}/s, ${failures} failed`, '0 failed'],
    ['— against undici', (callRate / pageRate).toFixed(3), '≥ 0.05'],
    ['— against Fastify', (callRate / routeRate).toFixed(3), ''],
    ['— p50, p99', `${p50.toFixed(1)} ms, ${p99.toFixed(1)} ms (${(p99 / p50).toFixed(1)} ×)`, '≤ 4 ×'],
  );
  return callRate;
}

/** The rate for small pages while another connection keeps requesting a hostile page of 24 MB. */
async function measureHostile(usual: number): Promise<void> {
  printProgress('in parallel with a hostile page');
  const stop = new AbortController();
  const answers = new Map<number, number>();
  const hostile = (async () => {
    while (!stop.signal.aborted) {
      const { headers, body } = buildFetchTarget(`${origin.origin}/hostile`);
      const url = `${service.origin}/v1/fetch`;
      const answer = await request(url, {
        method: 'POST',
        headers,
        body,
        headersTimeout: HOSTILE_MS,
        bodyTimeout: HOSTILE_MS,
      });
      await answer.body.arrayBuffer();
      answers.set(answer.statusCode, (answers.get(answer.statusCode) ?? 0) + 1);
    }
  })();
  const beside = await runLoad(buildFetchTarget(`${origin.origin}/`), { connections: CONNECTIONS, seconds });
  stop.abort();
  await hostile;
  const seen = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ');
  tableLines.push([
    '— while a hostile page of 24 MB is read',
    `${beside.rate.toFixed(0)}/s, ${(beside.rate / usual).toFixed(2)} of its rate; hostile: ${seen}`,
    '≥ 0.5',
  ]);
}

function buildFetchTarget(url: string): LoadTarget {
  return {
    url: `${service.origin}/v1/fetch`,
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, output: ['markdown'], max_age_ms: 0 }),
  };
}

function formatMemory(): string {
  return `${readFootprint(service.pid).rssMb.toFixed(0)} MiB`;
}

function printProgress(text: string): void {
  process.stderr.write(`${text} …\n`);
}

/** Sequential calls wait for group commits, so fewer calls take the same time. */
function chooseCallCount(width: number): number {
  return width === 1 ? 2_000 : 20_000;
}

/**
 * CPU time in ms of the overhead of a paid call: find the key, check the plan, reserve credits, settle with ledger and log row.
 * Uses SQLite, with `width` concurrent calls.
 */
async function measureCredits(width: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
  const db = openSqlite(join(folder, 'quern.db'), { sync: 'normal' });
  try {
    await migrate(db);
    const once = await createCall(db);
    const calls = chooseCallCount(width);
    await runConcurrently(width, calls / 10, once);
    const before = process.cpuUsage();
    await runConcurrently(width, calls, once);
    const spent = process.cpuUsage(before);
    return (spent.user + spent.system) / 1000 / calls;
  } finally {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createCall(db: ReturnType<typeof openSqlite>): Promise<() => Promise<void>> {
  const clock = SYSTEM_CLOCK;
  const inTurn = createGroupCommit(db, SYSTEM_CLOCK);
  const keys = new Keys({ db, clock, plans: loadPlans(null) });
  const billing = new Billing({ db, inTurn, clock, processId: 'bench' });
  const requestLog = new RequestLog({ db, inTurn, clock });
  const { key } = await keys.add(await new Tenants({ db, clock }).create('bench', 'unlimited'), 'bench');

  return async function once() {
    const caller = await keys.findCaller(key);
    if (caller === null || !caller.plan.starter_surfaces) throw new Error('the key of the benchmark is not known');
    const now = clock.now();
    const id = newId('req', now);
    const account = { key: id, tenant: caller.tenant, plan: caller.plan };
    await billing.reserve(account, 2);
    await billing.settle(account, {
      operation: 'fetch',
      credits: 2,
      record: async (tx) =>
        requestLog.write(tx, {
          tenant: caller.tenant,
          id,
          at: toTimestamp(now),
          operation: 'fetch',
          status: 200,
          code: null,
          credits: 2,
          tier: 'http',
          duration_ms: 1,
          input_tokens: 0,
          output_tokens: 0,
          attempts: [],
          url: null,
          message: null,
        }),
    });
  };
}

async function runConcurrently(width: number, calls: number, once: () => Promise<void>): Promise<void> {
  let left = calls;
  const lines = Array.from({ length: width }, async () => {
    while (left-- > 0) await once();
  });
  await Promise.all(lines);
}
