import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './house.ts';

/** Folders with code outside of packages and tests. */
const OUTSIDE = ['bench', 'clients', 'demo', 'testkit', 'tools'];
const SPECIFIER = /(?:\bfrom |\bimport\(|\bimport )'([^']+)'/g;
/** The folders of tests. */
const TESTS = /^(?:test|e2e|packages\/[^/]+\/test)\//;

/** The test modules that a file imports. */
function listTestImports(file: string, text: string): readonly string[] {
  return [...text.matchAll(SPECIFIER)]
    .map(([, specifier = '']) => specifier)
    .filter(
      (specifier) =>
        /^#(?:support|e2e)\//.test(specifier) || TESTS.test(relative(ROOT, resolve(file, '..', specifier))),
    );
}

test('benchmarks, the demo and tools import nothing from the tests', () => {
  const files = OUTSIDE.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(ROOT, folder, file)),
  ).filter((file) => /\.m?ts$/.test(file));
  assert.ok(files.length > 0);
  assert.deepEqual(
    files.flatMap((file) => listTestImports(file, readFileSync(file, 'utf8'))),
    [],
  );
});

test('the rule rejects an import from the tests, and allows shared modules', () => {
  const file = join(ROOT, 'bench/api.ts');
  assert.equal(listTestImports(file, "import { until } from '#support/fleet.ts';").length, 1);
  assert.equal(listTestImports(file, "import { until } from '../packages/quern/test/engine/gate.ts';").length, 1);
  assert.deepEqual(listTestImports(file, "import { openSite } from '#testkit/servers.ts';\nimport './load.ts';"), []);
});
