import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { findPostgres } from '../support/schema.ts';
import { inTemporaryFolder } from '../support/store.ts';

/*
 * Whether the tests of credits would notice: each mutation takes one guard out of a copy of the project, and the tests
 * named with it must fail there. Without any mutation they pass in the same copy.
 */
type Edit = { readonly file: string; readonly from: string; readonly to: string };
type Mutation = Edit & {
  /** A second guard against the same, which is taken out too. */
  readonly also?: Edit;
  /** Start of the name of the test that must notice. */
  readonly noticed: string;
};

const BALANCE = 'sqlite: 400 spenders at the edge';
const CAP = 'sqlite: the daily cap refuses';
const ONCE = 'two processes that settle one call';
const CREDIT = 'sqlite: credit gives back one charge, once';

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'the balance is not asked': {
    file: 'src/engine/billing.ts',
    from: 'topped_up - used end - reserved >= $4',
    to: 'topped_up - used end - reserved >= $4 - 1000000',
    noticed: BALANCE,
  },
  'the balance is not asked of several calls at once': {
    file: 'src/engine/billing.ts',
    from: 'topped_up - used end - reserved >= asked.credits',
    to: 'topped_up - used end - reserved >= asked.credits - 1000000',
    noticed: BALANCE,
  },
  'the daily cap is not asked': {
    file: 'src/engine/billing.ts',
    from: 'day_used end - reserved >= $4',
    to: 'day_used end - reserved >= $4 - 1000000',
    noticed: CAP,
  },
  'the daily cap is not asked of several calls at once': {
    file: 'src/engine/billing.ts',
    from: 'day_used end - reserved >= asked.credits',
    to: 'day_used end - reserved >= asked.credits - 1000000',
    noticed: CAP,
  },
  'the ledger takes a key twice': {
    file: 'src/store/migrations/0001-core.sql',
    from: 'create table ledger (\n  key text primary key',
    to: 'create table ledger (\n  key text not null',
    also: { file: 'src/store/dialect.ts', from: ' for no key update', to: '' },
    noticed: ONCE,
  },
  'a charge can be given back twice': {
    file: 'src/engine/tenants.ts',
    from: 'const entry = [`refund:${key}`,',
    to: "const entry = [`refund:${newId('req', clock.now())}`,",
    noticed: CREDIT,
  },
};

const COPIED = ['package.json', 'src', 'test/support', 'test/engine/billing.test.ts', 'test/engine/processes.test.ts'];
const ROOT = join(import.meta.dirname, '../..');
const RUN_MS = 60_000;

/** Runs the named tests in a copy of the project; answers what the runner printed, and whether all passed. */
async function runMutated(names: readonly string[], mutation: Mutation | null) {
  const postgres = await findPostgres();
  return inTemporaryFolder(async (folder) => {
    for (const path of COPIED) await cp(join(ROOT, path), join(folder, path), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const edits = mutation === null ? [] : [mutation, ...(mutation.also === undefined ? [] : [mutation.also])];
    for (const { file: path, from, to } of edits) {
      const file = join(folder, path);
      const whole = await readFile(file, 'utf8');
      assert.equal(whole.split(from).length, 2, `${path} has the guard once`);
      await writeFile(
        file,
        whole.replace(from, () => to),
      );
    }
    const patterns = names.map((name) => `--test-name-pattern=^${name}`);
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=tap', ...patterns, 'test/engine/*.test.ts'],
      {
        cwd: folder,
        env: { ...environment, QUERN_TEST_POSTGRES: postgres },
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: RUN_MS,
      },
    );
    const closed = once(child, 'close');
    const printed = await text(child.stdout);
    const [code] = await closed;
    return { passed: code === 0, printed };
  });
}

test('in a copy without a mutation the tests of credits pass', async () => {
  const names = [BALANCE, CAP, ONCE, CREDIT];
  const { passed, printed } = await runMutated(names, null);
  assert.ok(passed, printed);
  for (const name of names) assert.match(printed, new RegExp(`^ *ok \\d+ - ${name}`, 'm'));
});

for (const [what, mutation] of Object.entries(MUTATIONS)) {
  test(`when ${what}, a test goes red`, async () => {
    const { passed, printed } = await runMutated([mutation.noticed], mutation);
    assert.equal(passed, false);
    assert.match(printed, new RegExp(`^ *not ok \\d+ - ${mutation.noticed}`, 'm'));
  });
}
