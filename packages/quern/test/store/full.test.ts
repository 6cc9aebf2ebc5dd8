import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '#store/db.ts';
import { atPlace } from '../support/store.ts';

const ADD = 'insert into pages (id, body) values ($1, $2)';
const COUNT = 'select count(*) as n from pages';

test('a full embedded store rejects whole writes, can be read, and accepts writes again with free space', async () => {
  await atPlace('sqlite', async (open) => {
    const db = await open();
    await db.query('create table pages (id bigint primary key, body text not null)');
    await db.query('pragma max_page_count = 40');
    const body = 'x'.repeat(10_000);
    let kept = 0;
    const filling = async (): Promise<void> => {
      for (;;) {
        await db.transaction(async (tx) => {
          await tx.query(ADD, [kept * 2, body]);
          await tx.query(ADD, [kept * 2 + 1, body]);
        });
        kept += 1;
      }
    };
    await assert.rejects(filling(), StoreUnavailable);
    assert.ok(kept > 2);
    assert.equal((await db.query(COUNT))[0]?.['n'], kept * 2);
    await db.query('pragma max_page_count = 400');
    await db.query(ADD, [10_000, body]);
    assert.equal((await db.query(COUNT))[0]?.['n'], kept * 2 + 1);
  });
});
