import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Db } from '#store/db.ts';
import { groupCommits } from '#store/group-commit.ts';
import { openSqlite } from '#store/sqlite.ts';
import { inTemporaryFolder } from '../support/store.ts';

/** How each store is opened for the suite; what follows holds for every one of them. */
const STORES = {
  sqlite: async (folder: string): Promise<Db> => openSqlite(join(folder, 'store.db'), { sync: 'normal' }),
};

for (const [name, open] of Object.entries(STORES)) {
  suite(`the store ${name}`, () => {
    test('numbered parameters may repeat and come in any order', async () => {
      await withCounters(open, async (db) => {
        await db.query('insert into counters (id, n) values ($2, $1)', [5, 'a']);
        const rows = await db.query('select id, n from counters where id = $1 or id = $1 || $2', ['a', 'b']);
        assert.deepEqual(
          rows.map((row) => ({ ...row })),
          [{ id: 'a', n: 5 }],
        );
      });
    });

    test('a write answers its returning clause', async () => {
      await withCounters(open, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 1]);
        const rows = await db.query('update counters set n = n + 1 where id = $1 returning n', ['a']);
        assert.equal(rows[0]?.['n'], 2);
        assert.equal((await db.query('update counters set n = 0 where id = $1 returning n', ['b'])).length, 0);
      });
    });

    test('a transaction that throws leaves nothing behind and throws the same error', async () => {
      await withCounters(open, async (db) => {
        const mistake = new Error('midway');
        const failing = db.transaction(async (tx) => {
          await tx.query('insert into counters (id, n) values ($1, $2)', ['a', 1]);
          throw mistake;
        });
        await assert.rejects(failing, mistake);
        assert.equal(await read(db, 'a'), undefined);
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 2]);
        assert.equal(await read(db, 'a'), 2);
      });
    });

    test('a transaction reads its own writes', async () => {
      await withCounters(open, async (db) => {
        const seen = await db.transaction(async (tx) => {
          await tx.query('insert into counters (id, n) values ($1, $2)', ['a', 7]);
          return (await tx.query('select n from counters where id = $1', ['a']))[0]?.['n'];
        });
        assert.equal(seen, 7);
      });
    });

    test('a check and a unique key refuse what breaks them', async () => {
      await withCounters(open, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 1]);
        await assert.rejects(db.query('update counters set n = n - 2 where id = $1', ['a']));
        await assert.rejects(db.query('insert into counters (id, n) values ($1, $2)', ['a', 1]));
        assert.equal(await read(db, 'a'), 1);
      });
    });

    test('100 interleaved transactions and single statements keep out of each other', async () => {
      await withCounters(open, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2), ($3, $4)', ['a', 0, 'b', 0]);
        const moves = Array.from({ length: 100 }, async (_, at) => {
          if (at % 3 === 0) await turn();
          if (at % 2 === 0) return db.query('update counters set n = n + 1 where id = $1', ['b']);
          return db.transaction(async (tx) => {
            const n = Number((await tx.query('select n from counters where id = $1', ['a']))[0]?.['n']);
            await Promise.resolve();
            await tx.query('update counters set n = $2 where id = $1', ['a', n + 1]);
          });
        });
        await Promise.all(moves);
        assert.deepEqual([await read(db, 'a'), await read(db, 'b')], [50, 50]);
      });
    });

    test('a failed transaction among others takes none of them with it', async () => {
      await withCounters(open, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 0]);
        const outcomes = await Promise.allSettled(
          Array.from({ length: 40 }, async (_, at) =>
            db.transaction(async (tx) => {
              await tx.query('update counters set n = n + 1 where id = $1', ['a']);
              if (at % 4 === 0) throw new Error('no');
            }),
          ),
        );
        assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 10);
        assert.equal(await read(db, 'a'), 30);
      });
    });

    test('work of one turn shares a commit and nobody is told before it', async () => {
      await withCounters(open, async (db) => {
        const inTurn = groupCommits(db);
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 0]);
        const add = async (): Promise<unknown> =>
          inTurn(
            async (tx) => (await tx.query('update counters set n = n + 1 where id = $1 returning n', ['a']))[0]?.['n'],
          );
        assert.deepEqual(await Promise.all([add(), add(), add()]), [1, 2, 3]);
        assert.equal(await read(db, 'a'), 3);
      });
    });

    test('a throw in shared work fails that work alone', async () => {
      await withCounters(open, async (db) => {
        const inTurn = groupCommits(db);
        const good = inTurn(async (tx) => tx.query('insert into counters (id, n) values ($1, $2)', ['a', 1]));
        const bad = inTurn(async () => {
          throw new Error('mistake');
        });
        const outcomes = await Promise.allSettled([good, bad]);
        assert.deepEqual(
          outcomes.map(({ status }) => status),
          ['fulfilled', 'rejected'],
        );
        assert.equal(await read(db, 'a'), 1);
      });
    });

    test('what was committed is there after the store is opened again', async () => {
      await inTemporaryFolder(async (folder) => {
        const first = await open(folder);
        await first.query('create table counters (id text primary key, n bigint not null)');
        await first.query('insert into counters (id, n) values ($1, $2)', ['a', 9_007_199_254_740_991]);
        await first.close();
        const second = await open(folder);
        assert.equal(await read(second, 'a'), 9_007_199_254_740_991);
        await second.close();
      });
    });
  });
}

async function withCounters(open: (folder: string) => Promise<Db>, work: (db: Db) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const db = await open(folder);
    await db.query('create table counters (id text primary key, n bigint not null check (n >= 0))');
    await work(db);
    await db.close();
  });
}

async function read(db: Db, id: string): Promise<unknown> {
  return (await db.query('select n from counters where id = $1', [id]))[0]?.['n'];
}
