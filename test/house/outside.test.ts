import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './house.ts';

/** The folders beside `src/` and `test/` that hold code. */
const OUTSIDE = ['bench', 'clients', 'demo', 'testkit', 'tools'];
const SPECIFIER = /(?:\bfrom |\bimport\(|\bimport )'(\.[^']+)'/g;

/** The modules of `test/` that a file names. */
function importsOfTests(file: string, text: string): readonly string[] {
  return [...text.matchAll(SPECIFIER)]
    .map(([, specifier = '']) => resolve(file, '..', specifier))
    .filter((path) => path.startsWith(join(ROOT, 'test', sep)));
}

test('measures, the demo and tools import nothing from the tests', () => {
  const files = OUTSIDE.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(ROOT, folder, file)),
  ).filter((file) => /\.m?ts$/.test(file));
  assert.ok(files.length > 0);
  assert.deepEqual(
    files.flatMap((file) => importsOfTests(file, readFileSync(file, 'utf8'))),
    [],
  );
});

test('the rule refuses an import from the tests, and lets what both share be', () => {
  const file = join(ROOT, 'bench/api.ts');
  assert.equal(importsOfTests(file, "import { until } from '../test/support/fleet.ts';").length, 1);
  assert.deepEqual(importsOfTests(file, "import { openSite } from '#testkit/servers.ts';\nimport './load.ts';"), []);
});
