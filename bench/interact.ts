/** A form of twenty steps: what a step of a session costs beside the same step written directly in Playwright. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findBrowsers } from '#access/browser/binaries.ts';
import { openPlaces } from '#access/browser/places.ts';
import { EGRESS_LIMITS } from '#access/egress-passes.ts';
import { openEgressProxy } from '#access/egress-proxy.ts';
import { openSessions } from '#access/interact/sessions.ts';
import { LIMITS } from '#access/limits.ts';
import { buildSecrets } from '#engine/interact/secrets.ts';
import { runScript } from '#engine/interact/steps.ts';
import type { ScriptAction } from '#engine/interact/script.ts';
import { installPeers } from './crawl/contenders.ts';
import { openGuardFor } from './guard.ts';

const ROUNDS = 9;
const PATIENCE_MS = 120_000;
const MANNER = { timeout_ms: 10_000, optional: false };
const ROWS = [0, 1, 2, 3, 4, 5];

const FORM = `<!doctype html><title>Mill</title><form action="/sent">${ROWS.map(
  (row) => `<p><input name="text${row}"><select name="kind${row}"><option>rye<option>oat</select>
  <input type="checkbox" name="fine${row}"></p>`,
).join('')}<button>Send</button></form>`;

const SCRIPT: readonly ScriptAction[] = [
  ...ROWS.flatMap((row): readonly ScriptAction[] => [
    { ...MANNER, type: 'type', target: { css: `[name=text${row}]` }, text: `grain ${row}`, clear: true },
    { ...MANNER, type: 'select', target: { css: `[name=kind${row}]` }, value: 'oat' },
    { ...MANNER, type: 'check', target: { css: `[name=fine${row}]` } },
  ]),
  { ...MANNER, type: 'click', target: { role: 'button', name: 'Send' }, count: 1 },
  { ...MANNER, type: 'wait', text: 'Sent' },
];

const binaries = findBrowsers(undefined, { platform: process.platform, home: homedir() });
if (binaries === null) throw new Error('there is no browser: npm run setup:browser');
const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(request.url?.startsWith('/sent') === true ? '<h1>Sent</h1>' : FORM);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
const url = `http://127.0.0.1:${port}/`;

const guard = openGuardFor([`127.0.0.1:${port}`]);
const egress = await openEgressProxy({ guard, limits: EGRESS_LIMITS });
const sessions = openSessions({
  binary: binaries.full,
  egressUrl: egress.url,
  places: openPlaces(1),
  idleMs: PATIENCE_MS,
  limits: LIMITS,
  clock: { now: () => performance.now() },
  readTarget: guard.readTarget,
  isRoot: process.getuid?.() === 0,
  warn: (line) => process.stderr.write(`${line}\n`),
});

async function admit() {
  return egress.admit(null);
}

/** The ms of one session's steps. */
async function runOurs(): Promise<number> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const order = { url: new URL(url), headers: {}, cookies: [], device: 'desktop', locale: null } as const;
  const rest = { allowedDomains: null, waitsOutChallenges: false };
  const { session, close } = await sessions.open({ ...order, ...rest }, admit, { signal, first: signal });
  const began = performance.now();
  const { steps, failedStep } = await runScript(SCRIPT, {
    session,
    secrets: buildSecrets({}),
    leftMs: () => PATIENCE_MS,
    read: async () => Promise.reject(new Error('nothing is read')),
    keep: async () => Promise.reject(new Error('nothing is kept')),
    note: null,
    mostSteps: 200,
  });
  const ms = performance.now() - began;
  if (failedStep !== null || steps.length !== SCRIPT.length) throw new Error(JSON.stringify(steps.at(-1)));
  await close();
  return ms;
}

async function runTheirs(): Promise<readonly number[]> {
  if (!installPeers()) throw new Error('npm ci in bench/peers failed');
  const peer = fileURLToPath(new URL('peers/form.mjs', import.meta.url));
  const order = JSON.stringify({ url, binary: binaries?.full.path, rounds: ROUNDS });
  const { stdout } = await promisify(execFile)(process.execPath, [peer, order], { timeout: PATIENCE_MS });
  return z.array(z.number()).parse(JSON.parse(stdout));
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

const ours: number[] = [];
await runOurs();
for (let round = 0; round < ROUNDS; round += 1) ours.push(await runOurs());
const theirs = await runTheirs();
const perStep = (times: readonly number[]): number => median(times) / SCRIPT.length;
process.stdout.write(
  `a step of ${SCRIPT.length}: session ${perStep(ours).toFixed(1)} ms, Playwright ${perStep(theirs).toFixed(1)} ms, ` +
    `more ${(perStep(ours) - perStep(theirs)).toFixed(1)} ms (medians of ${ROUNDS})\n`,
);
await sessions.close();
await egress.close();
server.closeAllConnections();
server.close();
