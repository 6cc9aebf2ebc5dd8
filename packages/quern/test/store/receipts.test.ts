import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ConnectionLost, type Db } from '#store/db.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { migrate } from '#store/migrate.ts';
import { openPostgres, POSTGRES_LIMITS } from '#store/postgres.ts';
import { openWithReceipts } from '#store/receipts.ts';
import { clockAt } from '../support/clock.ts';
import { openCutting } from '../support/cutting.ts';
import { losing } from '../support/losing.ts';
import { withSchema } from '../support/schema.ts';
import { ignore, onEveryStore, withStoreKind } from '../support/store.ts';

const ADD = 'update counters set n = n + 1 where id = $1 returning n';
const DAY_MS = 24 * 3600 * 1000;

async function addCounter(db: Db): Promise<void> {
  await db.query('create table counters (id text primary key, n bigint not null)');
  await db.query("insert into counters (id, n) values ('a', 0)");
}

async function read(db: Db): Promise<unknown> {
  return (await db.query("select n from counters where id = 'a'"))[0]?.['n'];
}

/** Counts in a transaction, in shared commits and by single statements; returns each result. */
async function countInEachWay(db: Db, times: number): Promise<readonly unknown[]> {
  const inTurn = createGroupCommit(db, SYSTEM_CLOCK);
  const ways = [
    async () => db.transaction(async (tx) => tx.query(ADD, ['a'])),
    async () => inTurn({ name: 'counter a' }, async (tx) => tx.query(ADD, ['a'])),
    async () => db.query(ADD, ['a']),
  ];
  const rows = await Promise.all(Array.from({ length: times }, async (_, at) => ways[at % ways.length]?.()));
  return rows.map((found) => found?.[0]?.['n']).toSorted((a, b) => Number(a) - Number(b));
}

const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, at) => at + 1);

onEveryStore('a commit whose answer is lost happens once, and its caller gets the result', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await addCounter(db);
    const store = await openWithReceipts(
      losing(db, () => true),
      SYSTEM_CLOCK,
    );
    assert.deepEqual(await countInEachWay(store, 60), upTo(60));
    assert.equal(await read(db), 60);
  });
});

onEveryStore('work whose connection broke before its commit is retried, and work that throws is not', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await addCounter(db);
    const store = await openWithReceipts(db, SYSTEM_CLOCK);
    let broken = 0;
    const rows = await store.transaction(async (tx) => {
      const found = await tx.query(ADD, ['a']);
      broken += 1;
      if (broken < 3) throw new ConnectionLost('it broke');
      return found;
    });
    assert.deepEqual([rows[0]?.['n'], broken], [1, 3]);
    const mistake = new Error('mistake');
    const failing = store.transaction(async (tx) => {
      await tx.query(ADD, ['a']);
      throw mistake;
    });
    await assert.rejects(failing, mistake);
    assert.equal(await read(db), 1);
  });
});

onEveryStore('a lasting store outage is reported, and receipts of dead processes are deleted', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await addCounter(db);
    let now = Date.now();
    const away: Db = { ...db, transaction: async () => Promise.reject(new ConnectionLost('away')) };
    await assert.rejects(
      (
        await openWithReceipts(
          away,
          clockAt(() => now),
        )
      ).query(ADD, ['a']),
      ConnectionLost,
    );
    const store = await openWithReceipts(
      db,
      clockAt(() => now),
    );
    await countInEachWay(store, 30);
    const kept = async (): Promise<number> => (await db.query('select slot from receipts')).length;
    await countInEachWay(store, 30);
    // One for each concurrent transaction, not for each commit.
    assert.ok((await kept()) <= 30);
    now += DAY_MS + 1;
    await openWithReceipts(
      db,
      clockAt(() => now),
    );
    assert.equal(await kept(), 0);
    assert.equal((await store.query(ADD, ['a']))[0]?.['n'], 61);
  });
});

test('no call fails if the connection drops between a commit and its answer', async () => {
  await withSchema(async (schema) => {
    await using cutting = await openCutting(Number(new URL(schema).port));
    const url = new URL(schema);
    url.port = String(cutting.port);
    const db = openPostgres(url.href, { ...POSTGRES_LIMITS, clock: SYSTEM_CLOCK, report: ignore });
    try {
      await migrate(db);
      await addCounter(db);
      const store = await openWithReceipts(db, SYSTEM_CLOCK);
      cutting.cut(6);
      assert.deepEqual(await countInEachWay(store, 60), upTo(60));
      assert.equal(cutting.cuts(), 6);
      assert.equal(await read(db), 60);
    } finally {
      await db.close();
    }
  });
});
