import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs, styleText } from 'node:util';
import { findConfiguredBrowsers } from '#compose/browsers.ts';
import { TRUSTED_ADDRESS } from './lab.ts';
import { startProxy } from './proxy.ts';
import { HOOK_SECRET, startReceiver } from './receiver.ts';
import { startService } from './service.ts';
import { startMockSites } from './sites/mock-sites.ts';
import { startSite } from './site.ts';
import type { StepRequirement, Step } from './step.ts';
import { buildChapters } from './steps.ts';
import { parsePortSetting, explainPortInUse } from './listen.ts';

/** Fixed, so that the commands in the README work while the demo keeps running. */
const FIXED_SETTINGS = {
  site: parsePortSetting('DEMO_SITE_PORT', '7710'),
  service: parsePortSetting('DEMO_PORT', '7700'),
  key: `qk_${'demo'.repeat(8)}`,
};
const CALL_TIMEOUT_MS = 60_000;
/** Timeout and interval for steps that are retried. */
const STEP_TIMEOUT_MS = 20_000;
const RETRY_INTERVAL_MS = 100;
const MAX_SHOWN_LINES = 14;

type StepResponse = { readonly status: number; readonly body: unknown; readonly ms: number };

const { keep } = parseArgs({ options: { keep: { type: 'boolean', default: false } } }).values;
const dataDir = mkdtempSync(join(tmpdir(), 'quern-demo-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));

const site = await startSite({ port: keep ? FIXED_SETTINGS.site : 0 }).catch(explainPortInUse('DEMO_SITE_PORT'));
printNote(`The demo site, a small newspaper, runs at ${site.origin}. It has ordinary and difficult pages.`);
const proxy = await startProxy(TRUSTED_ADDRESS);
const hasBrowser = findConfiguredBrowsers({ QUERN_CHROMIUM: process.env['QUERN_CHROMIUM'] || undefined }) !== null;
const receiver = await startReceiver(HOOK_SECRET, dataDir);
const sites = await startMockSites();
printNote('Mock versions of well-known sites run next to it; QUERN_SITES_FILE points to them.');
const service = await startService({
  dataDir,
  settings: {
    QUERN_PORT: keep ? String(FIXED_SETTINGS.service) : '0',
    QUERN_ALLOW_TARGETS: `${new URL(site.origin).host},${new URL(receiver.origin).host},${sites.allow}`,
    QUERN_SITES_FILE: sites.file,
    QUERN_SEARCH_INDEX: 'on',
    QUERN_BOOTSTRAP_KEY: FIXED_SETTINGS.key,
    QUERN_CHROMIUM: hasBrowser ? (process.env['QUERN_CHROMIUM'] ?? '') : 'off',
    QUERN_PROXIES_DATACENTER: proxy?.url ?? '',
    QUERN_PROXIES_RESIDENTIAL: proxy?.url ?? '',
  },
}).catch(explainPortInUse('DEMO_PORT'));
printNote(`The service is ready at ${service.origin} after ${Math.round(service.readyMs)} ms.`);
printNote('It blocks private addresses by default; QUERN_ALLOW_TARGETS allows these.');
if (!hasBrowser) printNote('No browser found, so steps that need one are skipped: npm run setup:browser installs one.');
if (proxy === null)
  printNote(`This machine has no address ${TRUSTED_ADDRESS} for a proxy, so steps that need one are skipped.`);

let failureCount = 0;
try {
  failureCount = await runTour();
  if (keep) await keepRunning();
} finally {
  const code = await service.close();
  await site.close();
  await proxy?.close();
  await receiver.close();
  await sites.close();
  // With --keep, Ctrl-C also stops the service, so its exit code is ignored.
  if (!keep && code !== 0) failureCount++;
}
print('');
print(
  failureCount === 0
    ? styleText('green', 'All steps returned the expected response.')
    : styleText('red', `${failureCount} steps did not return the expected response.`),
);
process.exitCode = failureCount === 0 ? 0 : 1;

/** Runs all steps; returns the number of unexpected responses. */
async function runTour(): Promise<number> {
  let first = '';
  let last = '';
  let made = '';
  let wrong = 0;
  for (const chapter of buildChapters({
    site: site.origin,
    receiver,
    hotelA: sites.origins['hotel-a']?.['web'] ?? '',
  })) {
    print(`\n${styleText('bold', chapter.title)}`);
    for (const step of chapter.steps.filter(({ needs = [] }) => needs.every(isAvailable))) {
      const path = step.path.replace('{first}', first).replace('{last}', last).replace('{made}', made);
      const answer = await (step.patience === undefined ? callStep(step, path) : callUntilExpected(step, path));
      last = String(getMember(answer.body, 'request_id'));
      first ||= last;
      if (answer.status === 201) made = String(getMember(answer.body, 'id'));
      print(`\n  ${styleText('cyan', step.title)}`);
      print(`  ${step.method} ${path}${step.body === undefined ? '' : ` ${JSON.stringify(step.body)}`}`);
      print(`  ${styleText('dim', `${answer.status} in ${Math.round(answer.ms)} ms`)}`);
      for (const member of step.show.filter((name) => getMember(answer.body, name) !== undefined))
        print(indent(`${member}: ${shortenValue(getMember(answer.body, member))}`));
      const faults = listFaults(step, answer);
      for (const fault of faults) print(styleText('red', `  ${fault}`));
      if (faults.length > 0) wrong++;
    }
  }
  return wrong;
}

function isAvailable(need: StepRequirement): boolean {
  return need === 'browser' ? hasBrowser : proxy !== null;
}

async function callStep(step: Step, path: string): Promise<StepResponse> {
  const bearer = step.key === 'wrong' ? `qk_${'x'.repeat(32)}` : FIXED_SETTINGS.key;
  const isOurs = path.startsWith('/');
  const started = performance.now();
  const response = await fetch(isOurs ? `${service.origin}${path}` : path, {
    method: step.method,
    headers: {
      ...(step.key === 'none' || !isOurs ? {} : { authorization: `Bearer ${bearer}` }),
      ...(step.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: step.body === undefined ? null : JSON.stringify(step.body),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  return { status: response.status, body: await response.json(), ms: performance.now() - started };
}

/** Repeats a call until the response is as expected, or until the timeout. */
async function callUntilExpected(step: Step, path: string): Promise<StepResponse> {
  const started = performance.now();
  for (;;) {
    const answer = await callStep(step, path);
    const ms = performance.now() - started;
    if (listFaults(step, answer).length === 0 || ms > STEP_TIMEOUT_MS) return { ...answer, ms };
    await setTimeout(RETRY_INTERVAL_MS);
  }
}

/** Lists the differences between a response and the expectation. */
function listFaults(step: Step, answer: StepResponse): readonly string[] {
  if (answer.status !== step.expect.status)
    return [
      `expected status ${step.expect.status}, got ${answer.status}: ${JSON.stringify(answer.body).slice(0, 500)}`,
    ];
  const wanted = Object.entries(step.expect.members ?? {});
  const missing = step.show.filter(
    (member) => getMember(answer.body, member) === undefined && step.expect.status === 200,
  );
  return [
    ...wanted
      .filter(([member, value]) => !isDeepStrictEqual(getMember(answer.body, member), value))
      .map(
        ([member, value]) =>
          `expected ${member} ${JSON.stringify(value)}, got ${JSON.stringify(getMember(answer.body, member))}`,
      ),
    ...missing.map((member) => `expected a field ${member}`),
  ];
}

/** Prints example commands and waits for Ctrl-C. */
async function keepRunning(): Promise<void> {
  const curl = `curl -s ${service.origin}/v1/fetch -H 'authorization: Bearer ${FIXED_SETTINGS.key}' -H 'content-type: application/json'`;
  print(`\n${styleText('bold', 'The site and the service keep running. Try these commands, or press Ctrl-C.')}\n`);
  print(`${curl} -d '{"url":"${site.origin}/articles/a-year-at-the-mill"}'`);
  print(`${curl} -d '{"url":"${site.origin}/articles/grain-prices-this-autumn","output":["tables"]}'`);
  print(`curl -s ${service.origin}/v1/usage -H 'authorization: Bearer ${FIXED_SETTINGS.key}'`);
  print(`\nThe API in a browser: ${service.origin}/docs`);
  const stop = new AbortController();
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal, { signal: stop.signal })));
  stop.abort();
}

/** The value at a dotted path; undefined if there is none. */
function getMember(value: unknown, path: string): unknown {
  let here = value;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = new Map<string, unknown>(Object.entries(here)).get(name);
  }
  return here;
}

/** The first lines of a text, or of a value as JSON. */
function shortenValue(value: unknown): string {
  const text =
    typeof value === 'string' && value.includes('\n')
      ? `\n${value.trim()}`
      : (JSON.stringify(value, null, 2) ?? 'absent');
  const lines = text.split('\n').map((line) => (line.length > 110 ? `${line.slice(0, 109)}…` : line));
  return lines.length <= MAX_SHOWN_LINES ? lines.join('\n') : [...lines.slice(0, MAX_SHOWN_LINES - 1), '…'].join('\n');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

function printNote(sentence: string): void {
  print(styleText('dim', sentence));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
