import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Tenants } from '#engine/credits/tenants.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { migrate } from '#store/migrate.ts';
import { openMigratedStore } from '#store/open-store.ts';
import { loadKnownSchema } from '#store/schema.ts';
import { lockDataDir } from '#store/locks.ts';
import { openTestClock } from '../support/clock.ts';
import { atPlace, inTemporaryFolder, onEveryStore, withStoreKind } from '../support/store.ts';

onEveryStore('migrating twice changes nothing', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const before = await db.query('select version from migrations order by version');
    await migrate(db);
    assert.deepEqual(await db.query('select version from migrations order by version'), before);
  });
});

const unused = () => assert.fail('nothing is backed up');

test('a file that is not a database prevents the start with its name, and stays unchanged', async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, 'quern.db');
    await writeFile(file, 'rye '.repeat(2000));
    const place = { kind: 'sqlite', file, sync: 'normal' } as const;
    const backups = { dataDir: folder, secret: unused, openObjects: unused, now: unused, note: unused };
    const opening = openMigratedStore(place, { report: unused, clock: SYSTEM_CLOCK, backups });
    await assert.rejects(opening, /quern\.db cannot be opened \(file is not a database\)/);
    assert.equal(await readFile(file, 'utf8'), 'rye '.repeat(2000));
  });
});

onEveryStore('concurrent starts apply each file once', async (kind) => {
  await atPlace(kind, async (open) => {
    const stores = await Promise.all(Array.from({ length: 4 }, async () => open()));
    await Promise.all(stores.map(async (db) => migrate(db)));
  });
});

onEveryStore('0009 sets the reserved credits of a tenant to the sum of its reservations', async (kind) => {
  await withOldSchema(kind, 8, async (db) => {
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const tenants = new Tenants({ db, clock });
    const [holding, idle] = [await tenants.create('holding', 'starter'), await tenants.create('idle', 'starter')];
    for (const [key, credits] of [
      ['a', 3],
      ['b', 5],
    ] as const) {
      const values = [key, holding, credits, 'here'];
      await db.query('insert into reservations (key, tenant_id, credits, holder_id) values ($1, $2, $3, $4)', values);
    }
    await db.query('update tenants set reserved = 12');
    await migrate(db);
    const found = await db.query('select id, reserved from tenants');
    assert.deepEqual(
      new Map(found.map((row) => [row['id'], row['reserved']])),
      new Map([
        [holding, 8],
        [idle, 0],
      ]),
    );
  });
});

onEveryStore('0010 computes the days of the ledger from its entries', async (kind) => {
  await withOldSchema(kind, 9, async (db) => {
    const entries = [
      ['a', 'ten_1', '2026-11-20', 'charge', 'fetch', 2],
      ['b', 'ten_1', '2026-11-20', 'charge', 'fetch', 3],
      ['b:1', 'ten_1', '2026-11-20', 'part', 'fetch', 4],
      ['refund:a', 'ten_1', '2026-11-20', 'refund', 'fetch', -2],
      ['top_up:a', 'ten_1', '2026-11-20', 'top_up', 'top_up', 100],
      ['c', 'ten_2', '2026-11-21', 'charge', 'crawl', 5],
    ] as const;
    for (const [key, tenant, day, kindOf, operation, credits] of entries) {
      await db.query(
        `insert into ledger (key, tenant_id, at, cycle, day, kind, operation, credits)
          values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [key, tenant, `${day}T12:00:00.000Z`, '2026-11', day, kindOf, operation, credits],
      );
    }
    await migrate(db);
    const days = await db.query(
      'select tenant_id as tenant, day, operation, calls, credits from ledger_days order by tenant_id',
    );
    assert.deepEqual(
      days.map((row) => ({ ...row })),
      [
        { tenant: 'ten_1', day: '2026-11-20', operation: 'fetch', calls: 2, credits: 7 },
        { tenant: 'ten_2', day: '2026-11-21', operation: 'crawl', calls: 1, credits: 5 },
      ],
    );
  });
});

/** Runs work on a new store of an older schema. */
async function withOldSchema(kind: StoreKind, schema: number, work: (db: Db) => Promise<void>): Promise<void> {
  await atPlace(kind, async (open) => {
    const db = await open();
    const code = await loadKnownSchema();
    await migrate(db, { ...code, migrations: code.migrations.filter(({ version }) => version <= schema) });
    await work(db);
  });
}

onEveryStore('a schema newer than the code is rejected and left unchanged', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await db.query('insert into migrations (version, quern) values ($1, $2)', [999, '9.0.0']);
    await assert.rejects(migrate(db), /newer Quern \(9\.0\.0 with schema 999/);
    assert.equal((await db.query('select id from tenants')).length, 0);
  });
});

test('every text column of PostgreSQL compares bytes, like SQLite', async () => {
  await withStoreKind('postgres', async (db) => {
    const loose = await db.query(
      `select table_name, column_name from information_schema.columns
        where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'`,
    );
    assert.deepEqual(loose, []);
  });
});

test('a data folder is locked by one service at a time, and released afterwards', async () => {
  await inTemporaryFolder(async (folder) => {
    const first = lockDataDir(folder);
    assert.throws(() => lockDataDir(folder), /another quern serve uses it/);
    first.release();
    lockDataDir(folder).release();
  });
});
