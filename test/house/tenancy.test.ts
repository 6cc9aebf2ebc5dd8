import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './house.ts';

const PAGE = readFileSync(join(ROOT, 'docs/internals/tenancy.md'), 'utf8');
const NAMED = new Set([...PAGE.matchAll(/`((?:packages|e2e)\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file));

const SERVICE = 'packages/quern/src';

/** State that grows, or a queue of tenants: a field that is a collection, or a fair queue of slots. */
const KEEPS = /^ {2}(?:readonly )?#\w+(?:: [^=\n]+)? = new (?:Map|Set)\b|\bcreateFairQueue\(\{/m;
/** The fair queue itself. The other packages are browser code and readers of one page. */
const APART = 'packages/quern/src/kernel/fair-queue.ts';

test('every file with state is on the page of limits', () => {
  const files = readdirSync(join(ROOT, SERVICE), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${SERVICE}/${file}`,
  );
  const keeping = files.filter(
    (file) => file.endsWith('.ts') && file !== APART && KEEPS.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  assert.ok(keeping.length > 30);
  assert.deepEqual(
    keeping.filter((file) => !NAMED.has(file)),
    [],
  );
});

test('every file that the page lists exists', () => {
  assert.deepEqual(
    [...NAMED].filter((file) => !existsSync(join(ROOT, file))),
    [],
  );
});
