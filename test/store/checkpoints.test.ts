import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { withStore } from '../support/store.ts';

const MUCH = 'x'.repeat(4000);
/** Less than who writes brings into the file by itself. */
const ROWS = 1200;
const MOST_LOOKS = 200;

test('what is written comes from the log into the file beside whoever writes, and is all there', async () => {
  await withStore(async (db, folder) => {
    const sizeOf = (): number => statSync(join(folder, 'quern.db')).size;
    const before = sizeOf();
    for (let at = 0; at < ROWS; at += 1) {
      await db.query(
        `insert into requests (tenant_id, id, at, operation, status, credits, duration_ms, attempts)
          values ('ten_1', $1, '', 'fetch', 200, 2, 1, $2)`,
        [String(at), MUCH],
      );
    }
    let looks = 0;
    for (; sizeOf() - before < 1_000_000 && looks < MOST_LOOKS; looks += 1) await wait(50);
    assert.ok(sizeOf() - before >= 1_000_000, 'the file has grown while the store is open');
    const [row] = await db.query('select count(*) as n from requests');
    assert.equal(row?.['n'], ROWS);
  });
});
