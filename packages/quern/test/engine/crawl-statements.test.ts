import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { URL_STATEMENTS } from '#features/crawl/frontier/url-statements.ts';
import { createPageTaker } from '#features/crawl/frontier/claim-statements.ts';
import { readRows } from '#store/rows.ts';
import { TESTED_STORES, withStore, withStoreKind } from '../support/store.ts';

const Step = z.object({ detail: z.string() });

test('statements over many rows look up each by its key', async () =>
  withStore(async (db) => {
    for (const [name, sql] of Object.entries(URL_STATEMENTS.sqlite)) {
      const values = sql.includes('$3') ? [1, 1, '[]'] : [1, '[]'];
      const steps = readRows(Step, await db.query(`explain query plan ${sql}`, values));
      const looks = steps.map(({ detail }) => detail).filter((detail) => detail.includes(' crawl_'));
      for (const look of looks) assert.match(look, /\(crawl=\? AND (?:key|seq|host)=\?\)$/, name);
    }
  }));

const HOST = 'shop.example';
const ADD_PAGES = `insert into crawl_urls (crawl, seq, host, url, depth, state, source)
  select 1, i, '${HOST}', 'https://${HOST}/' || cast(i as text), 1, 0, 'link'
  from generate_series(cast($1 as bigint), cast($2 as bigint)) as i`;
/** The number of table rows and index entries that this transaction has read. */
const READ = `select cast(sum(pg_stat_get_xact_tuples_returned(own)) as bigint) as n from (
  select cast('crawl_urls' as regclass) as own
  union all select indexrelid from pg_index where indrelid = cast('crawl_urls' as regclass)) as all_of_it`;
const Read = z.object({ n: z.number() });

test(
  'a claim reads only the pages that it takes, even with outdated table statistics',
  { skip: !TESTED_STORES.includes('postgres') && 'PostgreSQL is left out of this run' },
  async () =>
    withStoreKind('postgres', async (db) => {
      await db.query(ADD_PAGES, [1, 1]);
      await db.query('analyze crawl_urls');
      await db.query(ADD_PAGES, [2, 2000]);
      const statements = createPageTaker('postgres', 1);
      const { n } = await db.transaction(async (tx) => {
        const taken = await statements.take(tx, [[HOST, 50]], { member: 1, depth: 1, most: 50, choice: 'in turn' });
        assert.equal(taken.length, 50);
        return Read.parse((await tx.query(READ))[0]);
      });
      assert.ok(n < 500, String(n));
    }),
);
