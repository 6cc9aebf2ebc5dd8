import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { onEveryStore } from '../support/store.ts';
import { buildTestPage, SITE, withGate } from './gate.ts';
import { checkBooks } from '../support/engine/queue.ts';
import {
  type Answer,
  hangsAt,
  inEachMode,
  MODES,
  buildRobots,
  serves,
  buildSitemapIndex,
  buildSitemapAnswer,
  buildSite,
  takenOver,
} from '../support/engine/crawl-modes.ts';

const Trouble = z.looseObject({ url: z.string(), status_code: z.number().optional(), code: z.string() });
const Crawled = z.looseObject({
  complete: z.boolean(),
  stop_reason: z.string(),
  pages: z.array(z.looseObject({ url: z.string(), depth: z.number(), parent_url: z.string().nullable() })),
  errors: z.array(z.looseObject({ url: z.string() })),
  skipped: z.record(z.string(), z.number()),
  sources: z.record(z.string(), z.looseObject({ read: z.number(), errors: z.array(Trouble) })),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  stats: z.looseObject({ discovered: z.number(), fetched: z.number(), failed: z.number(), pending: z.number() }),
  usage: z.looseObject({ credits: z.number() }),
});
type Crawled = z.output<typeof Crawled>;

function listPaths({ pages }: Crawled): readonly string[] {
  return pages.map(({ url }) => url.slice(SITE.length - 1)).toSorted();
}

const INLINE = MODES.slice(0, 1);
const EMBEDDED = MODES.slice(0, 2);
const page = (...links: readonly string[]): Answer => ({ links });

const orphaned = buildSite({
  '/': page('/a'),
  '/a': page('/a/b'),
  '/a/b': page(),
  '/hidden': page('/deeper'),
  '/deeper': page(),
  '/robots.txt': buildRobots(
    'User-agent: *',
    'Disallow: /shut',
    `Sitemap: ${SITE}maps/all.xml`,
    'Sitemap: /maps/gone.xml',
  ),
  '/maps/all.xml': buildSitemapAnswer(['/', '/a', '/hidden', '/shut', '/gone', 'https://elsewhere.example/']),
});
inEachMode(
  'pages listed only in a sitemap are crawled like links of the seed',
  { kind: 'crawl', options: { tierVisits: { http: serves(orphaned) } } },
  async (crawl, gate) => {
    const all = Crawled.parse(await crawl());
    assert.deepEqual(listPaths(all), ['/', '/a', '/a/b', '/deeper', '/hidden']);
    const hidden = all.pages.find(({ url }) => url === `${SITE}hidden`);
    assert.deepEqual([hidden?.depth, hidden?.parent_url], [1, SITE]);
    assert.deepEqual(
      all.errors.map(({ url }) => url),
      [`${SITE}gone`],
    );
    assert.deepEqual([all.skipped['robots'], all.skipped['scope']], [1, 1]);
    assert.deepEqual([all.complete, all.stats.discovered, all.usage.credits], [true, 8, 10]);
    assert.deepEqual(await gate.spent(), [10, 0]);
  },
);

inEachMode(
  'sitemaps can be skipped, or be the only source',
  { kind: 'crawl', modes: EMBEDDED, options: { tierVisits: { http: serves(orphaned) } } },
  async (crawl) => {
    assert.deepEqual(listPaths(Crawled.parse(await crawl({ sitemap: 'skip' }))), ['/', '/a', '/a/b']);
    assert.deepEqual(listPaths(Crawled.parse(await crawl({ sitemap: 'only' }))), ['/', '/a', '/hidden']);
  },
);

const usual = buildSite({
  '/': page(),
  '/sitemap.xml': { text: 'there is none', type: 'text/plain' },
  '/sitemap_index.xml': buildSitemapIndex(['/part.xml', '/sitemap_index.xml', 'https://elsewhere.example/map.xml']),
  '/part.xml': buildSitemapAnswer(['/one', '/two', 'file:///etc/passwd', 'javascript:alert(1)']),
  '/one': page(),
  '/two': page(),
});
const usualAsked: string[] = [];
inEachMode(
  'a sitemap at a usual path is found if robots.txt lists none, and a recursive index is read once',
  { kind: 'crawl', modes: EMBEDDED, options: { tierVisits: { http: serves(usual, usualAsked) } } },
  async (crawl) => {
    usualAsked.length = 0;
    const all = Crawled.parse(await crawl());
    assert.deepEqual(listPaths(all), ['/', '/one', '/two']);
    assert.deepEqual(all.errors, []);
    assert.equal(usualAsked.filter((path) => path === '/sitemap_index.xml').length, 1);
    assert.ok(!usualAsked.includes('/map.xml'));
  },
);

const large = Array.from({ length: 50_001 }, (_, at) => `/item-${at}`);
const endless = serves((path) => {
  if (path === '/' || path.startsWith('/item-')) return page();
  if (path === '/robots.txt') return buildRobots(...Array.from({ length: 40 }, (_, at) => `Sitemap: ${SITE}${at}.xml`));
  return /^\/\d+\.xml$/.test(path) ? buildSitemapAnswer(large.map((item) => item + path)) : null;
});
inEachMode(
  'endless sitemaps are read only as far as the crawl needs',
  { kind: 'crawl', options: { tierVisits: { http: endless } } },
  async (crawl) => {
    const some = Crawled.parse(await crawl({ max_pages: 20, dedupe_content: false }));
    assert.deepEqual([some.pages.length, some.stop_reason, some.complete], [20, 'max_pages', false]);
    assert.ok(some.stats.discovered < 5000, `${some.stats.discovered} were read`);
  },
);

const chainAsked: string[] = [];
const chain = serves((path) => {
  if (path === '/') return page();
  if (path === '/robots.txt') return buildRobots(`Sitemap: ${SITE}0.xml`);
  const step = Number(/^\/(\d+)\.xml$/.exec(path)?.[1] ?? -1);
  return step < 0 ? null : buildSitemapIndex([`/${step + 1}.xml`]);
}, chainAsked);
inEachMode(
  'a chain of sitemap indexes is followed three files deep',
  { kind: 'crawl', modes: INLINE, options: { tierVisits: { http: chain } } },
  async (crawl) => {
    assert.equal(Crawled.parse(await crawl()).pages.length, 1);
    assert.deepEqual(
      chainAsked.filter((path) => /\d\.xml/.test(path)),
      ['/0.xml', '/1.xml', '/2.xml', '/3.xml'],
    );
  },
);

const crowdAsked: string[] = [];
const crowd = serves((path) => {
  if (path === '/') return page();
  if (path === '/robots.txt')
    return buildRobots(...Array.from({ length: 3000 }, (_, at) => `Sitemap: ${SITE}${at}.xml`));
  return /^\/\d+\.xml$/.test(path) ? buildSitemapAnswer(['/']) : null;
}, crowdAsked);
inEachMode(
  'at most 500 sitemaps of a site are read',
  { kind: 'crawl', modes: INLINE, options: { tierVisits: { http: crowd } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl());
    assert.deepEqual([all.complete, all.warnings.map(({ code }) => code)], [false, ['left_out']]);
    assert.equal(crowdAsked.filter((path) => /\d\.xml/.test(path)).length, 500);
  },
);

const bomb = gzipSync(
  Buffer.concat([Buffer.from(`<urlset><url><loc>${SITE}a</loc></url>`), Buffer.alloc(60 << 20, 32)]),
);
inEachMode(
  'an endless compressed sitemap is truncated, and its first URLs are used',
  {
    kind: 'crawl',
    modes: INLINE,
    options: {
      tierVisits: {
        http: async ({ url }, signal) =>
          url.pathname === '/sitemap.xml'
            ? buildTestPage({ url: url.href, contentType: 'application/gzip', body: new Uint8Array(bomb) })
            : serves(buildSite({ '/': page(), '/a': page() }))({ url, headers: {}, cookies: [] }, signal),
      },
    },
  },
  async (crawl) => {
    assert.deepEqual(listPaths(Crawled.parse(await crawl())), ['/', '/a']);
  },
);

onEveryStore(
  'a crawl that another worker takes over reads the sitemaps again, and stores each page once',
  async (store) => {
    const paths = Array.from({ length: 40 }, (_, at) => `/p${at}`);
    const site = buildSite({
      '/': page(),
      '/sitemap.xml': buildSitemapAnswer(paths),
      ...Object.fromEntries(paths.map((path) => [path, page()])),
    });
    const { visit, death } = hangsAt('/p30', serves(site));
    await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
      const all = Crawled.parse(await takenOver(gate, { kind: 'crawl', death }, { max_pages: 100 }));
      assert.deepEqual(listPaths(all), ['/', ...paths].toSorted());
      assert.deepEqual([all.stats.discovered, all.complete], [41, true]);
      assert.deepEqual(await gate.spent(), [82, 0]);
      await checkBooks(gate);
    });
  },
);
