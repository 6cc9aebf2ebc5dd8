/**
 * Compares the time of a session step with the same step in plain Playwright, on a form with twenty steps. Also measures the
 * snapshot of a large page that a model gets at each step: tokens and time.
 */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findBrowsers } from '#access/browser/binaries.ts';
import { createPageSlots } from '#access/browser/page-slots.ts';
import { EGRESS_LIMITS } from '#access/egress/credentials.ts';
import { startEgressProxy } from '#access/egress/egress-proxy.ts';
import { createSessions } from '#access/interact/sessions.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import { buildSecrets } from '#features/interact/secrets.ts';
import { runScript, type ScriptAction } from '#features/interact/script.ts';
import { installPeers } from './installed-peers.ts';
import { createGuardFor } from './guard.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

const ROUNDS = 9;
const TIMEOUT_MS = 120_000;
const ACTION_OPTIONS = { timeout_ms: 10_000, optional: false };
const ROWS = [0, 1, 2, 3, 4, 5];

const FORM = `<!doctype html><title>Mill</title><form action="/sent">${ROWS.map(
  (row) => `<p><input name="text${row}"><select name="kind${row}"><option>rye<option>oat</select>
  <input type="checkbox" name="fine${row}"></p>`,
).join('')}<button>Send</button></form>`;

/** 3,000 elements, half of them links and buttons. */
const SHOP = `<!doctype html><title>Mill</title><h1>Shop</h1><table>${Array.from(
  { length: 500 },
  (_, n) =>
    `<tr><td><a href="/item/${n}">Flour number ${n}</a></td><td>${n * 3} kg</td><td><button>Add ${n}</button></td></tr>`,
).join('')}</table>`;

const PAGES: Readonly<Record<string, string>> = {
  '/sent': '<h1>Sent</h1>',
  '/shop': SHOP,
  // Snapshots wait until a page with scripts is stable.
  '/shop-with-scripts': `${SHOP}<script>document.title = 'Shop'</script>`,
};

const SCRIPT: readonly ScriptAction[] = [
  ...ROWS.flatMap((row): readonly ScriptAction[] => [
    { ...ACTION_OPTIONS, type: 'type', target: { css: `[name=text${row}]` }, text: `grain ${row}`, clear: true },
    { ...ACTION_OPTIONS, type: 'select', target: { css: `[name=kind${row}]` }, value: 'oat' },
    { ...ACTION_OPTIONS, type: 'check', target: { css: `[name=fine${row}]` } },
  ]),
  { ...ACTION_OPTIONS, type: 'click', target: { role: 'button', name: 'Send' }, count: 1 },
  { ...ACTION_OPTIONS, type: 'wait', text: 'Sent' },
];

const binaries = findBrowsers(undefined, { platform: process.platform, home: homedir() });
if (binaries === null) throw new Error('there is no browser: npm run setup:browser');
const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  const path = new URL(request.url ?? '/', 'http://mill').pathname;
  response.end(PAGES[path] ?? FORM);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
const url = `http://127.0.0.1:${port}/`;

const guard = createGuardFor([`127.0.0.1:${port}`]);
const egress = await startEgressProxy({ guard, limits: EGRESS_LIMITS, clock: SYSTEM_CLOCK });
const sessions = createSessions({
  binary: binaries.full,
  egressUrl: egress.url,
  slots: createPageSlots({ places: 1, clock: SYSTEM_CLOCK }),
  idleMs: TIMEOUT_MS,
  limits: DEFAULT_LIMITS,
  clock: SYSTEM_CLOCK,
  readTarget: guard.parseTarget,
  isRoot: process.getuid?.() === 0,
  warn: (line) => process.stderr.write(`${line}\n`),
});

async function admit() {
  return egress.issueCredentials(null);
}

async function openSession(path: string) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const order = { url: new URL(path, url), headers: {}, cookies: [], device: 'desktop', locale: null } as const;
  const rest = { allowedDomains: null, waitsOutChallenges: false };
  return sessions.open({ ...order, ...rest }, admit, { signal, first: signal });
}

/** The duration of the steps of one session, ms. */
async function runQuernScript(): Promise<number> {
  const { session, close } = await openSession('/');
  const began = performance.now();
  const { steps, failedStep } = await runScript(SCRIPT, {
    session,
    secrets: buildSecrets({}),
    leftMs: () => TIMEOUT_MS,
    read: async () => Promise.reject(new Error('nothing is read')),
    keep: async () => Promise.reject(new Error('nothing is kept')),
    note: null,
    onActed: () => undefined,
    clock: SYSTEM_CLOCK,
    maxSteps: 200,
  });
  const ms = performance.now() - began;
  if (failedStep !== null || steps.length !== SCRIPT.length) throw new Error(JSON.stringify(steps.at(-1)));
  await close();
  return ms;
}

/** The snapshot of a page, and the durations of several snapshots in ms. */
async function measureSnapshot(path: string): Promise<{ readonly text: string; readonly times: readonly number[] }> {
  const { session, close } = await openSession(path);
  const times: number[] = [];
  let text = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    text = await session.snapshot(0);
    times.push(performance.now() - began);
  }
  await close();
  return { text, times };
}

function countTokens(text: string): number {
  const { stdout } = spawnSync(process.execPath, [getPeerProgram('tokens')], { input: text, timeout: TIMEOUT_MS });
  return z.coerce.number().int().min(1).parse(stdout.toString());
}

function getPeerProgram(peer: string): string {
  return fileURLToPath(new URL(`peers/${peer}.mjs`, import.meta.url));
}

async function runPlaywrightScript(): Promise<readonly number[]> {
  const peer = getPeerProgram('form');
  const order = JSON.stringify({ url, binary: binaries?.full.path, rounds: ROUNDS });
  const { stdout } = await promisify(execFile)(process.execPath, [peer, order], { timeout: TIMEOUT_MS });
  return z.array(z.number()).parse(JSON.parse(stdout));
}

function computeMedian(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

if (!installPeers()) throw new Error('npm ci in bench/peers failed');
const quernTimes: number[] = [];
await runQuernScript();
for (let round = 0; round < ROUNDS; round += 1) quernTimes.push(await runQuernScript());
const playwrightTimes = await runPlaywrightScript();
const perStep = (times: readonly number[]): number => computeMedian(times) / SCRIPT.length;
process.stdout.write(
  `a step of ${SCRIPT.length}: session ${perStep(quernTimes).toFixed(1)} ms, Playwright ${perStep(playwrightTimes).toFixed(1)} ms, ` +
    `more ${(perStep(quernTimes) - perStep(playwrightTimes)).toFixed(1)} ms (medians of ${ROUNDS})\n`,
);
const staticPage = await measureSnapshot('/shop');
const scriptedPage = await measureSnapshot('/shop-with-scripts');
process.stdout.write(
  `the snapshot of a page of 3,000 elements: ${Buffer.byteLength(staticPage.text)} bytes, ${countTokens(staticPage.text)} tokens, ` +
    `${computeMedian(staticPage.times).toFixed(0)} ms, least ${Math.min(...staticPage.times).toFixed(0)} ms; ` +
    `with scripts, which 100 ms of stillness are waited for, ${computeMedian(scriptedPage.times).toFixed(0)} ms (medians of ${ROUNDS})\n`,
);
await sessions.close();
await egress.close();
server.closeAllConnections();
server.close();
