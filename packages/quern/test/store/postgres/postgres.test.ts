import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { type Db, StoreUnavailable } from '#store/db.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { migrate } from '#store/migrate.ts';
import { openPostgres, POSTGRES_LIMITS, type PostgresOptions } from '#store/postgres.ts';
import { openWithReceipts } from '#store/receipts.ts';
import { openBlackhole } from '../../support/blackhole.ts';
import { runStatement, startPostgres } from '#testkit/postgres.ts';
import { withSchema } from '../../support/schema.ts';
import { ignore } from '../../support/store.ts';

const COUNT = 'update counters set n = n + 1 where id = $1 returning n';
const READ = 'select n from counters where id = $1';
const KILL_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = current_setting('application_name') and pid <> pg_backend_pid()`;

type Opened = { readonly db: Db; readonly url: string; readonly reported: readonly unknown[] };

/** Work on a counter `a` of 0, through a pool with the limits given; each has a name of its own on the server. */
async function withCounter(
  limits: Partial<PostgresOptions>,
  work: (opened: Opened) => Promise<void>,
  server?: string,
): Promise<void> {
  await withSchema(async (schema) => {
    const named = new URL(schema);
    named.searchParams.set('application_name', `test-${process.pid}-${Math.trunc(performance.now() * 1000)}`);
    const url = named.href;
    const reported: unknown[] = [];
    const db = openPostgres(url, {
      ...POSTGRES_LIMITS,
      clock: SYSTEM_CLOCK,
      report: (error) => void reported.push(error),
      ...limits,
    });
    try {
      await db.query('create table counters (id text primary key, n bigint not null check (n >= 0))');
      await db.query('insert into counters (id, n) values ($1, $2)', ['a', 0]);
      await work({ db, url, reported });
    } finally {
      await db.close();
    }
  }, server);
}

async function read(db: Db): Promise<unknown> {
  return (await db.query(READ, ['a']))[0]?.['n'];
}

/** Calls until the store recovers, however long that takes. */
async function untilServed<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

test('idle connections ended by the server are reported, and no call fails', async () => {
  await withCounter({}, async ({ db, url, reported }) => {
    await Promise.all(Array.from({ length: 5 }, async () => db.query(COUNT, ['a'])));
    await runStatement(url, KILL_OTHERS);
    assert.equal(await read(db), 5);
    await runStatement(url, KILL_OTHERS);
    assert.equal(await db.transaction(async (tx) => (await tx.query(COUNT, ['a']))[0]?.['n']), 6);
    assert.ok(reported.length > 0);
  });
});

test('no call fails if a connection loses its prepared statements or its tables change', async () => {
  await withCounter({ connections: 1 }, async ({ db }) => {
    const count = async (): Promise<unknown> =>
      db.transaction(
        async (tx) => (await tx.query('update counters set n = n + 1 where id = $1 returning *', ['a']))[0],
      );
    const show = async () => (await db.query('select * from counters where id = $1', ['a']))[0];
    for (let n = 1; n <= 6; n += 1) assert.deepEqual(await count(), { id: 'a', n });
    assert.deepEqual(await show(), { id: 'a', n: 6 });
    await db.query('deallocate all');
    assert.deepEqual(await count(), { id: 'a', n: 7 });
    await db.query('deallocate all');
    assert.deepEqual(await show(), { id: 'a', n: 7 });
    await db.query('alter table counters add column more text');
    assert.deepEqual(await count(), { id: 'a', n: 8, more: null });
    await db.query('alter table counters add column still text');
    assert.deepEqual(await show(), { id: 'a', n: 8, more: null, still: null });
  });
});

test('a pooler without prepared statements is supported', async () => {
  await withCounter({ connections: 1 }, async ({ db }) => {
    for (let n = 1; n <= 60; n += 1) {
      assert.equal((await db.query(COUNT, ['a']))[0]?.['n'], n);
      await db.query('deallocate all');
    }
  });
});

test('a connection that ends during a transaction rolls it back completely', async () => {
  await withCounter({}, async ({ db, url }) => {
    const cut = db.transaction(async (tx) => {
      await tx.query(COUNT, ['a']);
      await runStatement(url, KILL_OTHERS);
      return tx.query(COUNT, ['a']);
    });
    await assert.rejects(cut, StoreUnavailable);
    assert.equal(await read(db), 0);
    await db.transaction(async (tx) => tx.query(COUNT, ['a']));
    assert.equal(await read(db), 1);
  });
});

test('a shared commit is retried if its connection ends, and its callers succeed', async () => {
  await withCounter({}, async ({ db, url }) => {
    await migrate(db);
    const inTurn = createGroupCommit(await openWithReceipts(db, SYSTEM_CLOCK), SYSTEM_CLOCK);
    const cuts = [true];
    const count = async (id: string): Promise<unknown> =>
      inTurn({ name: 'counter a' }, async (tx) => {
        const rows = await tx.query(COUNT, [id]);
        if (cuts.pop() === true) await runStatement(url, KILL_OTHERS);
        return rows[0]?.['n'];
      });
    assert.deepEqual(await Promise.all([count('a'), count('a'), count('a')]), [1, 2, 3]);
    assert.equal(await read(db), 3);
  });
});

test('calls beyond the pool size wait, fail in time, and the pool recovers by itself', async () => {
  await withCounter({ connections: 2, connectMs: 1000 }, async ({ db }) => {
    const gate = Promise.withResolvers<void>();
    const holding = [1, 2].map(async () =>
      db.transaction(async (tx) => {
        await tx.query('select 1');
        await gate.promise;
      }),
    );
    await assert.rejects(db.query(COUNT, ['a']), StoreUnavailable);
    gate.resolve();
    await Promise.all(holding);
    assert.equal((await db.query(COUNT, ['a']))[0]?.['n'], 1);
  });
});

test('a statement that waits too long for a lock fails in time', async () => {
  await withCounter({ statementMs: 200 }, async ({ db }) => {
    await db.transaction(async (tx) => {
      await tx.query(COUNT, ['a']);
      await assert.rejects(db.query(COUNT, ['a']), StoreUnavailable);
    });
    assert.equal(await read(db), 1);
  });
});

test('a process that hangs in a transaction releases its rows before other waiters time out', async () => {
  await withCounter({ connectMs: 60_000 }, async ({ db, url }) => {
    const other = openPostgres(url, { ...POSTGRES_LIMITS, connectMs: 60_000, clock: SYSTEM_CLOCK, report: ignore });
    const [holds, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const silent = db.transaction(async (tx) => {
      await tx.query(COUNT, ['a']);
      holds.resolve();
      await isOver.promise;
    });
    await holds.promise;
    assert.equal((await other.query(COUNT, ['a']))[0]?.['n'], 1);
    isOver.resolve();
    await assert.rejects(silent, StoreUnavailable);
    await other.close();
  });
});

test('of two deadlocked transactions, the aborted one is retried', async () => {
  await withCounter({}, async ({ db }) => {
    await db.query('insert into counters (id, n) values ($1, $2)', ['b', 0]);
    let runs = 0;
    const both = [1, 2].map(() => Promise.withResolvers<void>());
    const add = async (at: 0 | 1): Promise<void> => {
      const [first, second] = at === 0 ? ['a', 'b'] : ['b', 'a'];
      await db.transaction(async (tx) => {
        runs += 1;
        await tx.query(COUNT, [first ?? '']);
        both[at]?.resolve();
        await Promise.all(both.map(async ({ promise }) => promise));
        await tx.query(COUNT, [second ?? '']);
      });
    };
    await Promise.all([add(0), add(1)]);
    assert.equal(runs, 3);
    assert.equal(await read(db), 2);
  });
});

test('a statement error is not mistaken for a store outage', async () => {
  await withCounter({}, async ({ db }) => {
    await assert.rejects(db.query('select nothing from nowhere'), (error) => !(error instanceof StoreUnavailable));
    await assert.rejects(
      db.query('update counters set n = -1'),
      (error) => error instanceof Error && !(error instanceof StoreUnavailable),
    );
  });
});

test('calls over a silent link fail in time, and the first one after recovery succeeds', async () => {
  const limits = { connections: 4, connectMs: 1000, statementMs: 500, idleMs: 10_000 };
  await withSchema(async (schema) => {
    await using blackhole = await openBlackhole(Number(new URL(schema).port));
    const url = new URL(schema);
    url.port = String(blackhole.port);
    const db = openPostgres(url.href, { ...limits, clock: SYSTEM_CLOCK, report: ignore });
    try {
      await db.query('create table counters (id text primary key, n bigint not null)');
      await db.query('insert into counters (id, n) values ($1, $2)', ['a', 0]);
      await Promise.all(Array.from({ length: 4 }, async () => db.query(COUNT, ['a'])));
      blackhole.swallow();
      // On an old connection, then on a new one.
      await assert.rejects(db.query(READ, ['a']), StoreUnavailable);
      await assert.rejects(db.query(READ, ['a']), StoreUnavailable);
      blackhole.heal();
      assert.equal(await read(db), 4);
      blackhole.swallow();
      await assert.rejects(
        db.transaction(async (tx) => tx.query(COUNT, ['a'])),
        StoreUnavailable,
      );
      blackhole.heal();
      assert.equal(await read(db), 4);
    } finally {
      await db.close();
    }
  });
});

test('calls fail while the server is down, and all acknowledged data remains after its restart', async () => {
  const server = await startPostgres();
  try {
    await withCounter(
      { connectMs: 500 },
      async ({ db }) => {
        const inTurn = createGroupCommit(db, SYSTEM_CLOCK);
        const count = async (): Promise<unknown> => inTurn({ name: 'counter a' }, async (tx) => tx.query(COUNT, ['a']));
        let counted = 0;
        const load = Array.from({ length: 4 }, async () => {
          for (let turn = 0; turn < 50; turn += 1) {
            await count().then(
              () => (counted += 1),
              (error: unknown) => assert.ok(error instanceof StoreUnavailable),
            );
          }
        });
        await server.pause();
        await assert.rejects(count(), StoreUnavailable);
        await Promise.all(load);
        await server.resume();
        const after = Number(await untilServed(async () => read(db)));
        assert.ok(after >= counted, `${counted} were acknowledged, and ${after} are there`);
        await count();
        assert.equal(await read(db), after + 1);
      },
      server.url,
    );
  } finally {
    await server.stop();
  }
});

test('closing does not wait for a silent link', async () => {
  await withSchema(async (schema) => {
    await using blackhole = await openBlackhole(Number(new URL(schema).port));
    const url = new URL(schema);
    url.port = String(blackhole.port);
    const db = openPostgres(url.href, { ...POSTGRES_LIMITS, clock: SYSTEM_CLOCK, report: ignore });
    await db.query('select 1');
    blackhole.swallow();
    await db.close();
  });
});
