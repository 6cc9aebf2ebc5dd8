import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate } from '#store/migrate.ts';
import { lockDataDir } from '#store/serve-lock.ts';
import { openSqlite } from '#store/sqlite.ts';
import { inTemporaryFolder, withStore } from '../support/store.ts';

test('migrating twice changes nothing', async () => {
  await withStore(async (db) => {
    const before = await db.query('select version from migrations order by version');
    await migrate(db);
    assert.deepEqual(await db.query('select version from migrations order by version'), before);
  });
});

test('two starts at once apply each file once', async () => {
  await inTemporaryFolder(async (folder) => {
    const stores = [1, 2].map(() => openSqlite(join(folder, 'quern.db'), { sync: 'normal' }));
    await Promise.all(stores.map(async (db) => migrate(db)));
    await Promise.all(stores.map(async (db) => db.close()));
  });
});

test('a schema newer than the code is refused and left as it is', async () => {
  await withStore(async (db) => {
    await db.query('insert into migrations (version) values ($1)', [999]);
    await assert.rejects(migrate(db), /newer Quern \(schema 999/);
    assert.equal((await db.query('select id from tenants')).length, 0);
  });
});

test('one data folder serves one service at a time, and is free again after it', async () => {
  await inTemporaryFolder(async (folder) => {
    const first = lockDataDir(folder);
    assert.throws(() => lockDataDir(folder), /another quern serve uses it/);
    first.release();
    lockDataDir(folder).release();
  });
});
