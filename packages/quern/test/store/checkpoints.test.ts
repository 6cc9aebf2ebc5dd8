import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#store/db.ts';
import { withStore } from '../support/store.ts';

const MUCH = 'x'.repeat(4000);
/** Too few rows for a writer to checkpoint by itself. */
const ROWS = 4200;
const MAX_LOOKS = 1200;

/** How often the log was reset (SQLite file format, WAL header). */
function readRestarts(folder: string): number {
  const log = readFileSync(join(folder, 'quern.db-wal'));
  return log.length === 0 ? 0 : log.readUInt32BE(12);
}

async function write(db: Db, rows: number): Promise<void> {
  for (let at = 0; at < rows; at += 1) {
    await db.query(
      `insert into requests (tenant_id, id, at, operation, status, credits, duration_ms, attempts)
        values ('ten_1', $1, '', 'fetch', 200, 2, 1, $2)`,
      [String(at), MUCH],
    );
  }
}

test('the log is reset without another write, so that no request waits for the disk', async () => {
  await withStore(async (db, folder) => {
    const before = readRestarts(folder);
    await write(db, ROWS);
    let looks = 0;
    for (; readRestarts(folder) === before && looks < MAX_LOOKS; looks += 1) await wait(50);
    assert.ok(readRestarts(folder) > before);
    const [row] = await db.query('select count(*) as n from requests');
    assert.equal(row?.['n'], ROWS);
  });
});

test('checkpoints move all writes from the log to the file while others write', async () => {
  await withStore(async (db, folder) => {
    const readSize = (): number => statSync(join(folder, 'quern.db')).size;
    const before = readSize();
    await write(db, ROWS);
    let looks = 0;
    for (; readSize() - before < 1_000_000 && looks < MAX_LOOKS; looks += 1) await wait(50);
    assert.ok(readSize() - before >= 1_000_000, 'the file has grown while the store is open');
    const [row] = await db.query('select count(*) as n from requests');
    assert.equal(row?.['n'], ROWS);
  });
});
