import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs, styleText } from 'node:util';
import { findConfiguredBrowsers } from '#compose/browsers.ts';
import { TRUSTED } from './lab.ts';
import { openProxy } from './proxy.ts';
import { HOOK_SECRET, openReceiver } from './receiver.ts';
import { openService } from './service.ts';
import { openSites } from './sites/world.ts';
import { openSite } from './site.ts';
import type { Need, Step } from './step.ts';
import { readPort, refusePort } from './ports.ts';
import { buildChapters } from './steps.ts';

/** Fixed, so that the lines of the README can be pasted while the demo stays up. */
const KEPT = {
  site: readPort('DEMO_SITE_PORT', '7710'),
  service: readPort('DEMO_PORT', '7700'),
  key: `qk_${'demo'.repeat(8)}`,
};
const CALL_MS = 60_000;
/** How long and how often a step that waits is asked again. */
const PATIENCE_MS = 20_000;
const AGAIN_MS = 100;
const SHOWN_LINES = 14;

type Answer = { readonly status: number; readonly body: unknown; readonly ms: number };

const { keep } = parseArgs({ options: { keep: { type: 'boolean', default: false } } }).values;
const dataDir = mkdtempSync(join(tmpdir(), 'quern-demo-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));

const site = await openSite({ port: keep ? KEPT.site : 0 }).catch(refusePort('DEMO_SITE_PORT'));
say(`A small newspaper is open at ${site.origin}; we wrote its pages, good ones and difficult ones.`);
const proxy = await openProxy(TRUSTED);
const hasBrowser = findConfiguredBrowsers({ QUERN_CHROMIUM: process.env['QUERN_CHROMIUM'] || undefined }) !== null;
const receiver = await openReceiver(HOOK_SECRET, dataDir);
const sites = await openSites();
say('Sites that everybody knows are rehearsed beside it: QUERN_SITES_FILE leads there.');
const service = await openService({
  dataDir,
  settings: {
    QUERN_PORT: keep ? String(KEPT.service) : '0',
    QUERN_ALLOW_TARGETS: `${new URL(site.origin).host},${new URL(receiver.origin).host},${sites.allow}`,
    QUERN_SITES_FILE: sites.file,
    QUERN_SEARCH_INDEX: 'on',
    QUERN_BOOTSTRAP_KEY: KEPT.key,
    QUERN_CHROMIUM: hasBrowser ? (process.env['QUERN_CHROMIUM'] ?? '') : 'off',
    QUERN_PROXIES_DATACENTER: proxy?.url ?? '',
    QUERN_PROXIES_RESIDENTIAL: proxy?.url ?? '',
  },
}).catch(refusePort('DEMO_PORT'));
say(`The service answers at ${service.origin} after ${Math.round(service.readyMs)} ms.`);
say('It refuses private addresses, so we allowed this one: QUERN_ALLOW_TARGETS.');
if (!hasBrowser) say('There is no browser here, so steps that need one are left out: npm run setup:browser gets one.');
if (proxy === null) say(`This machine has no address ${TRUSTED} for a proxy, so steps that need one are left out.`);

let surprises = 0;
try {
  surprises = await walk();
  if (keep) await stay();
} finally {
  const code = await service.close();
  await site.close();
  await proxy?.close();
  await receiver.close();
  await sites.close();
  // Ctrl-C reaches the service as well, so its exit code says nothing then.
  if (!keep && code !== 0) surprises++;
}
print('');
print(
  surprises === 0
    ? styleText('green', 'Every step answered as expected.')
    : styleText('red', `${surprises} surprises.`),
);
process.exitCode = surprises === 0 ? 0 : 1;

/** Takes every step in turn; answers how many did not answer as expected. */
async function walk(): Promise<number> {
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
    for (const step of chapter.steps.filter(({ needs = [] }) => needs.every(has))) {
      const path = step.path.replace('{first}', first).replace('{last}', last).replace('{made}', made);
      const answer = await (step.patience === undefined ? call(step, path) : callUntilExpected(step, path));
      last = String(at(answer.body, 'request_id'));
      first ||= last;
      if (answer.status === 201) made = String(at(answer.body, 'id'));
      print(`\n  ${styleText('cyan', step.title)}`);
      print(`  ${step.method} ${path}${step.body === undefined ? '' : ` ${JSON.stringify(step.body)}`}`);
      print(`  ${styleText('dim', `${answer.status} in ${Math.round(answer.ms)} ms`)}`);
      for (const member of step.show.filter((name) => at(answer.body, name) !== undefined))
        print(indent(`${member}: ${shorten(at(answer.body, member))}`));
      const faults = faultsOf(step, answer);
      for (const fault of faults) print(styleText('red', `  ${fault}`));
      if (faults.length > 0) wrong++;
    }
  }
  return wrong;
}

function has(need: Need): boolean {
  return need === 'browser' ? hasBrowser : proxy !== null;
}

async function call(step: Step, path: string): Promise<Answer> {
  const bearer = step.key === 'wrong' ? `qk_${'x'.repeat(32)}` : KEPT.key;
  const isOurs = path.startsWith('/');
  const started = performance.now();
  const response = await fetch(isOurs ? `${service.origin}${path}` : path, {
    method: step.method,
    headers: {
      ...(step.key === 'none' || !isOurs ? {} : { authorization: `Bearer ${bearer}` }),
      ...(step.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: step.body === undefined ? null : JSON.stringify(step.body),
    signal: AbortSignal.timeout(CALL_MS),
  });
  return { status: response.status, body: await response.json(), ms: performance.now() - started };
}

/** The same again and again until it answers as expected, or for as long as there is patience. */
async function callUntilExpected(step: Step, path: string): Promise<Answer> {
  const started = performance.now();
  for (;;) {
    const answer = await call(step, path);
    const ms = performance.now() - started;
    if (faultsOf(step, answer).length === 0 || ms > PATIENCE_MS) return { ...answer, ms };
    await setTimeout(AGAIN_MS);
  }
}

/** What an answer lacks of what its step expects. */
function faultsOf(step: Step, answer: Answer): readonly string[] {
  if (answer.status !== step.expect.status)
    return [
      `expected status ${step.expect.status}, got ${answer.status}: ${JSON.stringify(answer.body).slice(0, 500)}`,
    ];
  const wanted = Object.entries(step.expect.members ?? {});
  const missing = step.show.filter((member) => at(answer.body, member) === undefined && step.expect.status === 200);
  return [
    ...wanted
      .filter(([member, value]) => !isDeepStrictEqual(at(answer.body, member), value))
      .map(
        ([member, value]) =>
          `expected ${member} ${JSON.stringify(value)}, got ${JSON.stringify(at(answer.body, member))}`,
      ),
    ...missing.map((member) => `expected a member ${member}`),
  ];
}

/** Prints lines to paste and waits for the end of the process. */
async function stay(): Promise<void> {
  const curl = `curl -s ${service.origin}/v1/fetch -H 'authorization: Bearer ${KEPT.key}' -H 'content-type: application/json'`;
  print(`\n${styleText('bold', 'The site and the service stay up. Paste these, or press Ctrl-C.')}\n`);
  print(`${curl} -d '{"url":"${site.origin}/articles/a-year-at-the-mill"}'`);
  print(`${curl} -d '{"url":"${site.origin}/articles/grain-prices-this-autumn","output":["tables"]}'`);
  print(`curl -s ${service.origin}/v1/usage -H 'authorization: Bearer ${KEPT.key}'`);
  print(`\nThe API in a browser: ${service.origin}/docs`);
  const stop = new AbortController();
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal, { signal: stop.signal })));
  stop.abort();
}

/** A member by its dotted path; undefined where there is none. */
function at(value: unknown, path: string): unknown {
  let here = value;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = new Map<string, unknown>(Object.entries(here)).get(name);
  }
  return here;
}

/** The first lines of a text or of a value as JSON. */
function shorten(value: unknown): string {
  const text =
    typeof value === 'string' && value.includes('\n')
      ? `\n${value.trim()}`
      : (JSON.stringify(value, null, 2) ?? 'absent');
  const lines = text.split('\n').map((line) => (line.length > 110 ? `${line.slice(0, 109)}…` : line));
  return lines.length <= SHOWN_LINES ? lines.join('\n') : [...lines.slice(0, SHOWN_LINES - 1), '…'].join('\n');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

function say(sentence: string): void {
  print(styleText('dim', sentence));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
