import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listUsage, showUsage } from '#features/account/operations.ts';
import { at, listAt } from '../support/members.ts';
import { type Gate, withGate } from './gate.ts';

/** Adds ledger rows of one tenant directly. */
async function charge(gate: Gate, rows: readonly (readonly [string, string, number])[]): Promise<void> {
  for (const [count, [day, operation, credits]] of rows.entries()) {
    gate.clock.set(`${day}T10:00:00Z`);
    const account = { key: `${day}-${count}`, tenant: gate.tenant, plan: gate.plan };
    await gate.billing.settle(account, { operation, credits, record: async () => {} });
  }
}

async function history(gate: Gate, query: Readonly<Record<string, unknown>> = {}) {
  const { answer, error } = await gate.ask(listUsage, query);
  if (answer === null) throw error ?? new Error('no answer');
  const rows = listAt(answer.body, 'data').map((row) => [
    at(row, 'date') ?? at(row, 'operation'),
    at(row, 'calls'),
    at(row, 'credits'),
  ]);
  return { rows, cursor: answer.body['next_cursor'] };
}

const SPENDING = [
  ['2026-11-02', 'fetch', 2],
  ['2026-11-02', 'crawl', 10],
  ['2026-11-03', 'fetch', 67],
  ['2026-11-20', 'map', 4],
  ['2026-11-21', 'fetch', 2],
] as const;

test('spending is listed by day, newest first, and by operation name', async () => {
  await withGate({ at: '2026-11-01T00:00:00Z' }, async (gate) => {
    await charge(gate, SPENDING);
    assert.deepEqual((await history(gate)).rows, [
      ['2026-11-21', 1, 2],
      ['2026-11-20', 1, 4],
      ['2026-11-03', 1, 67],
      ['2026-11-02', 2, 12],
    ]);
    assert.deepEqual((await history(gate, { by: 'operation' })).rows, [
      ['crawl', 1, 10],
      ['fetch', 3, 71],
      ['map', 1, 4],
    ]);
    assert.deepEqual((await history(gate, { from: '2026-11-03', to: '2026-11-20' })).rows, [
      ['2026-11-20', 1, 4],
      ['2026-11-03', 1, 67],
    ]);
  });
});

test('both lists can be read in pages to their end', async () => {
  await withGate({ at: '2026-11-01T00:00:00Z' }, async (gate) => {
    await charge(gate, SPENDING);
    for (const by of ['day', 'operation'] as const) {
      const all = await history(gate, { by });
      const paged: unknown[] = [];
      let cursor: unknown;
      do {
        const page = await history(gate, { by, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
        paged.push(...page.rows);
        cursor = page.cursor;
      } while (cursor !== null);
      assert.deepEqual(paged, all.rows);
    }
    const { cursor } = await history(gate, { limit: 1 });
    assert.equal((await gate.ask(listUsage, { limit: 1, by: 'operation', cursor })).code, 'invalid_request');
  });
});

test('a refund reduces the day of its charge, and a top-up does not count as spending', async () => {
  await withGate({ at: '2026-11-01T00:00:00Z' }, async (gate) => {
    await charge(gate, SPENDING);
    await gate.tenants.topUp(gate.tenant, 500);
    await gate.tenants.refund(gate.tenant, '2026-11-03-2');
    assert.deepEqual((await history(gate, { to: '2026-11-03' })).rows, [
      ['2026-11-03', 1, 0],
      ['2026-11-02', 2, 12],
    ]);
    const { answer } = await gate.ask(showUsage, {});
    assert.deepEqual(
      ['credits_used', 'credits_topped_up', 'credits_remaining', 'daily_used'].map((name) => answer?.body[name]),
      [18, 500, 50_000 + 500 - 18, 2],
    );
  });
});

test('the sum of a million calls is an exact integer', async () => {
  await withGate({ at: '2026-11-01T00:00:00Z' }, async (gate) => {
    await gate.db.query(
      `insert into ledger_days (tenant_id, day, operation, calls, credits)
       with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000)
       select $1, '2026-11-20', printf('%07d', n), 1000, 9007199253000 from numbers`,
      [gate.tenant],
    );
    gate.clock.set('2026-11-21T00:00:00Z');
    assert.deepEqual((await history(gate)).rows, [['2026-11-20', 1_000_000, 9_007_199_253_000_000]]);
  });
});
