import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/tenancy.md'), 'utf8');
const NAMED = new Set([...PAGE.matchAll(/`((?:src|test)\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file));

/** State that grows, or a queue of tenants: a field that is a collection, or places that are given by turns. */
const KEEPS = /^ {2}(?:readonly )?#\w+(?:: [^=\n]+)? = new (?:Map|Set)\b|\bopenTurns\(\{/m;
/** Browser code, parsers of one page, and the turns themselves. */
const APART = /^src\/(?:console|extract|sites)\/|^src\/kernel\/turns\.ts$/;

test('every file that keeps state is on the page that says what bounds it', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).map((file) => `src/${file}`);
  const keeping = files.filter(
    (file) => file.endsWith('.ts') && !APART.test(file) && KEEPS.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  assert.ok(keeping.length > 30);
  assert.deepEqual(
    keeping.filter((file) => !NAMED.has(file)),
    [],
  );
});

test('every file that the page names is there', () => {
  assert.deepEqual(
    [...NAMED].filter((file) => !existsSync(join(ROOT, file))),
    [],
  );
});
