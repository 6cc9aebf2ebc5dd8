import assert from 'node:assert/strict';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { SITE } from './gate.ts';
import {
  type Answer,
  inEachMode,
  MODES,
  buildRobots,
  serves,
  type Site,
  buildSite,
} from '../support/engine/crawl-modes.ts';

const INLINE = MODES.slice(0, 1);
const page = (...links: readonly string[]): Answer => ({ links });
const none = {
  robots: 0,
  noindex: 0,
  filter: 0,
  scope: 0,
  depth: 0,
  limit: 0,
  duplicate: 0,
  redirect: 0,
  media: 0,
  invalid: 0,
  action: 0,
  login: 0,
  sitemap: 0,
};

const sorted = buildSite({
  '/': page('/list?sort=price', '/list?sort=name', '/list', '/other'),
  '/list?sort=price': page('/list?sort=size'),
  '/other': page(),
});
const sortedVisits: string[] = [];
inEachMode(
  'with ignore_query, addresses that differ only in their query are one page',
  { kind: 'crawl', modes: INLINE, options: { tierVisits: { http: serves(sorted, sortedVisits) } } },
  async (crawl) => {
    sortedVisits.length = 0;
    const all = Crawled.parse(await crawl({ sitemap: 'skip', ignore_query: true }));
    assert.deepEqual(listStoredPaths(all), ['/', '/list?sort=price', '/other']);
    assert.deepEqual(
      sortedVisits.filter((path) => path.startsWith('/list')),
      ['/list?sort=price'],
    );
  },
);

const spellings = buildSite({
  '/': page(
    '/a',
    '/a#part',
    '/a?utm_source=mail&gclid=1',
    'https://MILL.example:443/a',
    'https://mill.example./a',
    '/x/../a',
    '/a;jsessionid=0A1B',
    '/b?page=1&q=2',
    '/b?q=2&page=1',
  ),
  '/a': page(),
  '/b?page=1&q=2': page(),
  '/b?q=2&page=1': page(),
});
const spelt: string[] = [];
inEachMode(
  'a page is requested once, regardless of the spelling of its links',
  { kind: 'crawl', options: { tierVisits: { http: serves(spellings, spelt) } } },
  async (crawl) => {
    spelt.length = 0;
    const all = Crawled.parse(await crawl({ sitemap: 'skip' }));
    assert.deepEqual(listStoredPaths(all), ['/', '/a', '/b?page=1&q=2', '/b?q=2&page=1']);
    assert.deepEqual(
      spelt.filter((path) => path.startsWith('/a')),
      ['/a'],
    );
    assert.deepEqual([all.stats.discovered, all.skipped], [4, none]);
    checkSum(all);
  },
);

const based = buildSite({
  '/': { links: ['one', '#here'], head: '<base href="/docs/">' },
  '/docs/one': {
    links: ['two'],
    head: '<base href="javascript:alert(1)"><link rel="canonical" href="/docs/two"><meta http-equiv="refresh" content="0; url=/docs/three">',
  },
  '/docs/two': { links: ['four'], head: '<base href="http://169.254.169.254/latest/">' },
  '/docs/three': page(),
});
inEachMode(
  'links are resolved against the base of their page, a refresh is a link, and a canonical URL is not',
  { kind: 'crawl', modes: INLINE, options: { tierVisits: { http: serves(based) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', output: ['links'] }));
    assert.deepEqual(listStoredPaths(all), ['/', '/docs/one', '/docs/three', '/docs/two']);
    const one = all.pages.find(({ url }) => url === `${SITE}docs/one`);
    assert.match(JSON.stringify(one?.['metadata']), /"canonical_url":"https:\/\/mill\.example\/docs\/two"/);
    assert.deepEqual(all.skipped, { ...none, scope: 1 });
    checkSum(all);
  },
);

const nofollow: Site = (path) => {
  const links = '<a rel="nofollow" href="/quiet">q</a><a href="/loud">l</a>';
  if (path === '/') return { text: `<main><p>start</p></main>${links}`, type: 'text/html' };
  if (path === '/loud') return { text: `<meta name=robots content=nofollow><p>loud</p>${links}`, type: 'text/html' };
  return path === '/quiet' ? page() : null;
};
inEachMode(
  'nofollow of links and pages is reported but does not limit a crawl',
  { kind: 'crawl', modes: INLINE, options: { tierVisits: { http: serves(nofollow) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', output: ['links'] }));
    assert.deepEqual(listStoredPaths(all), ['/', '/loud', '/quiet']);
    const getRel = (url: string): readonly string[] | null | undefined =>
      JSON.stringify(all.pages.find((one) => one.url === url)?.['links']).match(/"nofollow":\w+/g);
    assert.deepEqual(getRel(SITE), ['"nofollow":true', '"nofollow":false']);
    assert.deepEqual(getRel(`${SITE}loud`), ['"nofollow":true', '"nofollow":true']);
  },
);

const odd = buildSite({
  '/': page(
    '/photo.jpg',
    '/film.MP4',
    '/report.pdf',
    '/{{slug}}',
    '/$%7Bid%7D',
    '/%3C%=%20url%20%%3E',
    `/${'a'.repeat(8300)}`,
    'http://[',
    'mailto:a@mill.example',
    'javascript:void(0)',
    'https://user:secret@mill.example/',
    'https://elsewhere.example/',
    'https://mill.example:8443/',
    '/secret/a',
    '/a/b/a/b/a/b/a/b',
    '/calendar/2199/01',
    `/go?to=${'x'.repeat(2100)}`,
  ),
  '/report.pdf': page(),
});
inEachMode(
  'each skipped link has a reason, and the counts add up',
  { kind: 'crawl', options: { tierVisits: { http: serves(odd) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', exclude: ['/secret/*'] }));
    assert.deepEqual(listStoredPaths(all), ['/', '/report.pdf']);
    assert.deepEqual(all.skipped, { ...none, media: 2, invalid: 6, scope: 2, filter: 1, limit: 3 });
    assert.deepEqual([all.complete, all.stats.discovered], [true, 16]);
    checkSum(all);
  },
);

const facets = buildSite({
  '/': page(...Array.from({ length: 700 }, (_, at) => `/shop?a=${at}&b=1&c=1&d=1`)),
});
const endless: Site = (path) => {
  const at = Number(/^\/c\/(\d+)$/.exec(path)?.[1] ?? -1);
  if (path === '/') return page('/d/d', '/c/1');
  if (at > 0) return page(`/c/${at + 1}`);
  return path.startsWith('/d/') ? page(`${path}/d`) : null;
};
inEachMode(
  'a limited number of URLs of a filter form is crawled',
  { kind: 'crawl', modes: MODES.slice(0, 2), options: { tierVisits: { http: serves(facets) } } },
  async (crawl) => {
    const some = Crawled.parse(await crawl({ sitemap: 'skip', max_pages: 1 }));
    assert.deepEqual([some.skipped['limit'], some.stats.discovered, some.stats.pending], [200, 701, 500]);
    checkSum(some);
  },
);
inEachMode(
  "growing paths end when segments repeat, endless chains at the caller's limit",
  { kind: 'crawl', modes: INLINE, options: { tierVisits: { http: serves(endless) } } },
  async (crawl) => {
    const some = Crawled.parse(await crawl({ sitemap: 'skip', max_pages: 20 }));
    assert.equal(some.pages.length, 20);
    assert.equal(some.skipped['limit'], 1);
    assert.equal(some.stop_reason, 'max_pages');
    checkSum(some);
  },
);

const crowd = Array.from({ length: 1_000_000 }, (_, at) => `<a href=/n/${at}>`).join('');
inEachMode(
  'a limited number of a million links is used, and all are counted',
  {
    kind: 'crawl',
    modes: INLINE,
    options: {
      tierVisits: {
        http: serves((path) => (path === '/' ? { text: `<p>many</p>${crowd}`, type: 'text/html' } : null)),
      },
    },
  },
  async (crawl) => {
    const most = { max_pages: 1, max_depth: 1, max_per_pattern: 1_000_000 };
    const all = Crawled.parse(await crawl({ sitemap: 'skip', ...most, output: ['metadata'] }));
    assert.deepEqual([all.stats.discovered, all.skipped['limit']], [1_000_001, 950_000]);
    assert.equal(all.stats.pending, 50_000);
    checkSum(all);
  },
);

const said = 'The stones of the mill were dressed twice a year, and the miller wrote each day into his book. '.repeat(
  9,
);
const twins = buildSite({
  '/': page('/one', '/same', '/near', '/lost', '/lost-2', '/moved', '/moved-twice', '/away', '/to-wall', '/loop'),
  '/one': { links: [], says: said },
  '/same': { links: [], says: said },
  '/near': { links: [], says: `${said} Today.` },
  '/lost': { links: [], title: 'Page not found', says: 'Sorry, the page could not be found.' },
  '/moved': { to: '/new' },
  '/moved-twice': { to: '/moved' },
  '/new': page(),
  '/away': { to: 'https://elsewhere.example/lost' },
  '/to-wall': { to: '/wall' },
  '/wall': page(),
  '/loop': { to: '/loop' },
  '/robots.txt': buildRobots('User-agent: *', 'Disallow: /wall'),
});
const visited: string[] = [];
inEachMode(
  'redirects off the site are not followed, those to known pages count, and equal pages are stored once',
  { kind: 'crawl', options: { tierVisits: { http: serves(twins, visited) } } },
  async (crawl) => {
    visited.length = 0;
    const all = Crawled.parse(await crawl({ sitemap: 'skip' }));
    assert.deepEqual([all.skipped['redirect'], all.skipped['duplicate'], all.skipped['robots']], [2, 1, 1]);
    assert.equal(all.pages.filter(({ final_url: url }) => url === `${SITE}new`).length, 1);
    assert.ok(!visited.includes('https://elsewhere.example/lost') && !visited.includes('/wall'), visited.join(' '));
    const near = all.pages.filter((one) => one['near_duplicate_of'] !== undefined);
    assert.equal(near.length, 1);
    assert.deepEqual(
      all.pages.filter((one) => one['soft_404'] === true).map(({ url, credits }) => [url, credits]),
      [[`${SITE}lost`, 2]],
    );
    assert.deepEqual(Object.fromEntries(all.errors.map(({ url, code }) => [url, code])), {
      [`${SITE}loop`]: 'unusable_response',
      [`${SITE}lost-2`]: 'not_found',
    });
    checkSum(all);
  },
);
