import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { PageList } from '#features/crawl/frontier/page-list.ts';
import { buildCrawlRetention } from '#features/crawl/run/crawl-retention.ts';
import { CrawlTree } from '#features/jobs/crawl-pages.ts';
import { buildLiveCrawls } from '#features/jobs/follow-job.ts';
import { buildJobViews } from '#features/jobs/job-view.ts';
import { openTestClock } from '../support/clock.ts';
import { serves, buildSite } from '../support/engine/crawl-modes.ts';
import { getOperation, runClaimed } from '../support/engine/queue.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, SITE, withGate } from './gate.ts';

const List = z.looseObject({
  data: z.array(
    z.looseObject({ url: z.string(), state: z.string(), code: z.string().nullable(), place: z.string().nullable() }),
  ),
  next_cursor: z.string().nullable(),
});

const SITE_MAP = buildSite({
  '/': { links: ['/a/one', '/a/two', '/a/lost', '/b/copy', '/moved'], title: 'Home' },
  '/a/one': { links: ['/a/deep/three'], title: 'First' },
  '/a/two': { links: [], title: 'Second' },
  '/a/deep/three': { links: [], title: 'Third' },
  '/b/copy': { links: [], title: 'Second', says: 'On /a/two' },
  '/moved': { to: '/a/two' },
});

async function fetchPages(gate: Gate, id: string, more: object = {}) {
  const { answer, error } = await gate.ask(getOperation('jobs.pages'), { id, ...more });
  assert.equal(error, null);
  return List.parse(answer?.body);
}

async function runCrawl(gate: Gate): Promise<string> {
  const { answer } = await gate.ask(getOperation('jobs.submit'), {
    kind: 'crawl',
    input: { url: SITE, delay_ms: 0, max_pages: 50, output: ['text'] },
  });
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  assert.equal(await runClaimed(gate, claimed), 'ok');
  return String(answer?.body['id']);
}

onEveryStore(
  'the pages of a crawl can be listed and filtered before and after its frontier is deleted',
  async (store) => {
    await withGate({ store, tierVisits: { http: serves(SITE_MAP) } }, async (gate) => {
      const id = await runCrawl(gate);
      for (const when of ['running', 'kept']) {
        const all = await fetchPages(gate, id);
        const states = new Map(
          all.data.map(({ url, state, code }) => [url.slice(SITE.length), `${state} ${code ?? ''}`]),
        );
        assert.equal(states.get('a/lost'), 'failed not_found', when);
        assert.equal(states.get('moved'), 'skipped redirect', when);
        assert.equal(states.get('a/deep/three'), 'stored ', when);
        assert.equal(all.next_cursor, null);
        const found = await fetchPages(gate, id, { search: 'THIRD' });
        assert.deepEqual(
          found.data.map(({ url }) => url),
          [`${SITE}a/deep/three`],
        );
        const place = found.data[0]?.place ?? '';
        const page = await gate.ask(getOperation('jobs.page'), { id, place });
        assert.equal(page.answer?.body['url'], `${SITE}a/deep/three`);
        for (const [filter, count] of [
          [{ state: 'failed' }, 1],
          [{ code: 'not_found' }, 1],
          [{ status_code: 404 }, 1],
          [{ depth: 2 }, 1],
          [{ prefix: `${SITE}a/` }, 4],
          [{ state: 'waiting' }, 0],
          [{ search: 'nowhere' }, 0],
        ] as const) {
          assert.equal((await fetchPages(gate, id, filter)).data.length, count, JSON.stringify(filter));
        }
        const first = await fetchPages(gate, id, { limit: 2 });
        const misused = { id, state: 'failed', cursor: first.next_cursor };
        assert.equal((await gate.ask(getOperation('jobs.pages'), misused)).code, 'invalid_request');
        const second = await fetchPages(gate, id, { limit: 2, cursor: first.next_cursor ?? '' });
        assert.deepEqual([...first.data, ...second.data], all.data.slice(0, 4));
        if (when === 'running') await buildCrawlRetention(gate).tidy();
      }
      assert.deepEqual(await gate.db.query('select seq from crawl_urls'), []);
    });
  },
);

onEveryStore('the tree of a crawl counts the pages below a prefix', async (store) => {
  await withGate({ store, tierVisits: { http: serves(SITE_MAP) } }, async (gate) => {
    const id = await runCrawl(gate);
    const tree = async (prefix?: string) =>
      (await gate.ask(getOperation('jobs.tree'), { id, ...(prefix === undefined ? {} : { prefix }) })).answer?.body;
    const hosts = await tree();
    assert.deepEqual(
      [
        z
          .looseObject({ children: z.array(z.looseObject({})) })
          .parse(hosts)
          .children.map(({ prefix }) => prefix),
      ],
      [[SITE]],
    );
    const below = z
      .looseObject({ counts: z.looseObject({}), children: z.array(z.looseObject({ name: z.string() })) })
      .parse(await tree(`${SITE}a/`));
    assert.deepEqual(
      below.children.map(({ name, is_leaf: isLeaf, stored, failed }) => [name, isLeaf, stored, failed]),
      [
        ['deep', false, 1, 0],
        ['lost', true, 0, 1],
        ['one', true, 1, 0],
        ['two', true, 1, 0],
      ],
    );
    assert.deepEqual(below.counts['by_code'], [{ code: 'not_found', count: 1 }]);
  });
});

onEveryStore('the page list of a crawl is deleted with its result, and other jobs have none', async (store) => {
  await withGate({ store, tierVisits: { http: serves(SITE_MAP) } }, async (gate) => {
    const id = await runCrawl(gate);
    await buildCrawlRetention(gate).tidy();
    await gate.ask(getOperation('jobs.cancel'), { id });
    assert.equal((await gate.ask(getOperation('jobs.pages'), { id })).code, 'result_expired');
    await buildCrawlRetention(gate).tidy();
    assert.deepEqual(await gate.db.query('select job_id from crawl_pages'), []);
    assert.deepEqual(await gate.db.query('select job_id from kept_crawls'), []);
    const other = await gate.ask(getOperation('jobs.submit'), { kind: 'fetch', input: { url: SITE } });
    const refused = await gate.ask(getOperation('jobs.tree'), { id: String(other.answer?.body['id']) });
    assert.deepEqual([refused.code, /only crawls/.test(refused.error?.message ?? '')], ['invalid_request', true]);
    assert.equal((await gate.ask(getOperation('jobs.pages'), { id: 'job_unknown' })).code, 'not_found');
  });
});

test('a running crawl can be followed with its rate, remaining time and latest pages', async () => {
  await withGate({ tierVisits: { http: serves(SITE_MAP) } }, async (gate) => {
    const id = await runCrawl(gate);
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const views = buildJobViews({ ...gate, jobs: gate.queue.jobs, webhooks: gate.queue.webhooks });
    await gate.db.query("update jobs set status = 'running', completed = 2, failed = 0, pending = 10 where id = $1", [
      id,
    ]);
    const live = buildLiveCrawls({ db: gate.db, clock, views });
    const early = (await live.read(gate.tenant, id)).record.live;
    assert.deepEqual([early?.pages_per_minute, early?.eta_seconds], [null, null]);
    assert.equal(early?.latest[0]?.url, `${SITE}a/deep/three`);
    clock.pass(30_000);
    await gate.db.query('update jobs set completed = 12 where id = $1', [id]);
    const later = (await live.read(gate.tenant, id)).record.live;
    assert.equal(Math.round(later?.pages_per_minute ?? 0), 20);
    assert.ok(Math.abs((later?.eta_seconds ?? 0) - 30) <= 1);
  });
});

test('a list of a hundred thousand pages is read and counted in batches', async () => {
  await withGate({}, async (gate) => {
    const count = 100_000;
    await gate.db.query(
      `insert into crawl_pages (job_id, seq, url, depth, state, near)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
        select 'job_1', i, 'https://x.test/' || (i % 100) || '/' || i, 1, 2, 0 from n`,
    );
    const tree = new CrawlTree('https://x.test/');
    let parts = 0;
    for await (const some of new PageList(gate.db).readFrom('job_1', 0, new AbortController().signal)) {
      parts += 1;
      for (const page of some) tree.add(page);
    }
    const { counts, children } = tree.toBody('job_1');
    assert.deepEqual([counts.stored, children.length, children[0]?.stored, parts], [count, 100, 1000, 100]);
  });
});
