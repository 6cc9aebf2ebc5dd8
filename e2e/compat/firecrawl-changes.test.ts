import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { suite, test } from 'node:test';
import { type Document, Firecrawl, type ScrapeOptions } from '@mendable/firecrawl-js';
import { z } from 'zod';
import { STORE_KINDS } from '#store/db.ts';
import { checkBooks } from '#support/engine/queue.ts';
import { until, withFleet } from '#support/fleet.ts';
import { KEY, serveQuern } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { openLives } from '../archive-kills.ts';

const PAGES = 30;

const Tracking = z.object({
  previousScrapeAt: z.string().nullable(),
  changeStatus: z.string(),
  visibility: z.string(),
  diff: z
    .object({
      text: z.string(),
      json: z.object({
        files: z.array(
          z.object({
            chunks: z.array(
              z.object({
                content: z.string(),
                changes: z.array(z.looseObject({ type: z.string(), content: z.string() })),
              }),
            ),
          }),
        ),
      }),
    })
    .optional(),
  json: z.record(z.string(), z.object({ previous: z.unknown(), current: z.unknown() })).optional(),
});

function readTracking({ changeTracking }: Pick<Document, 'changeTracking'>): z.output<typeof Tracking> {
  return Tracking.parse(changeTracking);
}

/** A site whose start links to all pages, and whose pages change with `version`. */
async function openLiveSite(delayMs: number) {
  const live = { version: 1, gone: new Set<string>(), visits: 0 };
  const server = await startHttpServer(async ({ url = '/' }, response) => {
    live.visits += 1;
    await wait(delayMs);
    const isPage = (url === '/' || /^\/p\d+$/.test(url)) && !live.gone.has(url);
    const links = Array.from({ length: PAGES }, (_, n) => `<li><a href="/p${n}">Page ${n}</a>`).join('');
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<title>Page ${url}</title><main><h1>Page ${url}</h1><p>Its text has version ${live.version}.</p></main><nav>${url === '/' ? links : ''}</nav>`,
    );
  });
  return { live, server };
}

const SCHEMA = { type: 'object', properties: { title: { type: 'string' } } };
const TRACKED: ScrapeOptions = {
  formats: ['markdown', { type: 'changeTracking', modes: ['git-diff', 'json'], schema: SCHEMA, tag: 'a' }],
};

/** The statuses of documents by path. */
function listStatuses(documents: readonly Document[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    documents.map((document) => [
      new URL(String(document.metadata?.sourceURL)).pathname,
      readTracking(document).changeStatus,
    ]),
  );
}

function countStatuses(documents: readonly Document[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const status of Object.values(listStatuses(documents))) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

suite('changeTracking of the client of Firecrawl', { concurrency: 2, timeout: 300_000 }, () => {
  test('scrapes and batches tell what changed since the last one', async () => {
    const { live, server } = await openLiveSite(0);
    await using site = server;
    await inTemporaryFolder(async (folder) => {
      await using service = await serveQuern(folder, { QUERN_ALLOW_TARGETS: new URL(site.origin).host });
      const client = new Firecrawl({ apiKey: KEY, apiUrl: `${service.origin}/firecrawl` });
      const url = `${site.origin}/p1`;
      const first = await client.scrape(url, TRACKED);
      assert.deepEqual(readTracking(first), { previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' });
      live.version = 2;
      const second = await client.scrape(url, TRACKED);
      const { previousScrapeAt, changeStatus, diff, json } = readTracking(second);
      assert.deepEqual([changeStatus, json], ['changed', {}]);
      assert.ok(Date.parse(previousScrapeAt ?? '') > Date.now() - 60_000);
      assert.match(diff?.text ?? '', /^--- previous\n\+\+\+ current\n@@ .+ @@\n/);
      assert.match(second.markdown ?? '', /version 2/);
      const [chunk] = diff?.json.files[0]?.chunks ?? [];
      const lines = (type: string) => chunk?.changes.filter((one) => one.type === type);
      assert.deepEqual(lines('del'), [{ type: 'del', del: true, ln: 3, content: '-Its text has version 1.' }]);
      assert.deepEqual(lines('add'), [{ type: 'add', add: true, ln: 3, content: '+Its text has version 2.' }]);
      const plain = await client.scrape(url, { formats: ['changeTracking'] });
      assert.equal(readTracking(plain).changeStatus, 'new');
      const old = await client.v1.scrapeUrl(url, {
        formats: ['markdown', 'changeTracking'],
        changeTrackingOptions: { modes: ['git-diff'], tag: 'a' },
      });
      assert.ok(old.success);
      assert.equal(old.changeTracking?.changeStatus, 'same');
      live.gone.add('/p1');
      const urls = [url, `${site.origin}/p2`, `${site.origin}/p99999x`];
      const batch = await client.batchScrape(urls, { options: TRACKED, pollInterval: 1 });
      assert.deepEqual(listStatuses(batch.data), { '/p1': 'removed', '/p2': 'new' });
      assert.equal(batch.data.find(({ metadata }) => metadata?.sourceURL === url)?.metadata?.statusCode, 404);
    });
  });

  test('options that cannot be honoured are refused with a sentence', async () => {
    await inTemporaryFolder(async (folder) => {
      await using service = await serveQuern(folder);
      const client = new Firecrawl({ apiKey: KEY, apiUrl: `${service.origin}/firecrawl` });
      for (const [formats, message] of [
        [[{ type: 'changeTracking', modes: ['json'] }], /changeTracking needs a schema/],
        [[{ type: 'changeTracking', modes: ['json'], prompt: 'prices' }], /changeTracking needs a schema/],
        [[{ type: 'changeTracking', modes: ['git-diff'], tag: 'x'.repeat(101) }], /tag/],
        [
          [
            { type: 'json', schema: SCHEMA },
            { type: 'changeTracking', modes: ['json'], schema: { type: 'object', properties: {} } },
          ],
          /same schema/,
        ],
      ] satisfies readonly (readonly [NonNullable<ScrapeOptions['formats']>, RegExp])[]) {
        await assert.rejects(client.scrape('https://example.com/', { formats }), message);
      }
    });
  });

  for (const kind of STORE_KINDS) {
    test(`${kind}: a crawl that is killed compares each page once with the crawl before`, async () => {
      const { live, server } = await openLiveSite(30);
      await using site = server;
      await withFleet({ kind, time: 'rehearsed' }, async (fleet) => {
        const open = await openLives(fleet, kind, { QUERN_ALLOW_TARGETS: new URL(site.origin).host });
        let life = await open('one');
        // On PostgreSQL the leases of killed processes must expire first.
        fleet.time.run(kind === 'sqlite' ? 1 : 10);
        const connect = () => new Firecrawl({ apiKey: KEY, apiUrl: `${life.service.origin}/firecrawl` });
        const options = { limit: PAGES + 1, scrapeOptions: TRACKED };
        const before = await connect().crawl(site.origin, { ...options, pollInterval: 1 });
        assert.deepEqual(countStatuses(before.data), { new: PAGES + 1 });
        live.version = 2;
        const { id } = await connect().startCrawl(site.origin, options);
        const visits = live.visits;
        await until('half of the site is visited', async () => live.visits >= visits + PAGES / 2);
        life.victim.signal('SIGKILL');
        await life.victim.ended;
        life = await open('next');
        await until('the crawl has ended', async () => (await connect().getCrawlStatus(id)).status === 'completed');
        const { data } = await connect().getCrawlStatus(id);
        assert.deepEqual(countStatuses(data), { changed: PAGES + 1 });
        const after = await connect().crawl(site.origin, { ...options, pollInterval: 1 });
        assert.deepEqual(countStatuses(after.data), { same: PAGES + 1 });
        await fleet.look(async (db) => checkBooks({ db }));
      });
    });
  }
});
