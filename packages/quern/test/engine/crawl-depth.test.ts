import assert from 'node:assert/strict';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { inEachMode, serves, buildSite } from '../support/engine/crawl-modes.ts';

const listing = buildSite({
  '/': { links: ['/other', '/list'] },
  // Its depth is two by links, and one as a page of the listing.
  '/other': { links: ['/list?page=3'] },
  '/list': { links: ['/list?page=2', '/item-1'] },
  '/list?page=2': { links: ['/list?page=3', '/item-2'] },
  '/list?page=3': { links: ['/item-3'] },
  '/item-1': { links: ['/far'] },
  '/item-2': { links: [] },
  '/item-3': { links: [] },
});

inEachMode(
  'a page that was too deep is crawled when a shorter path is found',
  { kind: 'crawl', options: { tierVisits: { http: serves(listing) } } },
  async (crawl) => {
    const shallow = Crawled.parse(await crawl({ max_depth: 1, sitemap: 'skip' }));
    assert.deepEqual(listStoredPaths(shallow), ['/', '/list', '/list?page=2', '/list?page=3', '/other']);
    assert.equal(shallow.pages.find(({ url }) => url.endsWith('page=3'))?.depth, 1);
    assert.deepEqual([shallow.skipped['depth'], shallow.stop_reason], [3, 'max_depth']);
    checkSum(shallow);
  },
);

inEachMode(
  'a queued page has the depth of the shortest path, and so have its links',
  { kind: 'crawl', options: { tierVisits: { http: serves(listing) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ max_depth: 2, sitemap: 'skip' }));
    const depths = Object.fromEntries(all.pages.map(({ url, depth }) => [url.slice(url.lastIndexOf('/')), depth]));
    assert.deepEqual(depths, {
      '/': 0,
      '/other': 1,
      '/list': 1,
      '/list?page=2': 1,
      '/list?page=3': 1,
      '/item-1': 2,
      '/item-2': 2,
      '/item-3': 2,
    });
    assert.equal(all.skipped['depth'], 1);
    checkSum(all);
  },
);
