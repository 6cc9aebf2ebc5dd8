import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitUnstoredLinks } from '#features/crawl/dedupe/duplicates.ts';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { SITE } from './gate.ts';
import { type Answer, crawlIn, inEachMode, serves, buildSite } from '../support/engine/crawl-modes.ts';

const page = (...links: readonly string[]): Answer => ({ links });
const RYE = 'Rye is ground between two stones, which the brook turns by a wheel of oak, from autumn until the frost. ';

/** Links to excluded pages, through a redirect or a canonical URL. */
const MOVED = buildSite({
  '/': page('/docs/a', '/docs/gone', '/docs/far', '/docs/named', '/docs/news'),
  '/docs/a': page(),
  '/docs/gone': { to: '/private/a' },
  '/docs/far': { to: '/hop' },
  '/hop': { to: '/private/b' },
  '/docs/named': {
    links: [],
    head: `<link rel="canonical" href="${SITE}private/c">`,
    says: RYE.repeat(20),
  },
  '/docs/news': { to: '/news/1' },
  '/news/1': page('/docs/b'),
  '/docs/b': page(),
  '/private/a': page(),
  '/private/b': page(),
  '/private/c': { links: [], says: RYE.repeat(20) },
});
const asked: string[] = [];
const MOVES = { kind: 'crawl', options: { tierVisits: { http: serves(MOVED, asked) } } };

inEachMode(
  'redirects and canonical URLs that exclude matches are not requested and free',
  MOVES,
  async (crawl, gate) => {
    asked.length = 0;
    const all = Crawled.parse(await crawl({ sitemap: 'skip', exclude: ['/private/**'] }));
    assert.deepEqual(listStoredPaths(all), ['/', '/docs/a', '/docs/b', '/docs/named', '/docs/news']);
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/private')),
      [],
    );
    assert.equal(all.skipped['filter'], 2);
    assert.deepEqual([all.warnings, all.complete], [[], true]);
    assert.deepEqual(await gate.spent(), [10, 0]);
    checkSum(all);
  },
);

inEachMode(
  'a page that redirects to a URL outside include is not stored, and its links are not followed',
  MOVES,
  async (crawl, gate) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', include: ['/docs/**'] }));
    assert.deepEqual(listStoredPaths(all), ['/', '/docs/a', '/docs/named']);
    assert.equal(all.skipped['filter'], 3);
    assert.deepEqual(await gate.spent(), [6, 0]);
    checkSum(all);
  },
);

const WIDE = serves((path) => {
  if (path === '/') return page('/here', 'https://other.example/there', 'https://third.example/else');
  return page(...(path.endsWith('/there') ? ['https://other.example/more'] : []));
});
inEachMode(
  'scope any follows links to other sites, and url: matches the whole URL',
  { kind: 'crawl', options: { tierVisits: { http: WIDE } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', scope: 'any', exclude: ['url:^https://third[.]'] }));
    assert.deepEqual(all.pages.map(({ url }) => url).toSorted(), [
      SITE,
      `${SITE}here`,
      'https://other.example/more',
      'https://other.example/there',
    ]);
    assert.deepEqual([all.skipped['filter'], all.skipped['scope'], all.warnings], [1, 0, []]);
    checkSum(all);
  },
);

const HOME = buildSite({ '/': { to: '/login' }, '/login': page('/a'), '/a': page() });
inEachMode(
  'a seed that redirects to an excluded URL is followed but not stored',
  { kind: 'crawl', options: { tierVisits: { http: serves(HOME) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', exclude: ['/login*'] }));
    assert.deepEqual([listStoredPaths(all), all.skipped['filter'], all.warnings], [['/a'], 1, []]);
    checkSum(all);
  },
);

const SHOP = buildSite({
  '/': page('/list?page=1', '/about', '/private/x'),
  '/list?page=1': page('/thing/1', '/list?page=2'),
  '/list?page=2': page('/thing/2', '/to-thing'),
  '/about': page('/press'),
  '/press': page('/thing/3'),
  '/thing/1': page(),
  '/thing/2': page('/print/6'),
  '/thing/3': page(),
  '/to-thing': { to: '/thing/4' },
  '/thing/4': page(),
  '/print/6': { links: [], head: `<link rel="canonical" href="${SITE}thing/6">`, says: RYE.repeat(20) },
  '/thing/6': { links: [], says: RYE.repeat(20) },
  '/private/x': page('/thing/5'),
  '/thing/5': page(),
});
const SHOPPING = { kind: 'crawl', options: { tierVisits: { http: serves(SHOP) } } };

inEachMode(
  'store: included follows all pages in scope, but stores, counts and charges only included ones',
  SHOPPING,
  async (crawl, gate) => {
    const order = { sitemap: 'skip', include: ['/thing/*'], exclude: ['/private/**'] };
    const all = Crawled.parse(await crawl({ ...order, store: 'included' }));
    assert.deepEqual(all.pages.map(({ final_url: url }) => url.slice(SITE.length)).toSorted(), [
      'thing/1',
      'thing/2',
      'thing/3',
      'thing/4',
      'thing/6',
    ]);
    assert.deepEqual([all.complete, all.stop_reason, all.warnings], [true, 'exhausted', []]);
    assert.equal(all.skipped['filter'], 6);
    assert.deepEqual(await gate.spent(), [10, 0]);
    checkSum(all);
    const few = Crawled.parse(await crawl({ ...order, store: 'included', max_pages: 2 }));
    assert.deepEqual([few.pages.length, few.stop_reason], [2, 'max_pages']);
    const none = Crawled.parse(await crawl(order));
    assert.deepEqual(listStoredPaths(none), ['/']);
  },
);

test('links of pages outside include are skipped beyond a limit that grows with max_pages', () => {
  const link = { url: `${SITE}a`, key: 'a', host: 'mill.example', depth: 1, skip: null, title: null, lastmod: null };
  const end = {
    claim: { seq: 1, url: SITE, host: 'mill.example', depth: 0, parentUrl: null, isBarren: false, tries: 0 },
    reservedCredits: 2,
    links: [{ ...link, source: 'links', isParked: false }],
    skippedLinks: {},
    baseUrl: null,
    hashRoute: null,
    fate: { kind: 'skipped', reason: 'filter' },
  } as const;
  const none = { followed: 0, unfollowed: 0 };
  const counts = { duplicates: none, passed: none };
  const ends = Array.from({ length: 2500 }, () => end);
  const few = limitUnstoredLinks(ends, { counts, stored: 0, maxPages: 25 });
  assert.deepEqual([few.passed, few.duplicates], [{ followed: 1000, unfollowed: 1500 }, none]);
  assert.equal(few.ends.filter(({ links }) => links.length > 0).length, 1000);
  const more = limitUnstoredLinks(ends, { counts, stored: 0, maxPages: 200 });
  assert.deepEqual(more.passed, { followed: 2000, unfollowed: 500 });
});

inEachMode('a pattern that matches no address is named in a warning', SHOPPING, async (crawl) => {
  const all = Crawled.parse(
    await crawl({ sitemap: 'skip', include: ['/about', '/abuot', '/**'], exclude: ['/private/**', 're:^/secrets/'] }),
  );
  assert.deepEqual(
    all.warnings.map(({ code, message }) => [code, /matches (.*);/.exec(message)?.[1]]),
    [
      ['pattern_unmatched', '/abuot'],
      ['pattern_unmatched', 're:^/secrets/'],
    ],
  );
});

inEachMode('a map also warns about a pattern that matches nothing', { ...SHOPPING, kind: 'map' }, async (map) => {
  const found = JSON.stringify((await map({ sources: ['links'], exclude: ['/private/**', '/nowhere'] }))['warnings']);
  assert.match(found, /"pattern_unmatched","message":"exclude: none of .* matches \/nowhere;/);
  assert.doesNotMatch(found, /private/);
});

inEachMode(
  'a glob with parameters but no question mark is rejected with the right form',
  { ...SHOPPING, modes: ['inline'] },
  async (crawl, gate) => {
    for (const [glob, form] of [
      ['/list&page=2', '/list?page=2'],
      ['/list/page=2', '/list/?page=2'],
      ['*sort=*', '*?*sort=*'],
      ['/list*color=red*', '/list*?*color=red*'],
      ['*&view=grid', '*?*&view=grid'],
    ]) {
      for (const member of ['include', 'exclude']) {
        const order = crawl({ [member]: [glob] });
        await assert.rejects(order, ({ code, message }: { code: string; message: string }) => {
          assert.equal(code, 'invalid_request');
          assert.ok(message.includes(member) && message.includes(`write ${form};`), message);
          return true;
        });
      }
    }
    await assert.rejects(crawl({ store: 'included' }), /store: included needs at least one pattern in include/);
    await assert.rejects(
      crawlIn(
        gate,
        { mode: 'inline', kind: 'crawl' },
        { url: undefined, urls: [SITE], store: 'included', include: ['/'] },
      ),
      /store/,
    );
    const all = Crawled.parse(await crawl({ sitemap: 'skip', exclude: ['/list?page=*', 're:a=b'] }));
    assert.deepEqual(listStoredPaths(all), ['/', '/about', '/press', '/private/x', '/thing/3', '/thing/5']);
  },
);
