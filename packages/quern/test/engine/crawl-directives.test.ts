import assert from 'node:assert/strict';
import { checkSum, Crawled } from '../support/engine/crawl-result.ts';
import { SITE } from './gate.ts';
import { type Answer, inEachMode, buildRobots, serves, type Site, buildSite } from '../support/engine/crawl-modes.ts';

const NOINDEX = '<meta name="robots" content="noindex">';
const RYE = 'Rye is ground between two stones, which the brook turns by a wheel of oak, from autumn until the frost. ';
const OATS =
  'Oats are dried over a low fire of beech before they are hulled, and the hulls go to the stable of the mill. ';

function canonical(path: string): string {
  return `<link rel="canonical" href="${new URL(path, SITE).href}">`;
}

/** A wiki: an article, its edit form, its history without links, and a page that only the form links to. */
const WIKI = buildSite({
  '/': { links: ['/rye', '/rye?action=edit', '/rye?action=history'] },
  '/rye': { links: [], says: RYE.repeat(5) },
  '/rye?action=edit': { links: ['/help'], head: NOINDEX },
  '/rye?action=history': { links: ['/old'], head: '<meta name="robots" content="noindex,nofollow">' },
  '/help': { links: [] },
  '/old': { links: [] },
});

inEachMode(
  'a noindex page is free and not stored, but its links are followed unless it is nofollow',
  { kind: 'crawl', options: { tierVisits: { http: serves(WIKI) } } },
  async (crawl, gate) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip' }));
    assert.deepEqual(all.pages.map(({ url }) => url).toSorted(), [SITE, `${SITE}help`, `${SITE}rye`]);
    assert.equal(all.skipped['noindex'], 2);
    assert.equal(all.usage.credits, 6);
    assert.deepEqual(await gate.spent(), [6, 0]);
    checkSum(all);
  },
);

inEachMode(
  'without respect_robots noindex pages are stored',
  { kind: 'crawl', modes: ['inline'], options: { tierVisits: { http: serves(WIKI) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', respect_robots: false }));
    assert.equal(all.pages.length, 6);
    assert.equal(all.skipped['noindex'], 0);
  },
);

const SHUT = buildSite({ '/': { links: ['/rye'], head: NOINDEX }, '/rye': { links: [], head: NOINDEX } });

inEachMode(
  'a warning says how to store the pages of a site with noindex',
  { kind: 'crawl', options: { tierVisits: { http: serves(SHUT) } } },
  async (crawl) => {
    const none = Crawled.parse(await crawl({ sitemap: 'skip' }));
    assert.deepEqual([none.pages.length, none.skipped['noindex'], none.complete], [0, 2, true]);
    assert.match(JSON.stringify(none.warnings), /2 pages are marked noindex.*set respect_robots to false/);
    const all = Crawled.parse(await crawl({ sitemap: 'skip', respect_robots: false }));
    assert.deepEqual([all.pages.length, all.warnings], [2, []]);
  },
);

const tagged = serves(buildSite({ '/': { links: ['/form'] }, '/form': { links: [] } }));
inEachMode(
  'the X-Robots-Tag header works like the meta element',
  {
    kind: 'crawl',
    modes: ['inline'],
    options: {
      tierVisits: {
        async http(request, signal) {
          const page = await tagged(request, signal);
          return request.url.pathname === '/form' ? { ...page, headers: { 'x-robots-tag': 'noindex' } } : page;
        },
      },
    },
  },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip' }));
    assert.deepEqual([all.pages.length, all.skipped['noindex']], [1, 1]);
  },
);

/** Two versions of a page: the older one names the newer as canonical URL, and no page links to the newer one. */
const VERSIONS = buildSite({
  '/': { links: ['/v1/rye', '/v1/oats'] },
  '/v1/rye': { links: ['/v1/only'], head: canonical('/v2/rye'), says: RYE.repeat(20) },
  '/v2/rye': { links: [], title: 'Rye, second edition', says: `${RYE.repeat(20)} Now with a sieve.` },
  '/v1/oats': { links: [], head: canonical('/v2/oats'), says: OATS.repeat(20) },
  '/v2/oats': { links: [], head: canonical('/v2/oats'), says: `${OATS.repeat(20)} Now with a fan.` },
  '/v1/only': { links: ['/v2/oats'] },
});

inEachMode(
  'only the canonical page is stored, however it is found, and the links of all its copies are followed',
  { kind: 'crawl', options: { tierVisits: { http: serves(VERSIONS) } } },
  async (crawl, gate) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', output: ['markdown'] }));
    const finals = all.pages.map((page) => page['final_url']);
    assert.deepEqual(finals.toSorted(), [SITE, `${SITE}v1/only`, `${SITE}v2/oats`, `${SITE}v2/rye`]);
    assert.ok(all.pages.some((page) => String(page['markdown']).includes('Now with a sieve')));
    assert.equal(all.usage.credits, 8);
    assert.deepEqual(await gate.spent(), [8, 0]);
    checkSum(all);
  },
);

/** Pages whose canonical URL is wrong, missing, forbidden, `noarchive` or on another site. */
const MISTAKEN: Readonly<Record<string, Answer>> = {
  '/robots.txt': buildRobots('User-agent: *', 'Disallow: /closed'),
  '/': { links: ['/other', '/gone', '/shut', '/hidden', '/away', '/garbled'], says: OATS.repeat(20) },
  '/other': { links: [], head: canonical('/'), says: RYE.repeat(20) },
  '/gone': { links: [], head: canonical('/nowhere') },
  '/shut': { links: [], head: canonical('/closed') },
  '/closed': { links: [] },
  '/hidden': { links: [], head: canonical('/unlisted') },
  '/unlisted': { links: [], head: NOINDEX, says: 'On /hidden' },
  '/away': { links: [], head: '<link rel="canonical" href="https://elsewhere.test/">' },
  '/garbled': { links: [], head: '<link rel="canonical" href="http://[">' },
};

inEachMode(
  'an invalid canonical URL is ignored',
  { kind: 'crawl', options: { tierVisits: { http: serves(buildSite(MISTAKEN)) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip' }));
    const paths = all.pages.map(({ url }) => new URL(url).pathname);
    assert.deepEqual(paths.toSorted(), ['/', '/away', '/garbled', '/gone', '/hidden', '/other', '/shut']);
    checkSum(all);
  },
);

/** Two pages that name each other as canonical URL. */
const CIRCLE: Site = buildSite({
  '/': { links: ['/a', '/b'] },
  '/a': { links: [], head: canonical('/b'), says: RYE.repeat(20) },
  '/b': { links: [], head: canonical('/a'), says: `${RYE.repeat(20)} And a sieve.` },
});

inEachMode(
  'two pages that have each other as canonical are both stored',
  { kind: 'crawl', options: { tierVisits: { http: serves(CIRCLE) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip' }));
    assert.deepEqual(all.pages.map(({ url }) => url).toSorted(), [SITE, `${SITE}a`, `${SITE}b`]);
    checkSum(all);
  },
);

const FORMS = ['edit', 'history', 'info', 'raw'].map((action) => `?action=${action}`);

/** A wiki whose forms are not marked `noindex`: each article links to its forms first, then to the next article. */
const articles: string[] = [];
const OPEN_WIKI: Site = (path) => {
  const [, name = '', query] = /^\/(\w*)(\?.*)?$/.exec(path) ?? [];
  if (!/^(?:a\d)?$/.test(name)) return null;
  const next = name === '' ? 0 : Number(name.slice(1)) + 1;
  if (query !== undefined) return { links: [] };
  return { links: [...FORMS.map((form) => `/${name}${form}`), ...(next < 4 ? [`/a${next}`] : [])] };
};

inEachMode(
  'action links are visited last',
  { kind: 'crawl', options: { tierVisits: { http: serves(OPEN_WIKI, articles) } } },
  async (crawl) => {
    const few = Crawled.parse(await crawl({ sitemap: 'skip', max_pages: 5 }));
    assert.deepEqual([few.pages.filter(({ url }) => url.includes('?')), few.stop_reason], [[], 'max_pages']);
    checkSum(few);
    const all = Crawled.parse(await crawl({ sitemap: 'skip', max_pages: 25, dedupe_content: false }));
    const firstForm = all.pages.findIndex(({ url }) => url.includes('?'));
    assert.deepEqual([all.pages.length, firstForm, all.complete], [25, 5, true]);
    checkSum(all);
    const today = Crawled.parse(await crawl({ sitemap: 'skip', max_pages: 5, respect_robots: false }));
    assert.ok(today.pages.some(({ url }) => url.includes('?')));
  },
);
