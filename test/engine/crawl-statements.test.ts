import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { BULK_STATEMENTS } from '#features/crawl/frontier/bulk-statements.ts';
import { readRows } from '#store/rows.ts';
import { withStore } from '../support/store.ts';

const Step = z.object({ detail: z.string() });

test('a statement over many rows finds each by its key, however many a crawl has', async () =>
  withStore(async (db) => {
    for (const [name, sql] of Object.entries(BULK_STATEMENTS.sqlite)) {
      const values = sql.includes('$3') ? [1, 1, '[]'] : [1, '[]'];
      const steps = readRows(Step, await db.query(`explain query plan ${sql}`, values));
      const looks = steps.map(({ detail }) => detail).filter((detail) => detail.includes(' crawl_'));
      for (const look of looks) assert.match(look, /\(crawl=\? AND (?:key|seq|host)=\?\)$/, name);
    }
  }));
