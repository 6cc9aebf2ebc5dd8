import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Visit } from '#access/page.ts';
import { IndexBuilder } from '#features/search/index/index-builder.ts';
import type { SearchIndex } from '#features/search/index/search-index.ts';
import { inTemporaryFolder, onEveryStore, withStoreKind } from '#support/store.ts';
import { getOperation, runClaimed } from '#support/engine/queue.ts';
import { buildTestPage, type Gate, withGate } from '../engine/gate.ts';
import { addPages, ANY_TIME, buildIndexedPage, findUrls, indexBeside } from './search-index.ts';

const site: Visit = async ({ url }) =>
  buildTestPage({ url: url.href, text: `<title>Sack</title><h1>Sack</h1><p>Flour of ${url.pathname.slice(1)}.</p>` });

/** Tables as the first version of the index made them, with a page that is nowhere else. */
const OLD_PAGES = `create table search_progress (source text primary key, seq bigint not null, at text not null);
  insert into search_progress (source, seq, at) values ('begun', 1, '');
  create table search_pages (id ID, tenant_id text not null, key text not null, source text not null, url text not null,
    title text not null, description text not null, body text not null, language text, published_at text, sum text not null,
    indexed_at bigint not null, unique (tenant_id, key));`;
const OLD_WORDS = `create virtual table search_words using fts5(tenant, title, body, content='', contentless_delete=1);
  create trigger search_added after insert on search_pages begin
    insert into search_words (rowid, tenant, title, body) values (new.id, new.tenant_id, new.title, new.body); end;`;
const OLD_SQLITE = `${OLD_PAGES.replace('ID', 'integer primary key')}${OLD_WORDS}`;
const OLD_POSTGRES = [
  ...OLD_PAGES.replace('ID', 'bigint generated always as identity primary key').split(';').slice(0, 3),
  'alter table search_pages add column words int[], add column counts bytea, add column length bigint not null default 0',
  'create index search_pages_by_word on search_pages using gin (words)',
];
const OLD_ROW = `insert into search_pages (tenant_id, key, source, url, title, description, body, sum, indexed_at)
  values ('TENANT', 'old.example/', 'job:old', 'https://old.example/', 'Old', '', 'flour of old', 'x', 1)`;

async function makeOldIndex(gate: Gate, folder: string): Promise<void> {
  const row = OLD_ROW.replace('TENANT', gate.tenant);
  if (gate.db.kind === 'postgres') {
    for (const statement of [...OLD_POSTGRES, row]) await gate.db.query(statement);
    return;
  }
  const file = new DatabaseSync(join(folder, 'search.db'));
  file.exec(OLD_SQLITE);
  file.exec(row);
  file.close();
}

const NOT_READ = async (): Promise<never> => assert.fail('Markdown needs no parser');

async function crawl(gate: Gate, name: string): Promise<void> {
  const input = { url: `https://mill.example/${name}`, output: ['markdown'], respect_robots: false };
  const { error } = await gate.ask(getOperation('jobs.submit'), { kind: 'crawl', input });
  assert.equal(error, null);
  const [claimed] = await gate.queue.leases.claim('w', 1);
  assert.ok(claimed !== undefined);
  await runClaimed(gate, claimed);
}

/** Indexes what is pending; with `dieAfter`, the process ends when it has added this many batches of pages. */
async function indexPending(gate: Gate, index: SearchIndex, dieAfter = Number.POSITIVE_INFINITY): Promise<void> {
  const dying = new AbortController();
  let added = 0;
  const parts = { ...gate, index, report: (error: unknown) => assert.fail(String(error)) };
  const results = {
    readHead: async (id: string) => gate.results.readHead(id),
    async readPage(...asked: Parameters<Gate['results']['readPage']>) {
      added += 1;
      if (added > dieAfter) dying.abort(new Error('killed'));
      dying.signal.throwIfAborted();
      return gate.results.readPage(...asked);
    },
  };
  const builder = new IndexBuilder({ ...parts, read: NOT_READ, results }, dying.signal);
  const work = builder.indexPending();
  await (dieAfter === Number.POSITIVE_INFINITY ? work : assert.rejects(work, /killed/));
}

onEveryStore('an index of an older version is dropped and rebuilt, also over a kill in between', async (store) => {
  await withGate({ store, tierVisits: { http: site } }, async (gate) => {
    await inTemporaryFolder(async (folder) => {
      await makeOldIndex(gate, folder);
      for (const name of ['rye', 'oats', 'beans']) await crawl(gate, name);
      await gate.db.query('update jobs set indexed = 1');
      const first = indexBeside(gate.db, folder);
      assert.deepEqual(await findUrls(first, 'flour', gate.tenant), []);
      await indexPending(gate, first, 2);
      assert.equal((await findUrls(first, 'flour', gate.tenant)).length, 2);
      await first.close();
      const second = indexBeside(gate.db, folder);
      await indexPending(gate, second);
      const found = await findUrls(second, 'flour', gate.tenant);
      assert.deepEqual(found.toSorted(), ['mill.example/beans', 'mill.example/oats', 'mill.example/rye']);
      assert.deepEqual(await findUrls(second, '"flour of oats"', gate.tenant), ['mill.example/oats']);
      assert.deepEqual(await gate.db.query('select id from jobs where indexed = 0'), []);
      assert.equal(await second.findProgress('job:old', ANY_TIME), null);
      await second.close();
    });
  });
});

onEveryStore('an index that an older version has used since is dropped too, with all segments', async (kind) => {
  await inTemporaryFolder(async (folder) =>
    withStoreKind(kind, async (db) => {
      const pages = ['rye', 'oats'].map((name) =>
        buildIndexedPage(`mill.example/${name}`, { body: `Flour of ${name}.` }),
      );
      const before = indexBeside(db, folder);
      await addPages(before, { tenant: 'ten_1', pages });
      await before.close();
      if (kind === 'postgres') await db.query('alter table search_pages add column words int[]');
      else {
        const file = new DatabaseSync(join(folder, 'search.db'));
        file.exec(OLD_WORDS);
        file.close();
      }
      const after = indexBeside(db, folder);
      // Its id is one that a page of the dropped index had.
      await addPages(after, { tenant: 'ten_1', pages: [buildIndexedPage('mill.example/beans', { body: 'Beans.' })] });
      assert.deepEqual(await findUrls(after, 'flour'), []);
      assert.deepEqual(await findUrls(after, 'beans'), ['mill.example/beans']);
      await after.close();
    }),
  );
});
