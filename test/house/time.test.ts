import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { listSources } from './house.ts';
import type { Source } from './house.ts';

/** The port itself, and scripts that run inside a page of a browser. */
const KEEPS_TIME = new Set(['kernel/clock.ts', 'access/browser/scripts.ts']);
const OWN_TIME =
  /(?<![\w.])(?:setTimeout|setInterval)\(|setTimeout[^;]*'node:timers\/promises'|AbortSignal\.timeout\(|Date\.now\b|performance\.now\b|new Date\(\)/g;

function timeFaultsOf({ file, text }: Source): readonly string[] {
  if (KEEPS_TIME.has(file)) return [];
  return [...text.matchAll(OWN_TIME)].map(([found]) => `${file} has ${found}`);
}

/** Only what builds a service draws numbers by itself; what decides by one is given them. */
function chanceFaultsOf({ file, text }: Source): readonly string[] {
  return !file.startsWith('compose/') && text.includes('Math.random') ? [file] : [];
}

test('the clock is the only way to read the time and to wait', () => {
  assert.deepEqual(
    listSources().flatMap((source) => timeFaultsOf(source)),
    [],
  );
});

test('what decides by chance is given its numbers', () => {
  assert.deepEqual(
    listSources().flatMap((source) => chanceFaultsOf(source)),
    [],
  );
});

test('the rule finds a timer, a sleep and a reading of the time, and lets a socket have its own', () => {
  for (const text of [
    'const timer = setTimeout(end, 5);',
    'setInterval(look, 5)',
    "import { setTimeout as wait } from 'node:timers/promises';",
    'visit(url, AbortSignal.timeout(5))',
    'const clock = { now: Date.now };',
    'performance.now() - began',
  ])
    assert.equal(timeFaultsOf({ file: 'store/x.ts', text }).length, 1, text);
  const others = "import { setImmediate as turn } from 'node:timers/promises'; socket.setTimeout(5); clock.now();";
  assert.deepEqual(timeFaultsOf({ file: 'store/x.ts', text: others }), []);
});
