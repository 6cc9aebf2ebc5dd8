import { copyProgram, toResolverOption } from '#support/copy.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { findPostgres } from '#support/schema.ts';

/*
 * Checks the tests of credits and jobs: each mutation removes one check from a copy of the project, and the test listed
 * with it must fail there. Without a mutation the tests pass in the same copy.
 */
type Change = { readonly file: string; readonly from: string; readonly to: string };

type Mutation = {
  readonly changes: readonly Change[];
  readonly noticed: Noticed;
};

/** The test that must fail: its file below test/engine, and the start of its name. */
type Noticed = { readonly file: string; readonly name: string };

const BALANCE = { file: 'billing.test.ts', name: 'sqlite: 400 concurrent calls at the end of a balance' };
const CAP = { file: 'billing.test.ts', name: 'sqlite: the daily cap is checked after the balance' };
const ONCE = { file: 'processes.test.ts', name: 'two processes that settle one call' };
const CREDIT = { file: 'billing.test.ts', name: 'sqlite: credit refunds one charge, once' };
const ZOMBIE = { file: 'jobs.test.ts', name: 'sqlite: a worker has no effect after its lease has expired' };
const LATE = { file: 'jobs.test.ts', name: 'sqlite: a worker that wakes after its lease has expired' };
const TOGETHER = { file: 'jobs.test.ts', name: 'sqlite: a charge and the end of its job' };
const CHAIN = { file: 'page-changes.test.ts', name: 'sqlite: calls at the same time form a chain' };
const ALL = [CHAIN, BALANCE, CAP, ONCE, CREDIT, ZOMBIE, LATE, TOGETHER];

const CREDITS = 'packages/quern/src/engine/credits/tenant-credits.ts';
const BILLING = 'packages/quern/src/engine/credits/billing.ts';
const LEASE = 'packages/quern/src/engine/jobs/lease.ts';
const ENDS = 'packages/quern/src/engine/jobs/job-ends.ts';
const COPIES = 'packages/quern/src/features/changes/page-copies.ts';
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'the balance is not checked': {
    changes: [
      {
        file: CREDITS,
        from: 'topped_up - used end - reserved >= $4',
        to: 'topped_up - used end - reserved >= $4 - 1000000',
      },
    ],
    noticed: BALANCE,
  },
  'the balance is not checked for a batch of calls': {
    changes: [
      {
        file: CREDITS,
        from: 'topped_up - used end - reserved >= asked.credits',
        to: 'topped_up - used end - reserved >= asked.credits - 1000000',
      },
    ],
    noticed: BALANCE,
  },
  'the daily cap is not checked': {
    changes: [{ file: CREDITS, from: 'day_used end - reserved >= $4', to: 'day_used end - reserved >= $4 - 1000000' }],
    noticed: CAP,
  },
  'the daily cap is not checked for a batch of calls': {
    changes: [
      {
        file: CREDITS,
        from: 'day_used end - reserved >= asked.credits',
        to: 'day_used end - reserved >= asked.credits - 1000000',
      },
    ],
    noticed: CAP,
  },
  'the ledger accepts a key twice': {
    changes: [
      {
        file: 'packages/quern/src/store/migrations/0001-core.sql',
        from: 'create table ledger (\n  key text primary key',
        to: 'create table ledger (\n  key text not null',
      },
      { file: 'packages/quern/src/store/dialect.ts', from: ' for no key update', to: '' },
    ],
    noticed: ONCE,
  },
  'a copy of a page is replaced that was not compared': {
    changes: [{ file: COPIES, from: 'key = $2 and version = $9', to: "key = $2 and $9 <> ''" }],
    noticed: CHAIN,
  },
  'a charge can be refunded twice': {
    changes: [
      {
        file: 'packages/quern/src/engine/credits/ledger.ts',
        from: 'at === 0 ? `refund:${key}` :',
        to: 'at === 0 ? `refund:${key}:${Math.random()}` :',
      },
    ],
    noticed: CREDIT,
  },
  'the lease is not checked before each effect': {
    changes: [
      {
        file: LEASE,
        from: 'set version = version from calls\n  where id = job and lease_token = token',
        to: "set version = version from calls\n  where id = job and token <> ''",
      },
    ],
    noticed: LATE,
  },
  'the end of a job does not check its lease': {
    changes: [
      {
        file: ENDS,
        from: 'from calls where id = job and lease_token = token',
        to: "from calls where id = job and token <> ''",
      },
    ],
    noticed: ZOMBIE,
  },
  'a charge is committed before the end of its job': {
    changes: [
      { file: BILLING, from: '(charge.finish ?? account.fence)?.(tx)', to: 'account.fence?.(tx)' },
      {
        file: BILLING,
        from: '    return row === null ? null : computeAvailable(',
        to: '    await this.#parts.db.transaction(async (tx) => charge.finish?.(tx));\n    return row === null ? null : computeAvailable(',
      },
    ],
    noticed: TOGETHER,
  },
};

/** Files that the tests in the copy need in addition to the program. */
const FURTHER = ['testkit', 'packages/quern/test/support', 'packages/quern/test/engine'];
const RUN_MS = 300_000;

let copy = '';
before(async () => {
  copy = await mkdtemp(join(tmpdir(), 'quern-test-'));
  await copyProgram(copy, FURTHER);
});
after(async () => rm(copy, { recursive: true, force: true }));

/** Runs the named tests in the copy of the project; returns the output, and whether all passed. */
async function runMutated(noticed: readonly Noticed[], changes: readonly Change[]) {
  const whole = new Map<string, string>();
  try {
    for (const { file, from, to } of changes) {
      const path = join(copy, file);
      const source = await readFile(path, 'utf8');
      if (!whole.has(path)) whole.set(path, source);
      assert.equal(source.split(from).length, 2, `${file} has the guard once`);
      await writeFile(
        path,
        source.replace(from, () => to),
      );
    }
    return await runInCopy(noticed);
  } finally {
    for (const [path, source] of whole) await writeFile(path, source);
  }
}

async function runInCopy(noticed: readonly Noticed[]) {
  const patterns = noticed.map(({ name }) => `--test-name-pattern=^${name}`);
  const files = new Set(noticed.map(({ file }) => join('packages/quern/test/engine', file)));
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const settings = { QUERN_TEST_POSTGRES: await findPostgres(), NODE_COMPILE_CACHE: join(copy, 'compiled') };
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      toResolverOption(copy),
      '--test',
      '--test-isolation=none',
      '--test-reporter=tap',
      ...patterns,
      ...files,
    ],
    { cwd: copy, env: { ...environment, ...settings }, stdio: ['ignore', 'pipe', 'inherit'], timeout: RUN_MS },
  );
  const closed = once(child, 'close');
  const printed = await text(child.stdout);
  const [code] = await closed;
  return { passed: code === 0, printed };
}

test('the tests of credits and jobs pass in an unmodified copy', async () => {
  const { passed, printed } = await runMutated(ALL, []);
  assert.ok(passed, printed);
  for (const { name } of ALL) assert.match(printed, new RegExp(`^ *ok \\d+ - ${name}`, 'm'));
});

for (const [what, { changes, noticed }] of Object.entries(MUTATIONS)) {
  test(`a test fails when ${what}`, async () => {
    const { passed, printed } = await runMutated([noticed], changes);
    assert.equal(passed, false);
    assert.match(printed, new RegExp(`^ *not ok \\d+ - ${noticed.name}`, 'm'));
  });
}
