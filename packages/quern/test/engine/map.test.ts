import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { buildFailure } from '#access/failure.ts';
import type { Visit } from '#access/page.ts';
import { map as declaration } from '#features/map/operation.ts';
import { JobStopped } from '#engine/jobs/lease.ts';
import { LISTING_PAGES, PRODUCTS, SHOP_URLS, shopLinks } from '../support/shop.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, buildTestPage, SITE, timesOut, withGate } from './gate.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import {
  type Death,
  hangsAt,
  inEachMode,
  MODES,
  buildRobots,
  serves,
  type Site,
  buildSitemapIndex,
  buildSitemapAnswer,
  buildSite,
  takenOver,
} from '../support/engine/crawl-modes.ts';

const EMBEDDED = MODES.slice(0, 2);
const Mapped = z.looseObject({
  url: z.string(),
  urls: z.array(
    z.object({
      url: z.string(),
      title: z.string().optional(),
      lastmod: z.string().optional(),
      source: z.string(),
      depth: z.number().optional(),
    }),
  ),
  total: z.number(),
  truncated: z.boolean(),
  complete: z.boolean(),
  stop_reason: z.string(),
  sources: z.record(
    z.string(),
    z.object({
      found: z.number(),
      read: z.number(),
      refused: z.number(),
      errors: z.array(z.looseObject({ url: z.string(), code: z.string() })),
    }),
  ),
  usage: z.looseObject({ credits: z.number(), base: z.number(), surcharge: z.number(), tier: z.string() }),
});
type Mapped = z.output<typeof Mapped>;

/** The credits of a map that returns so many URLs. */
const computePrice = (urls: number): number => 1 + Math.ceil(urls / 100);

function listPaths({ urls }: Mapped): readonly string[] {
  return urls.map(({ url }) => url.slice(SITE.length - 1)).toSorted();
}

function pagesAsked(asked: readonly string[]): readonly string[] {
  return asked.filter((path) => !/robots\.txt|sitemap|feed|rss|atom|index\.xml/.test(path));
}

const shop: Site = (path) => {
  const links = shopLinks(path);
  return links === null ? null : { links };
};

inEachMode(
  'all 1000 products of a shop that only pagination reaches are found',
  { kind: 'map', modes: MODES.slice(2), options: { tierVisits: { http: serves(shop) } } },
  async (map, gate) => {
    const found = Mapped.parse(await map({ max_urls: 2000, max_depth: 2 }));
    assert.equal(found.total, SHOP_URLS);
    assert.equal(listPaths(found).filter((path) => path.startsWith('/product-')).length, PRODUCTS);
    assert.deepEqual([found.stop_reason, found.truncated], ['max_depth', false]);
    assert.equal(found.usage.credits, computePrice(found.total));
    assert.deepEqual(await gate.spent(), [computePrice(found.total), 0]);
    assert.equal(found.sources['links']?.read, 1 + LISTING_PAGES);
  },
);

const few = Array.from({ length: 30 }, (_, at) => `/p${at}`);
const covered = buildSite({
  '/': { links: few.slice(0, 5) },
  '/sitemap.xml': buildSitemapAnswer(['/', ...few], '<lastmod>2026-11-01</lastmod>'),
  ...Object.fromEntries(few.map((path) => [path, { links: ['/'] }])),
});

const coveredAsked: string[] = [];
inEachMode(
  'a site with a sitemap is mapped without a visit',
  { kind: 'map', options: { tierVisits: { http: serves(covered, coveredAsked) } } },
  async (map) => {
    coveredAsked.length = 0;
    const all = Mapped.parse(await map());
    assert.deepEqual(listPaths(all), ['/', ...few].toSorted());
    assert.deepEqual(pagesAsked(coveredAsked), []);
    // A start without a slash is the same page.
    assert.deepEqual(listPaths(Mapped.parse(await map({ url: SITE.slice(0, -1) }))), listPaths(all));
    assert.deepEqual(pagesAsked(coveredAsked), []);
    assert.deepEqual([all.complete, all.stop_reason, all.usage.credits], [true, 'exhausted', 2]);
    assert.ok(all.urls.every(({ lastmod }) => lastmod === '2026-11-01'));
  },
);

const dated = buildSite({
  '/': { links: [] },
  '/sitemap.xml': {
    text: `<urlset>${['2026-11-20', '2999-01-01', 'yesterday']
      .map((day, at) => `<url><loc>${SITE}p${at}</loc><lastmod>${day}</lastmod></url>`)
      .join('')}</urlset>`,
  },
});
inEachMode(
  'invalid and future dates of sitemaps are omitted',
  { kind: 'map', modes: MODES.slice(0, 1), options: { tierVisits: { http: serves(dated) } } },
  async (map) => {
    const { urls } = Mapped.parse(await map());
    assert.deepEqual(
      urls.map(({ lastmod }) => lastmod),
      [undefined, '2026-11-20', undefined, undefined],
    );
  },
);

const partial = buildSite({
  '/': { links: ['/c1', '/c2'] },
  '/sitemap.xml': buildSitemapAnswer(['/', '/c1', '/c2']),
  '/c1': { links: ['/c1/a', '/c1/b'] },
  '/c2': { links: ['/c2/a', '/gone'] },
  '/c1/a': { links: [] },
  '/c1/b': { links: ['/c1/b/deep'] },
  '/c2/a': { links: [] },
  '/c1/b/deep': { links: ['/c1/b/deep/er'] },
});
inEachMode(
  'pages missing in a sitemap are found by a walk up to max_depth',
  { kind: 'map', modes: EMBEDDED, options: { tierVisits: { http: serves(partial) } } },
  async (map) => {
    assert.deepEqual(listPaths(Mapped.parse(await map())), ['/', '/c1', '/c2']);
    const all = Mapped.parse(await map({ walk: true }));
    const known = ['/', '/c1', '/c1/a', '/c1/b', '/c1/b/deep', '/c2', '/c2/a'];
    assert.deepEqual(listPaths(all), known);
    assert.deepEqual([all.complete, all.stop_reason], [false, 'max_depth']);
    const whole = Mapped.parse(await map({ walk: true, max_depth: 9 }));
    assert.deepEqual(listPaths(whole), [...known.slice(0, 5), ...known.slice(5)]);
    assert.deepEqual([whole.complete, whole.stop_reason], [true, 'exhausted']);
  },
);

const many = Array.from({ length: 400 }, (_, at) => `/item-${at}`);
const wide = buildSite({
  '/': { links: [] },
  '/robots.txt': buildRobots(`Sitemap: ${SITE}map.xml`),
  '/map.xml': buildSitemapAnswer(many),
});
inEachMode(
  'a map ends at max_urls',
  { kind: 'map', modes: EMBEDDED, options: { tierVisits: { http: serves(wide) } } },
  async (map) => {
    const some = Mapped.parse(await map({ max_urls: 40 }));
    assert.equal(some.urls.length, 40);
    assert.deepEqual([some.complete, some.truncated, some.stop_reason], [false, true, 'max_urls']);
    assert.equal(some.usage.credits, 2);
    assert.equal(some.urls.at(-1)?.source, 'robots');
  },
);

inEachMode(
  'a search returns matches only, best first',
  { kind: 'map', options: { tierVisits: { http: serves(wide) } } },
  async (map, gate) => {
    const best = Mapped.parse(await map({ max_urls: 3, search: 'item 377' }));
    assert.equal(best.urls[0]?.url, `${SITE}item-377`);
    assert.deepEqual([best.total, best.urls.length, best.truncated, best.usage.credits], [400, 3, true, 2]);
    const none = Mapped.parse(await map({ search: 'weather' }));
    assert.deepEqual([none.total, none.urls, none.truncated, none.usage.credits], [0, [], false, 1]);
    assert.deepEqual(await gate.spent(), [3, 0]);
  },
);

const linked: Site = (path) => {
  if (path === '/')
    return { text: '<a href="/i/17"><b>Whole rye</b> flour</a><a href="/i/18">Oats</a>', type: 'text/html' };
  return path.startsWith('/i/') ? { links: [], title: 'The mill shop' } : null;
};
inEachMode(
  'a search matches link texts',
  { kind: 'map', modes: EMBEDDED, options: { tierVisits: { http: serves(linked) } } },
  async (map) => {
    const best = Mapped.parse(await map({ search: 'oats', max_depth: 1, include_metadata: true }));
    assert.deepEqual([best.urls[0]?.url, best.urls[0]?.title], [`${SITE}i/18`, 'Oats']);
    assert.equal(Mapped.parse(await map({ search: 'rye', max_depth: 1 })).urls[0]?.url, `${SITE}i/17`);
  },
);

const fed = buildSite({
  '/': {
    links: ['/about'],
    head: '<link rel="alternate" type="application/rss+xml" href="/news.xml">',
    title: 'The mill',
  },
  '/about': { links: [], title: 'About the mill' },
  '/news.xml': {
    text: `<rss><channel><item><title>New stones</title><link>${SITE}news/1</link><pubDate>Tue, 03 Nov 2026 09:00:00 GMT</pubDate></item></channel></rss>`,
  },
  '/news/1': { links: [], title: 'New stones in the mill' },
});
inEachMode(
  'feeds are read, and titles come from the pages themselves where they were read',
  { kind: 'map', modes: EMBEDDED, options: { tierVisits: { http: serves(fed) } } },
  async (map) => {
    const all = Mapped.parse(await map({ include_metadata: true }));
    assert.deepEqual(
      all.urls.map(({ url, title, source, lastmod }) => [url.slice(SITE.length - 1), title, source, lastmod]),
      [
        ['/', 'The mill', 'seed', undefined],
        ['/about', 'About the mill', 'links', undefined],
        ['/news/1', 'New stones in the mill', 'feed', '2026-11-03T09:00:00.000Z'],
      ],
    );
    const named = Mapped.parse(await map({ include_metadata: true, sources: ['feed'] }));
    assert.deepEqual(listPaths(named), ['/', '/news/1']);
    assert.deepEqual(
      named.urls.map(({ title }) => title),
      ['The mill', 'New stones'],
    );
  },
);

const walled = buildSite({
  '/': { links: ['/open', '/shut'] },
  '/robots.txt': buildRobots('User-agent: *', 'Disallow: /shut'),
  '/open': { links: ['/shut/inner', '/open/more'] },
  '/shut': { links: ['/behind'] },
  '/open/more': { links: [] },
  '/behind': { links: [] },
});
inEachMode(
  'forbidden URLs are not in a map unless respect_robots is false',
  { kind: 'map', options: { tierVisits: { http: serves(walled) } } },
  async (map) => {
    assert.deepEqual(listPaths(Mapped.parse(await map())), ['/', '/open', '/open/more']);
    const all = Mapped.parse(await map({ respect_robots: false, exclude: ['/open/*'] }));
    assert.deepEqual(listPaths(all), ['/', '/behind', '/open', '/shut']);
  },
);

inEachMode(
  'a map ends with the paid URLs when credits run out',
  {
    kind: 'map',
    modes: MODES.slice(1),
    options: { tierVisits: { http: serves(wide) }, limits: { credits_per_month: 3 } },
  },
  async (map, gate) => {
    const some = Mapped.parse(await map({ max_urls: 300 }));
    assert.deepEqual([some.urls.length, some.stop_reason, some.complete], [200, 'credits_exhausted', false]);
    assert.deepEqual(await gate.spent(), [3, 0]);
    await assert.rejects(map(), { code: /credits_exhausted|job_failed/ });
  },
);

inEachMode(
  'a map stays within max_credits',
  { kind: 'map', modes: MODES.slice(1), options: { tierVisits: { http: serves(wide) } } },
  async (map) => {
    const some = Mapped.parse(await map({ max_credits: 3, max_urls: 300 }));
    assert.deepEqual([some.urls.length, some.stop_reason, some.usage.credits], [200, 'max_credits', 3]);
  },
);

const unreachable: Visit = async () => {
  throw buildFailure('unreachable', 'no one is there');
};
inEachMode(
  'a map whose seed fails ends like a fetch of it, free',
  { kind: 'map', options: { tierVisits: { http: unreachable } } },
  async (map, gate, mode) => {
    await assert.rejects(map(), { code: mode === 'inline' ? 'target_unreachable' : /job_/ });
    assert.deepEqual(await gate.spent(), [0, 0]);
  },
);

/** A site with a link to one of its hosts that no longer exists. */
const halfGone: Visit = async (request, signal) => {
  if (request.url.host !== new URL(SITE).host) throw buildFailure('unreachable', 'no one is there');
  return serves(buildSite({ '/': { links: ['/a', 'https://gone.mill.example/b'] }, '/a': { links: [] } }))(
    request,
    signal,
  );
};
inEachMode(
  'a dead host does not end the map of the others',
  { kind: 'map', modes: EMBEDDED, options: { tierVisits: { http: halfGone } } },
  async (map) => {
    const all = Mapped.parse(await map({ scope: 'subdomains' }));
    assert.deepEqual(listPaths(all), ['/', '/a']);
    assert.deepEqual([all.complete, all.stop_reason, all.usage.credits], [false, 'exhausted', 2]);
  },
);

const slow: Visit = async (request, signal) =>
  request.url.pathname === '/all' ? timesOut(request, signal) : serves(shop)(request, signal);
inEachMode(
  'a map that times out returns the URLs found',
  { kind: 'map', modes: EMBEDDED, options: { tierVisits: { http: slow } } },
  async (map) => {
    const some = Mapped.parse(await map({ timeout_ms: 3000 }));
    assert.deepEqual(listPaths(some), ['/', '/all']);
    assert.deepEqual([some.complete, some.stop_reason, some.usage.credits], [false, 'timeout', 2]);
  },
);

const brokenSitemap = buildSite({
  '/': { links: ['/a'] },
  '/a': { links: [] },
  '/robots.txt': buildRobots(`Sitemap: ${SITE}index.sitemap`),
  '/index.sitemap': buildSitemapIndex(['/one.sitemap', '/two.sitemap']),
  '/one.sitemap': buildSitemapAnswer(['/a', '/b']),
  '/two.sitemap': { text: 'busy', status: 500 },
});
inEachMode(
  'a map that could not read a sitemap is not complete, and says so',
  { kind: 'map', modes: EMBEDDED, options: { tierVisits: { http: serves(brokenSitemap) } } },
  async (map) => {
    const all = Mapped.parse(await map());
    assert.deepEqual(listPaths(all), ['/', '/a', '/b']);
    assert.deepEqual([all.complete, all.stop_reason], [false, 'exhausted']);
    assert.deepEqual(
      all.sources['robots']?.errors.map(({ url, code }) => [url, code]),
      [[`${SITE}two.sitemap`, 'target_error']],
    );
  },
);

onEveryStore('a map resumes after its worker dies, and is charged once', async (store) => {
  const { visit, death } = hangsAt('/all?page=9', serves(shop));
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const all = Mapped.parse(await takenOver(gate, { kind: 'map', death }, { max_urls: 300, max_depth: 2 }));
    assert.equal(new Set(listPaths(all)).size, 300);
    assert.deepEqual([all.usage.credits, all.stop_reason], [4, 'max_urls']);
    assert.deepEqual(await gate.spent(), [4, 0]);
    await checkBooks(gate);
  });
});

const ORDER = { kind: 'map', input: { url: SITE, delay_ms: 0, max_urls: 500 } };

/** A running map that waits for a visit. */
async function underWay(gate: Gate, death: Death, signal?: AbortSignal) {
  const { answer } = await gate.ask(getOperation('jobs.submit'), ORDER);
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  const running = runClaimed(gate, claimed, signal);
  await death.came;
  return { id: String(answer?.body['id']), running };
}

const bunch = Array.from({ length: 200 }, (_, at) => `/b${at}`);
const bunches: Site = (path) => ({ links: path === '/' ? bunch : ['/'] });

onEveryStore('a map that another process helps with finds each URL once', async (store) => {
  const asked: string[] = [];
  const { visit, death } = hangsAt('/b3', serves(bunches, asked));
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const { id, running } = await underWay(gate, death);
    await gate.assist({ ...ORDER, jobId: id });
    death.end();
    assert.equal(await running, 'ok');
    const all = Mapped.parse((await openJobTools(gate).result(id, { limit: 1000 })).answer?.body);
    assert.deepEqual([new Set(listPaths(all)).size, all.total], [201, 201]);
    assert.equal(new Set(pagesAsked(asked)).size, pagesAsked(asked).length);
    assert.deepEqual(await gate.spent(), [4, 0]);
    await checkBooks(gate);
  });
});

onEveryStore('a map that is cancelled costs nothing', async (store) => {
  const { visit, death } = hangsAt('/b3', serves(bunches));
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const stop = new AbortController();
    const { id, running } = await underWay(gate, death, stop.signal);
    await openJobTools(gate).cancel(id);
    stop.abort(new JobStopped('cancelled'));
    death.end();
    await running;
    assert.equal((await openJobTools(gate).show(id)).status, 'cancelled');
    assert.deepEqual(await gate.spent(), [0, 0]);
    await checkBooks(gate);
  });
});

const closed = buildSite({ '/': { links: ['/a'] }, '/robots.txt': buildRobots('User-agent: *', 'Disallow: /') });
inEachMode(
  'a seed that robots.txt forbids gives an empty, free map',
  { kind: 'map', modes: EMBEDDED, options: { tierVisits: { http: serves(closed) } } },
  async (map, gate) => {
    const none = Mapped.parse(await map());
    assert.deepEqual([none.urls, none.stop_reason, none.complete], [[], 'robots', false]);
    assert.deepEqual(await gate.spent(), [0, 0]);
  },
);

inEachMode(
  'a seed that redirects to another site gives an empty map with a warning',
  {
    kind: 'map',
    options: { tierVisits: { http: async () => buildTestPage({ url: 'https://elsewhere.example/', text: 'hello' }) } },
  },
  async (map) => {
    const none = Mapped.parse(await map({ respect_robots: false }));
    assert.deepEqual([none.urls, none.complete, none.usage.credits], [[], false, 0]);
    assert.match(JSON.stringify(none['warnings']), /scope_left.*elsewhere/);
  },
);

const members = buildSite({
  '/': { links: ['/ledger'] },
  '/ledger': { links: ['/ledger/may'] },
  '/ledger/may': { links: [] },
});
const strangers = buildSite({ '/': { links: [] } });
const BADGE = { headers: { 'x-badge': 'mill' }, cookies: [{ name: 'session', value: 'rye' }] };

inEachMode(
  'headers and cookies are sent for pages, but not for sitemaps and feeds',
  {
    kind: 'map',
    options: {
      tierVisits: {
        async http(request, signal) {
          const isMember = request.headers['x-badge'] === 'mill' && request.cookies[0]?.value === 'rye';
          const isFile = /robots\.txt|sitemap|feed|rss|atom|index\.xml/.test(request.url.pathname);
          assert.ok(!(isFile && (isMember || request.cookies.length > 0)), request.url.href);
          return serves(isMember ? members : strangers)(request, signal);
        },
      },
    },
  },
  async (map) => {
    assert.deepEqual(listPaths(Mapped.parse(await map())), ['/']);
    assert.deepEqual(listPaths(Mapped.parse(await map({ fetch: BADGE }))), ['/', '/ledger', '/ledger/may']);
  },
);

const robotsAsked: string[] = [];
inEachMode(
  'a map that starts at robots.txt costs as much as one of its site, and does not list the file',
  { kind: 'map', options: { tierVisits: { http: serves(wide, robotsAsked) } } },
  async (map, gate) => {
    const all = Mapped.parse(await map({ url: `${SITE}robots.txt`, max_urls: 90 }));
    assert.deepEqual([all.urls.length, all.usage.credits], [90, 2]);
    assert.ok(all.urls.every(({ url }) => url.startsWith(`${SITE}item-`)));
    assert.deepEqual(await gate.spent(), [2, 0]);
  },
);

const WWW = SITE.replace('://', '://www.');
const moved = buildSite({
  '/': { to: WWW },
  [WWW]: { links: [] },
  [`${WWW}sitemap.xml`]: buildSitemapAnswer(few.map((path) => WWW + path.slice(1))),
});
inEachMode(
  'the sitemap of a host that the start redirects to is read',
  { kind: 'map', modes: EMBEDDED, options: { tierVisits: { http: serves(moved) } } },
  async (map) => {
    const all = Mapped.parse(await map());
    assert.equal(all.urls.filter(({ source }) => source === 'sitemap').length, few.length);
    assert.equal(all.sources['links']?.read, 1);
  },
);

const endless: Site = (path) => ({ links: [`/page-${Number(path.match(/\d+/)?.[0] ?? 0) + 1}`], says: `On ${path}` });
inEachMode(
  'an inline map without timeout_ms follows links for ten seconds',
  { kind: 'map', modes: MODES.slice(0, 1), options: { paceSpeed: 20, tierVisits: { http: serves(endless) } } },
  async (map) => {
    const some = Mapped.parse(await map({ max_depth: 1000, sources: ['links'], delay_ms: 1000 }));
    assert.deepEqual([some.stop_reason, some.complete, some.usage.credits], ['timeout', false, 2]);
    assert.ok(some.urls.length > 1);
  },
);

test('links among the sources are needed to walk', () => {
  const input = { url: SITE, walk: true, sources: ['sitemap'] };
  assert.match(JSON.stringify(declaration.input.safeParse(input).error), /walk/);
});
