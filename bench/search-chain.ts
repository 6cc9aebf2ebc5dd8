/**
 * Measures fast searches with four mock engines while all respond, while one hangs, and while one is dead:
 * `npm run bench -- search-chain [--searches 300]`. Exits with 1 if a goal is missed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from '#demo/service.ts';
import { type LabBehaviour, startSearchLab } from '#testkit/search-lab/lab.ts';

const KEY = `qk_${'mill'.repeat(8)}`;
const GOALS_MS = { median: 150, high: 900 };
/** Warm-up searches, which start parser threads and open circuit breakers. */
const WARM_UP_SEARCHES = 8;
const NAMES = ['duckduckgo', 'bing', 'brave', 'mojeek'] as const;

const { values: options } = parseArgs({ options: { searches: { type: 'string', default: '300' } } });
const searches = Number(options.searches);
if (!(searches >= 20)) throw new Error('--searches takes a number from 20');

const folder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const lab = await startSearchLab();
let asked = 0;
let isMissed = false;

type ChainOrder = readonly (readonly (typeof NAMES)[number][])[];

/** Measures searches while one backend misbehaves, on a new service with closed circuit breakers. */
async function measureTimes(order: ChainOrder, how: LabBehaviour) {
  const backends = Object.fromEntries(NAMES.map((name) => [name, { driver: name, origin: lab.backends[name].origin }]));
  const file = join(folder, 'search.json');
  writeFileSync(file, JSON.stringify({ backends, fast_search: order }));
  const settings = {
    QUERN_SEARCH_FILE: file,
    QUERN_ALLOW_TARGETS: lab.allow,
    QUERN_CHROMIUM: 'off',
    QUERN_BOOTSTRAP_KEY: KEY,
  };
  const service = await startService({ dataDir: mkdtempSync(join(folder, 'data-')), settings });
  try {
    // The first search starts the parser threads.
    await runSearch(service.origin);
    lab.backends.duckduckgo.behave(how);
    const first: number[] = [];
    for (let at = 0; at < WARM_UP_SEARCHES; at += 1) first.push(await runSearch(service.origin));
    const times: number[] = [];
    for (let at = 0; at < searches; at += 1) times.push(await runSearch(service.origin));
    return { first, times };
  } finally {
    lab.backends.duckduckgo.behave('answers');
    await service.close();
  }
}

/** Runs one uncached search; returns its duration in ms. */
async function runSearch(origin: string): Promise<number> {
  asked += 1;
  const startedAt = performance.now();
  const answer = await fetch(`${origin}/v1/fast-search?search=mill+${asked}`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  await answer.text();
  if (answer.status !== 200) throw new Error(`a search answers ${answer.status}`);
  return performance.now() - startedAt;
}

const getQuantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const pairedOrder: ChainOrder = [NAMES.slice(0, 2), NAMES.slice(2)];
const sequentialOrder: ChainOrder = NAMES.map((name) => [name]);
console.log(`${searches} searches, one after another, after ${WARM_UP_SEARCHES} others; times in ms\n`);
console.log('| order | one of four | first eight, slowest | p50 | p99 | slowest | goal |');
console.log('|---|---|---|---|---|---|---|');
for (const [name, order] of [
  ['two and two', pairedOrder],
  ['in turn', sequentialOrder],
] as const)
  for (const how of ['answers', 'hangs', 'is dead', 'is slow', 'wants a captcha'] as const) {
    const { first, times } = await measureTimes(order, how);
    const [median, high] = [getQuantile(times, 0.5), getQuantile(times, 0.99)];
    const isOver = median > GOALS_MS.median || high > GOALS_MS.high;
    isMissed ||= isOver;
    const cells = [name, how, ...[Math.max(...first), median, high, Math.max(...times)].map((ms) => ms.toFixed(0))];
    console.log(`| ${cells.join(' | ')} | ${isOver ? 'missed' : `≤ ${GOALS_MS.median}, ≤ ${GOALS_MS.high}`} |`);
  }
await lab.close();
if (isMissed) process.exitCode = 1;
