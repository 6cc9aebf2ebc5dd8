import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { openService, type Service } from '#demo/service.ts';
import { measureCredits } from './credits.ts';
import { footprintOf, type Load, median, openPeer, runLoad, type Target } from './child.ts';

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
const origin = await openPeer('origin.ts');
const bare = await openPeer('bare.ts');
const lines: (readonly [string, string, string])[] = [];

const readyMs = await measureStarts();
const service = await start();
const memory = memoryNow();
if (values.idle) await measureIdle(service);
lines.push(['start to ready, warm', `${readyMs.toFixed(0)} ms`, '≤ 1,000 ms']);
lines.push(['resident memory before the first fetch', memory, '≤ 130 MiB']);
const rate = await measureRates();
lines.push(['resident memory after the load', memoryNow(), '≤ 260 MiB']);
await measureHostile(rate);
lines.push(['— and after the hostile page', memoryNow(), '']);
await service.close();
await Promise.all([origin.close(), bare.close()]);
progress('credits');
for (const width of [CONNECTIONS, 1]) {
  const credits = await measureCredits(width);
  lines.push([
    `CPU of key, plan, reserve and settle, ${width} in flight`,
    `${credits.toFixed(3)} ms a call`,
    '≤ 0.15 ms',
  ]);
}

process.stdout.write(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, `);
process.stdout.write(`${rounds} rounds of ${seconds} s, ${CONNECTIONS} in flight\n\n`);
process.stdout.write('| | measured | goal |\n|---|---|---|\n');
for (const [name, measured, goal] of lines) process.stdout.write(`| ${name} | ${measured} | ${goal} |\n`);

async function start(): Promise<Service> {
  return openService({
    dataDir,
    settings: {
      QUERN_ALLOW_TARGETS: new URL(origin.origin).host,
      QUERN_BOOTSTRAP_KEY: KEY,
      QUERN_LOG_LEVEL: 'warn',
      QUERN_CHROMIUM: 'off',
    },
  });
}

/** Starts and stops the service on data that exist already; the first start makes them and does not count. */
async function measureStarts(): Promise<number> {
  const times: number[] = [];
  for (let attempt = 0; attempt <= STARTS; attempt++) {
    const started = await start();
    if (attempt > 0) times.push(started.readyMs);
    await started.close();
  }
  return median(times);
}

async function measureIdle(idle: Service): Promise<void> {
  progress(`idle for ${IDLE_SECONDS} s`);
  const before = footprintOf(idle.pid);
  await wait(IDLE_SECONDS * 1000);
  const share = (footprintOf(idle.pid).cpuSeconds - before.cpuSeconds) / IDLE_SECONDS;
  lines.push([`CPU over ${IDLE_SECONDS} s idle`, `${(share * 100).toFixed(2)} % of a core`, '≤ 0.2 %']);
}

/** Runs the loads in turn and answers the median rate of `POST /v1/fetch`. */
async function measureRates(): Promise<number> {
  const page: Target = { url: `${origin.origin}/`, method: 'GET', headers: {}, body: null };
  const route: Target = { url: `${bare.origin}/`, method: 'GET', headers: {}, body: null };
  const call = fetchOf(`${origin.origin}/`);
  const options = { connections: CONNECTIONS, seconds };
  const loads: { readonly page: Load; readonly call: Load; readonly route: Load }[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    loads.push({
      page: await runLoad(page, options),
      call: await runLoad(call, options),
      route: await runLoad(route, options),
    });
  }
  const pageRate = median(loads.map((load) => load.page.rate));
  const callRate = median(loads.map((load) => load.call.rate));
  const routeRate = median(loads.map((load) => load.route.rate));
  const p50 = median(loads.map((load) => load.call.p50Ms));
  const p99 = median(loads.map((load) => load.call.p99Ms));
  const failures = loads.reduce((sum, load) => sum + load.call.failures, 0);
  lines.push(
    ['undici `request` over the page', `${pageRate.toFixed(0)}/s`, ''],
    ['Fastify, 5 KB of JSON', `${routeRate.toFixed(0)}/s`, ''],
    ['`POST /v1/fetch` to markdown', `${callRate.toFixed(0)}/s, ${failures} failed`, '0 failed'],
    ['— against undici', (callRate / pageRate).toFixed(3), '≥ 0.05'],
    ['— against Fastify', (callRate / routeRate).toFixed(3), ''],
    ['— p50, p99', `${p50.toFixed(1)} ms, ${p99.toFixed(1)} ms (${(p99 / p50).toFixed(1)} ×)`, '≤ 4 ×'],
  );
  return callRate;
}

/** The rate of small pages while one connection asks for a hostile page of 24 MB again and again. */
async function measureHostile(usual: number): Promise<void> {
  progress('beside a hostile page');
  const stop = new AbortController();
  const answers = new Map<number, number>();
  const hostile = (async () => {
    while (!stop.signal.aborted) {
      const { headers, body } = fetchOf(`${origin.origin}/hostile`);
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
  const beside = await runLoad(fetchOf(`${origin.origin}/`), { connections: CONNECTIONS, seconds });
  stop.abort();
  await hostile;
  const seen = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ');
  lines.push([
    '— while a hostile page of 24 MB is read',
    `${beside.rate.toFixed(0)}/s, ${(beside.rate / usual).toFixed(2)} of its rate; hostile: ${seen}`,
    '≥ 0.5',
  ]);
}

function fetchOf(url: string): Target {
  return {
    url: `${service.origin}/v1/fetch`,
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, output: ['markdown'], max_age_ms: 0 }),
  };
}

function memoryNow(): string {
  return `${footprintOf(service.pid).rssMb.toFixed(0)} MiB`;
}

function progress(text: string): void {
  process.stderr.write(`${text} …\n`);
}
