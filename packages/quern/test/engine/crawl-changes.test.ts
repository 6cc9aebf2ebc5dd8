import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { type Answer, crawlIn, hangsAt, inEachMode, MODES, serves, takenOver } from '../support/engine/crawl-modes.ts';
import { checkBooks } from '../support/engine/queue.ts';
import { TESTED_STORES } from '../support/store.ts';
import { type Gate, SITE, withGate } from './gate.ts';

const Change = z
  .object({
    status: z.string(),
    previous_at: z.string().nullable(),
    diff: z.object({ text: z.string().nullable() }).nullish(),
    fields: z.array(z.object({ field: z.string() })).nullish(),
  })
  .nullish();
const Page = z.object({ url: z.string(), changes: Change, error: z.object({ code: z.string() }).optional() });
const Crawl = z.object({
  pages: z.array(Page).optional(),
  results: z.array(Page).optional(),
  errors: z.array(z.object({ url: z.string(), code: z.string(), message: z.string() })).optional(),
});

type Statuses = Readonly<Record<string, string | null>>;

/** The status of each page of a result, by path; null if it was not compared. */
function listStatuses(body: object): Statuses {
  const { pages, results = pages } = Crawl.parse(body);
  return Object.fromEntries(
    (results ?? []).map(({ url, changes }) => [url.slice(SITE.length - 1), changes?.status ?? null]),
  );
}

/** A site of three pages that tests change. */
function buildLiveSite() {
  const pages = new Map<string, Answer>([
    ['/', { links: ['/a', '/b'], says: 'Start' }],
    ['/a', { links: [], says: 'First' }],
    ['/b', { links: [], says: 'Second' }],
  ]);
  return { pages, site: (path: string) => pages.get(path) ?? null };
}

const TRACKED = { output: ['changes'], fetch: { changes: { diff: true } } };

const { pages: crawled, site: crawledSite } = buildLiveSite();

inEachMode(
  'pages of a crawl are compared with their last copies, also those of a fetch',
  { kind: 'crawl', options: { tierVisits: { http: serves(crawledSite) } } },
  async (crawl, gate) => {
    crawled.set('/b', { links: [], says: 'Second' }).set('/', { links: ['/a', '/b'], says: 'Start' });
    assert.deepEqual(listStatuses(await crawl(TRACKED)), { '/': 'new', '/a': 'new', '/b': 'new' });
    assert.deepEqual(listStatuses(await crawl(TRACKED)), { '/': 'same', '/a': 'same', '/b': 'same' });
    const { answer } = await gate.fetch({ url: `${SITE}a`, output: ['changes'] });
    assert.equal(Page.parse(answer?.body).changes?.status, 'same');
    crawled.delete('/b');
    crawled.set('/', { links: ['/a', '/b', '/c'], says: 'Other' });
    const body = await crawl(TRACKED);
    assert.deepEqual(listStatuses(body), { '/': 'changed', '/a': 'same' });
    const { pages, errors } = Crawl.parse(body);
    assert.match(String(pages?.[0]?.changes?.diff?.text), /\n-Start\n[^+]*\+Other\n/);
    const codes = errors?.map(({ url, code }) => [url, code]).toSorted();
    assert.deepEqual(codes, [
      [`${SITE}b`, 'removed'],
      [`${SITE}c`, 'not_found'],
    ]);
    assert.match(String(errors?.find(({ code }) => code === 'removed')?.message), /answered 404; the copy fetched at /);
  },
);

const { pages: listed, site: listedSite } = buildLiveSite();

inEachMode(
  'results of a batch are compared, and a removed page says so',
  { kind: 'fetch.batch', options: { tierVisits: { http: serves(listedSite) } } },
  async (_crawl, gate, mode) => {
    const input = {
      urls: ['', 'a', 'b', 'lost'].map((path) => SITE + path),
      output: ['changes', 'json'],
      extract: { title: 'string' },
      changes: { fields: true, tag: 'batch' },
    };
    const run = async () => crawlIn(gate, { mode, kind: 'fetch.batch' }, input);
    listed.set('/a', { links: [], says: 'First' }).set('/b', { links: [], says: 'Second' });
    assert.deepEqual(listStatuses(await run()), { '/': 'new', '/a': 'new', '/b': 'new', '/lost': null });
    listed.set('/a', { links: [], title: 'Another', says: 'First' });
    listed.delete('/b');
    const body = await run();
    assert.deepEqual(listStatuses(body), { '/': 'same', '/a': 'changed', '/b': 'removed', '/lost': null });
    const { results } = Crawl.parse(body);
    const changed = results?.find(({ url }) => url === `${SITE}a`)?.changes;
    assert.deepEqual(
      changed?.fields?.map(({ field }) => field),
      ['title'],
    );
    assert.equal(results?.find(({ url }) => url === `${SITE}b`)?.error?.code, 'not_found');
  },
);

for (const mode of MODES) {
  test(`${mode}: crawls of two tenants, and two crawls at once, never share or skip a copy`, async () => {
    const { pages, site } = buildLiveSite();
    const store = mode === 'postgres' ? 'postgres' : 'sqlite';
    await withGate({ store, tierVisits: { http: serves(site) } }, async (gate) => {
      const crawl = async (): Promise<Statuses> => listStatuses(await crawlIn(gate, { mode, kind: 'crawl' }, TRACKED));
      const both = mode === 'inline' ? await Promise.all([crawl(), crawl()]) : [await crawl(), await crawl()];
      for (const path of ['/', '/a', '/b']) {
        assert.deepEqual(new Set(both.map((statuses) => statuses[path])), new Set(['new', 'same']), path);
      }
      const other = await gate.tenants.create('other', 'starter');
      const { answer } = await gate.fetch({ url: `${SITE}a`, output: ['changes'] }, { as: other });
      assert.equal(Page.parse(answer?.body).changes?.status, 'new');
      pages.set('/a', { links: [], says: 'Changed' });
      assert.equal((await crawl())['/a'], 'changed');
      await checkBooks(gate);
    });
  });
}

for (const store of TESTED_STORES) {
  test(`${store}: a crawl that another worker takes over compares each page once`, async () => {
    const { pages, site } = buildLiveSite();
    const { visit, death } = hangsAt('/b', serves(site));
    let isHanging = false;
    const http: typeof visit = async (...asked) => (isHanging ? visit : serves(site))(...asked);
    await withGate({ store, tierVisits: { http } }, async (gate: Gate) => {
      await crawlIn(gate, { mode: store, kind: 'crawl' }, TRACKED);
      pages.set('/', { links: ['/a', '/b'], says: 'Start, later' });
      pages.set('/a', { links: [], says: 'First, later' });
      pages.set('/b', { links: [], says: 'Second, later' });
      isHanging = true;
      const body = await takenOver(gate, { kind: 'crawl', death }, TRACKED);
      assert.deepEqual(listStatuses(body), { '/': 'changed', '/a': 'changed', '/b': 'changed' });
      isHanging = false;
      const after = await crawlIn(gate, { mode: store, kind: 'crawl' }, TRACKED);
      assert.deepEqual(listStatuses(after), { '/': 'same', '/a': 'same', '/b': 'same' });
      await checkBooks(gate);
    });
  });

  test(`${store}: a copy that a fetch replaces while a crawl stores the page is compared again`, async () => {
    const { pages, site } = buildLiveSite();
    const race: { gate: Gate | null } = { gate: null };
    await withGate(
      {
        store,
        tierVisits: { http: serves(site) },
        through: (db) => ({
          ...db,
          async query(sql, values) {
            const rows = await db.query(sql, values);
            const { gate } = race;
            if (gate !== null && sql.includes('page_copies') && sql.startsWith('select key')) {
              race.gate = null;
              // After the crawl has read the copies, and before it replaces them.
              pages.set('/', { links: [], says: 'Between' });
              assert.equal((await gate.fetch({ output: ['changes'] })).code, 'ok');
              pages.set('/', { links: ['/a', '/b'], says: 'Start' });
            }
            return rows;
          },
        }),
      },
      async (gate) => {
        await crawlIn(gate, { mode: store, kind: 'crawl' }, TRACKED);
        race.gate = gate;
        const body = await crawlIn(gate, { mode: store, kind: 'crawl' }, TRACKED);
        assert.equal(race.gate, null);
        const start = Crawl.parse(body).pages?.find(({ url }) => url === SITE);
        assert.equal(start?.changes?.status, 'changed');
        assert.match(String(start.changes.diff?.text), /\n-Between\n\+Start\n/);
        await checkBooks(gate);
      },
    );
  });
}
