import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { toResolverOption } from '#support/copy.ts';
import { ROOT } from './house.ts';

const RUN = join(import.meta.dirname, '../run.ts');
const FAILS = `import { test } from 'node:test'; test('fails', () => { throw new Error('on purpose'); });`;

test('a run with a failing test exits as failed, even if it started PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quern-failing-'));
  try {
    writeFileSync(join(folder, 'fails.test.mjs'), FAILS);
    const { NODE_TEST_CONTEXT: _context, QUERN_TEST_POSTGRES: _server, ...env } = process.env;
    const args = [toResolverOption(ROOT), RUN, 'quick', join(folder, 'fails.test.mjs')];
    const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 300_000 });
    assert.equal(status, 1, stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
