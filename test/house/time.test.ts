import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { listSources, type Source } from './house.ts';

/** The clock port, the one of the browser console, scripts that run in browser pages, and the API for others. */
const MAY_READ_TIME = new Set([
  'kernel/clock.ts',
  'console/app/service-clock.ts',
  'extract/index.ts',
  'extract/platform/browser.ts',
  'extract/platform/node.ts',
  'access/browser/freeze.ts',
  'access/browser/scripts.ts',
]);

/** Where the system clock may be used: composition roots, and threads, which cannot get injected objects. */
const COMPOSITION_ROOTS = /^(?:compose\/.*|main|kernel\/clock|.*\.worker)\.ts$/;
/** Remaining exceptions: remove entries that are no longer needed, and do not add any. */
const KNOWN_EXCEPTIONS: ReadonlySet<string> = new Set([
  'access/browser/context-pool.ts',
  'access/browser/launch.ts',
  'access/browser/setup.ts',
  'access/browser/stillness.ts',
  'access/browser/tab.ts',
  'access/browser/tier.ts',
  'access/egress/egress-proxy.ts',
  'access/egress/forward.ts',
  'access/guard/resolver.ts',
  'access/http/connection-pools.ts',
  'access/http/exchange.ts',
  'access/http/impersonation.ts',
  'access/interact/acts.ts',
  'access/interact/numbering.ts',
  'access/interact/session.ts',
  'access/proxy/proxy-check.ts',
  'access/proxy/splice.ts',
  'engine/call/work.ts',
  'engine/jobs/worker.ts',
  'engine/politeness/host-pace.ts',
  'engine/politeness/robots-cache.ts',
  'engine/reading/parser-lane.ts',
  'engine/reading/parser-thread.ts',
  'engine/upkeep/upkeep.ts',
  'engine/visits/page-cache.ts',
  'features/interact/prompt.ts',
  'features/interact/step-log.ts',
  'llm/client.ts',
  'llm/endpoint-client.ts',
]);
const TIME_FUNCTIONS =
  /(?<![\w.])(?:setTimeout|setInterval)\(|setTimeout[^;]*'node:timers\/promises'|AbortSignal\.timeout\(|Date\.now\b|performance\.now\b|new Date\(\)/g;

function listTimeFaults({ file, text }: Source): readonly string[] {
  if (MAY_READ_TIME.has(file)) return [];
  return [...text.matchAll(TIME_FUNCTIONS)].map(([found]) => `${file} has ${found}`);
}

function listClockFaults({ file, text }: Source): readonly string[] {
  return !COMPOSITION_ROOTS.test(file) && /\bSYSTEM_CLOCK\b/.test(text) ? [file] : [];
}

/** Only the code that composes a service may use a random source; other code gets it injected. */
function listRandomFaults({ file, text }: Source): readonly string[] {
  return !file.startsWith('compose/') && text.includes('Math.random') ? [file] : [];
}

test('the clock is the only way to read the time and to wait', () => {
  assert.deepEqual(
    listSources().flatMap((source) => listTimeFaults(source)),
    [],
  );
});

test('only the modules that compose a process use the system clock; all others receive a clock', () => {
  const faults = listSources().flatMap((source) => listClockFaults(source));
  assert.deepEqual(
    faults.filter((file) => !KNOWN_EXCEPTIONS.has(file)),
    [],
  );
});

test('modules that use random numbers receive the generator', () => {
  assert.deepEqual(
    listSources().flatMap((source) => listRandomFaults(source)),
    [],
  );
});

test('the rule finds timers, sleeps and time reads, and allows the timers of sockets', () => {
  const naming = 'await pause(SYSTEM_CLOCK, 10, signal);';
  assert.deepEqual(listClockFaults({ file: 'store/x.ts', text: naming }), ['store/x.ts']);
  for (const file of ['compose/x.ts', 'main.ts', 'engine/reading/parser.worker.ts'])
    assert.deepEqual(listClockFaults({ file, text: naming }), []);
  for (const text of [
    'const timer = setTimeout(end, 5);',
    'setInterval(look, 5)',
    "import { setTimeout as wait } from 'node:timers/promises';",
    'visit(url, AbortSignal.timeout(5))',
    'const clock = { now: Date.now };',
    'performance.now() - began',
  ])
    assert.equal(listTimeFaults({ file: 'store/x.ts', text }).length, 1, text);
  const others = "import { setImmediate as turn } from 'node:timers/promises'; socket.setTimeout(5); clock.now();";
  assert.deepEqual(listTimeFaults({ file: 'store/x.ts', text: others }), []);
});
