import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { type Db, type StoreKind, StoreUnavailable } from '#store/db.ts';
import { TRANSLATE_MIGRATION } from '#store/dialect.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { atPlace, TESTED_STORES } from '../support/store.ts';

for (const kind of TESTED_STORES) {
  suite(`the store ${kind}`, () => {
    test('numbered parameters may repeat and come in any order', async () => {
      await withCounters(kind, async (db) => {
        await db.query('insert into counters (id, n) values ($2, $1)', [5, 'a']);
        const rows = await db.query('select id, n from counters where id = $1 or id = $1 || $2', ['a', 'b']);
        assert.deepEqual(
          rows.map((row) => ({ ...row })),
          [{ id: 'a', n: 5 }],
        );
      });
    });

    test('a write returns the rows of its returning clause', async () => {
      await withCounters(kind, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 1]);
        const rows = await db.query('update counters set n = n + 1 where id = $1 returning n', ['a']);
        assert.equal(rows[0]?.['n'], 2);
        assert.equal((await db.query('update counters set n = 0 where id = $1 returning n', ['b'])).length, 0);
      });
    });

    test('a transaction that throws leaves nothing behind and throws the same error', async () => {
      await withCounters(kind, async (db) => {
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
      await withCounters(kind, async (db) => {
        const seen = await db.transaction(async (tx) => {
          await tx.query('insert into counters (id, n) values ($1, $2)', ['a', 7]);
          return (await tx.query('select n from counters where id = $1', ['a']))[0]?.['n'];
        });
        assert.equal(seen, 7);
      });
    });

    test('check and unique constraints are enforced', async () => {
      await withCounters(kind, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 1]);
        await assert.rejects(db.query('update counters set n = n - 2 where id = $1', ['a']));
        await assert.rejects(db.query('insert into counters (id, n) values ($1, $2)', ['a', 1]));
        assert.equal(await read(db, 'a'), 1);
      });
    });

    test('100 interleaved transactions and single statements are isolated from each other', async () => {
      await withCounters(kind, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2), ($3, $4)', ['a', 0, 'b', 0]);
        const moves = Array.from({ length: 100 }, async (_, at) => {
          if (at % 3 === 0) await turn();
          if (at % 2 === 0) return db.query('update counters set n = n + 1 where id = $1', ['b']);
          return db.transaction(async (tx) => {
            const n = Number((await tx.query(TAKE, ['a']))[0]?.['n']);
            await Promise.resolve();
            await tx.query('update counters set n = $2 where id = $1', ['a', n + 1]);
          });
        });
        await Promise.all(moves);
        assert.deepEqual([await read(db, 'a'), await read(db, 'b')], [50, 50]);
      });
    });

    test('a failed transaction does not affect concurrent ones', async () => {
      await withCounters(kind, async (db) => {
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

    test('work of one event loop turn shares a commit, and no caller resolves before it', async () => {
      await withCounters(kind, async (db) => {
        const inTurn = createGroupCommit(db, SYSTEM_CLOCK);
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 0]);
        const add = async (): Promise<unknown> =>
          inTurn(
            { name: 'counter a' },
            async (tx) => (await tx.query('update counters set n = n + 1 where id = $1 returning n', ['a']))[0]?.['n'],
          );
        assert.deepEqual(await Promise.all([add(), add(), add()]), [1, 2, 3]);
        assert.equal(await read(db, 'a'), 3);
      });
    });

    test('an error in shared work fails only that work', async () => {
      await withCounters(kind, async (db) => {
        const inTurn = createGroupCommit(db, SYSTEM_CLOCK);
        const good = inTurn({ name: 'counter a' }, async (tx) =>
          tx.query('insert into counters (id, n) values ($1, $2)', ['a', 1]),
        );
        const bad = inTurn({ name: 'counter a' }, async () => {
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

    test('committed data remains after the store is reopened', async () => {
      await atPlace(kind, async (open) => {
        const first = await open();
        await first.query('create table counters (id text primary key, n bigint not null)');
        await first.query('insert into counters (id, n) values ($1, $2)', ['a', 9_007_199_254_740_991]);
        await first.close();
        assert.equal(await read(await open(), 'a'), 9_007_199_254_740_991);
      });
    });

    test('an integer beyond the safe range of a number is rejected, not rounded', async () => {
      await withCounters(kind, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 9_007_199_254_740_993n]);
        await assert.rejects(read(db, 'a'), RangeError);
        await db.query('update counters set n = $1 where id = $2', [5, 'a']);
        assert.equal(await read(db, 'a'), 5);
      });
    });

    test('sums of integers are integers, and null for no rows', async () => {
      await withCounters(kind, async (db) => {
        const sum = async (): Promise<unknown> => (await db.query('select sum(n) as n from counters'))[0]?.['n'];
        assert.equal(await sum(), null);
        await db.query('insert into counters (id, n) values ($1, $2), ($3, $4)', ['a', 4, 'b', 3_000_000_000]);
        assert.equal(await sum(), 3_000_000_004);
      });
    });

    test('text with a NUL can be written and queried', async () => {
      await withCounters(kind, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2)', ['a\0b', 1]);
        assert.equal(await read(db, 'a\0b'), 1);
        assert.equal(await read(db, 'a'), undefined);
      });
    });

    test('bytes are read as they were written', async () => {
      await withCounters(kind, async (db) => {
        const bytes = Uint8Array.of(0, 1, 0, 255, 39, 92);
        await db.query(TRANSLATE_MIGRATION[kind]('create table blobs (id bigint primary key, content blob)'));
        await db.query('insert into blobs (id, content) values ($1, $2)', [1, bytes]);
        const content = (await db.query('select content from blobs'))[0]?.['content'];
        assert.ok(content instanceof Uint8Array);
        assert.deepEqual([...content], [...bytes]);
      });
    });

    test('a snapshot shows one moment, blocks nobody and rejects writes', async () => {
      await withCounters(kind, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 1]);
        await db.snapshot(async (view) => {
          await db.query('update counters set n = 2 where id = $1', ['a']);
          await db.transaction(async (tx) => tx.query('insert into counters (id, n) values ($1, $2)', ['b', 1]));
          const rows = await view.query('select id, n from counters order by id');
          assert.deepEqual(
            rows.map((row) => ({ ...row })),
            [{ id: 'a', n: 1 }],
          );
        });
        await assert.rejects(db.snapshot(async (view) => view.query('update counters set n = 3')));
        assert.deepEqual([await read(db, 'a'), await read(db, 'b')], [2, 1]);
        await assert.rejects(
          db.snapshot(async () => {
            throw new Error('mistake');
          }),
          /^Error: mistake$/,
        );
      });
    });

    test('select * statements continue to work when another process adds a column', async () => {
      await atPlace(kind, async (open) => {
        const [db, other] = [await open(), await open()];
        await db.query('create table counters (id text primary key, n bigint not null)');
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 1]);
        const look = async (): Promise<unknown> => (await db.query('select * from counters'))[0]?.['n'];
        const count = async (): Promise<unknown> =>
          (await db.transaction(async (tx) => tx.query('update counters set n = n + 1 returning *')))[0]?.['n'];
        assert.deepEqual([await look(), await count()], [1, 2]);
        await other.query("alter table counters add column motto text not null default 'grind'");
        assert.deepEqual([await look(), await count()], [2, 3]);
      });
    });

    test('a failed statement fails its whole transaction, even if the work continues', async () => {
      await withCounters(kind, async (db) => {
        await db.query('insert into counters (id, n) values ($1, $2)', ['a', 1]);
        const work = db.transaction(async (tx) => {
          await tx.query('insert into counters (id, n) values ($1, $2)', ['b', 1]);
          await tx.query('insert into counters (id, n) values ($1, $2)', ['a', 1]).catch(() => undefined);
        });
        await assert.rejects(work);
        assert.equal(await read(db, 'b'), undefined);
      });
    });

    test('transactions that lock the same rows in opposite order all end, completely or not at all', async () => {
      await withCounters(kind, async (db) => {
        await db.query('insert into counters (id, n) values ($1, 0), ($2, 0)', ['a', 'b']);
        const add = async (first: string, second: string): Promise<void> =>
          db.transaction(async (tx) => {
            for (const id of [first, second]) await tx.query('update counters set n = n + 1 where id = $1', [id]);
          });
        const outcomes = await Promise.allSettled(
          Array.from({ length: 12 }, async (_, at) => (at % 2 === 0 ? add('a', 'b') : add('b', 'a'))),
        );
        const refused = outcomes.filter(({ status }) => status === 'rejected');
        assert.ok(refused.every((one) => one.status === 'rejected' && one.reason instanceof StoreUnavailable));
        const done = outcomes.length - refused.length;
        assert.ok(done > 0);
        assert.deepEqual([await read(db, 'a'), await read(db, 'b')], [done, done]);
      });
    });
  });
}

/** Reads and locks a row. */
const TAKE = 'update counters set n = n where id = $1 returning n';

async function withCounters(kind: StoreKind, work: (db: Db) => Promise<void>): Promise<void> {
  await atPlace(kind, async (open) => {
    const db = await open();
    await db.query('create table counters (id text primary key, n bigint not null check (n >= 0))');
    await work(db);
  });
}

async function read(db: Db, id: string): Promise<unknown> {
  return (await db.query('select n from counters where id = $1', [id]))[0]?.['n'];
}
