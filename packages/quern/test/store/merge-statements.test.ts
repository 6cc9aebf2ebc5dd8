import assert from 'node:assert/strict';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { TRANSACTION_ENDED, type Row, type SqlValue } from '#store/db.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { isMergeable, mergeCalls } from '#store/merge-statements.ts';
import { test } from 'node:test';
import { onEveryStore, withStoreKind } from '#support/store.ts';

const ADD = 'insert into counters (id, n) values ($1, $2) on conflict (id) do nothing returning id, n';
const COUNT = `with calls (name, more) as (values ($1, cast($2 as bigint)))
  update counters set n = n + more from calls where id = name returning id, n`;

test('equal concurrent statements are merged, and each caller gets its own rows', async () => {
  const sent: { readonly sql: string; readonly values: readonly SqlValue[] }[] = [];
  const merged = mergeCalls({
    async query(sql, values = []): Promise<readonly Row[]> {
      sent.push({ sql, values });
      return [
        { id: 'b', n: 7 },
        { id: 'a', n: 5 },
      ];
    },
  });
  const rows = await Promise.all(['a', 'b', 'c'].map(async (id) => merged.query(COUNT, [id, 1])));
  assert.deepEqual(rows, [[{ id: 'a', n: 5 }], [{ id: 'b', n: 7 }], []]);
  assert.equal(sent.length, 1);
  assert.match(sent[0]?.sql ?? '', /\(\$1, cast\(\$2 as bigint\)\), \(\$3, cast\(\$4 as bigint\)\), \(\$5, cast/);
  assert.deepEqual(sent[0]?.values, ['a', 1, 'b', 1, 'c', 1]);
});

onEveryStore('merged inserts and updates have the effect of the separate ones', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await db.query('create table counters (id text primary key, n bigint not null)');
    const inTurn = createGroupCommit(db, SYSTEM_CLOCK);
    const ids = Array.from({ length: 50 }, (_, at) => `c${at}`);
    const made = await Promise.all(
      [...ids, 'c0'].map(async (id, at) => inTurn({ name: `counter ${id}` }, async (tx) => tx.query(ADD, [id, at]))),
    );
    assert.equal(made.filter((rows) => rows.length === 1).length, 50);
    const counted = await Promise.all(
      ids.map(async (id, at) => inTurn({ name: `counter ${id}` }, async (tx) => tx.query(COUNT, [id, at]))),
    );
    assert.deepEqual(
      counted.map(([row]) => [row?.['id'], row?.['n']]),
      ids.map((id, at) => [id, at * 2]),
    );
  });
});

test('a statement with a parameter after its values is sent separately for each caller', async () => {
  const raise = 'insert into counters (id, n) values ($1, $2) on conflict (id) do update set n = $2';
  const sent: (readonly SqlValue[])[] = [];
  const merged = mergeCalls({
    async query(_sql, values = []): Promise<readonly Row[]> {
      sent.push(values);
      return [];
    },
  });
  await Promise.all(['a', 'b'].map(async (id, at) => merged.query(raise, [id, at])));
  assert.deepEqual(sent, [
    ['a', 0],
    ['b', 1],
  ]);
  assert.deepEqual(
    [isMergeable(raise), isMergeable(ADD), isMergeable(ADD.replace('$2)', '$2), ($3, $4)'))],
    [false, true, true],
  );
});

onEveryStore('failed work leaves no statement that still takes effect', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await db.query('create table counters (id text primary key, n bigint not null)');
    const inTurn = createGroupCommit(db, SYSTEM_CLOCK);
    const failing = inTurn({ name: 'counter a' }, async (tx) => {
      await Promise.all([tx.query(ADD, ['a', 1]), tx.query(ADD, ['b', 1]), Promise.reject(new Error('failed'))]);
    });
    await assert.rejects(failing, /failed/);
    assert.deepEqual(await db.query('select * from counters'), []);
  });
});

onEveryStore('a statement after the end of its transaction is rejected', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await db.query('create table counters (id text primary key, n bigint not null)');
    const late = await db.transaction(async (tx) => ({ add: async () => tx.query(ADD, ['a', 1]) }));
    await assert.rejects(late.add(), new RegExp(TRANSACTION_ENDED));
    assert.deepEqual(await db.query('select * from counters'), []);
  });
});
