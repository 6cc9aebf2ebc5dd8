import assert from 'node:assert/strict';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { SITE } from './gate.ts';
import { type Answer, inEachMode, buildRobots, serves, type Site, buildSite } from '../support/engine/crawl-modes.ts';

const SMALL: Readonly<Record<string, Answer>> = {
  '/': { links: ['/a', '/b', '/old', '/gone', 'https://elsewhere.example/', '/photo.jpg', '/print'] },
  '/a': { links: ['/b', '/c?utm_source=x', '/c', '/a#top'] },
  '/b': { links: ['/', '/a'], says: 'page b', title: 'b' },
  '/c': { links: ['/deep'] },
  '/c?utm_source=x': { to: '/c' },
  '/old': { to: '/c' },
  '/print': { links: ['/only-from-print'], says: 'page b', title: 'b' },
  '/only-from-print': { links: [] },
  '/deep': { links: [] },
};
const small: Site = buildSite(SMALL);
const walled: Site = buildSite({ ...SMALL, '/robots.txt': buildRobots('User-agent: *', 'Disallow: /a') });

inEachMode(
  'each page of a site is stored once, and everything else is counted',
  { kind: 'crawl', modes: ['inline', 'sqlite', 'postgres'], options: { tierVisits: { http: serves(small) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ max_pages: 25 }));
    assert.deepEqual([all.complete, all.stop_reason], [true, 'exhausted']);
    const [twin] = [['/b'], ['/print']].filter((one) => listStoredPaths(all).includes(one[0] ?? ''));
    const led = ['/old', '/c', '/c?utm_source=x'].find((one) => listStoredPaths(all).includes(one)) ?? '';
    assert.deepEqual(listStoredPaths(all), ['/', '/a', ...(twin ?? []), led, '/deep', '/only-from-print'].toSorted());
    assert.deepEqual(
      all.errors.map(({ code, status_code }) => [code, status_code]),
      [['not_found', 404]],
    );
    assert.deepEqual(all.skipped, { ...all.skipped, scope: 1, media: 1, duplicate: 1 });
    checkSum(all);
  },
);

inEachMode(
  'at most max_pages are stored, and the rest is pending',
  { kind: 'crawl', options: { tierVisits: { http: serves(small) } } },
  async (crawl) => {
    for (const most of [1, 3]) {
      const some = Crawled.parse(await crawl({ max_pages: most }));
      assert.equal(some.pages.length, most);
      assert.deepEqual([some.complete, some.stop_reason], [false, 'max_pages']);
      checkSum(some);
    }
  },
);

inEachMode(
  'a crawl goes to max_depth by the shortest paths',
  { kind: 'crawl', options: { tierVisits: { http: serves(small) } } },
  async (crawl) => {
    const shallow = Crawled.parse(await crawl({ max_depth: 1, dedupe_content: false }));
    assert.deepEqual(new Set(shallow.pages.map(({ depth }) => depth)), new Set([0, 1]));
    assert.deepEqual([shallow.complete, shallow.stop_reason], [false, 'max_depth']);
    assert.ok((shallow.skipped['depth'] ?? 0) > 0);
    checkSum(shallow);
  },
);

inEachMode(
  'robots.txt is obeyed unless respect_robots is false',
  { kind: 'crawl', options: { tierVisits: { http: serves(walled) } } },
  async (crawl) => {
    const obeyed = Crawled.parse(await crawl());
    assert.ok(!listStoredPaths(obeyed).includes('/a'));
    assert.equal(obeyed.skipped['robots'], 1);
    assert.ok(listStoredPaths(Crawled.parse(await crawl({ respect_robots: false }))).includes('/a'));
  },
);

inEachMode(
  'a list of pages is fetched without following a link',
  { kind: 'crawl', options: { tierVisits: { http: serves(small) } } },
  async (crawl) => {
    const list = Crawled.parse(await crawl({ url: undefined, urls: [`${SITE}a`, `${SITE}deep`, `${SITE}nowhere`] }));
    assert.deepEqual(listStoredPaths(list), ['/a', '/deep']);
    assert.equal(list.errors.length, 1);
    checkSum(list);
  },
);
