import assert from 'node:assert/strict';
import { z } from 'zod';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { inEachMode, serves, type Site, buildSitemapAnswer, buildSite } from '../support/engine/crawl-modes.ts';

/** Each URL below the maze returns a unique page with links to two more. */
const maze: Site = (path) => {
  if (path === '/') return { links: ['/about', '/shop/rye', '/maze/0'] };
  if (path === '/about' || path === '/shop/rye') return { links: [] };
  const at = /^\/maze\/(\d+)$/.exec(path)?.[1];
  if (at === undefined) return null;
  const says = `In the chamber ${at} of ${Number(at) * 7919} doors ${'abcdefgh'[Number(at) % 8]} leads on.`;
  return { links: [`/maze/${2 * Number(at) + 1}`, `/maze/${2 * Number(at) + 2}`], says };
};
const MODES = { tierVisits: { http: serves(maze) } };

inEachMode(
  'a maze of different pages ends at max_per_pattern, and a warning reports the pattern',
  { kind: 'crawl', options: MODES },
  async (crawl, gate) => {
    const crawled = Crawled.parse(await crawl({ max_pages: 25, max_per_pattern: 12, sitemap: 'skip' }));
    assert.deepEqual(
      listStoredPaths(crawled),
      ['/', '/about', '/shop/rye', ...Array.from({ length: 12 }, (_, at) => `/maze/${at}`)].toSorted(),
    );
    assert.deepEqual([crawled.complete, crawled.stop_reason], [false, 'exhausted']);
    const [warning, ...more] = crawled.warnings;
    assert.deepEqual([warning?.code, more], ['links_not_followed', []]);
    assert.match(warning?.message ?? '', /^13 URLs .*max_per_pattern.*mill\.example\/maze\/\*/);
    assert.equal(crawled.skipped['limit'], 13);
    checkSum(crawled);
    assert.deepEqual(await gate.spent(), [30, 0]);
  },
);

inEachMode('a map ends a maze at max_per_pattern too', { kind: 'map', options: MODES }, async (map) => {
  const found = z
    .looseObject({ total: z.number(), complete: z.boolean(), warnings: z.array(z.looseObject({ code: z.string() })) })
    .parse(await map({ max_per_pattern: 12, max_depth: 50, sources: ['links'] }));
  assert.deepEqual([found.total, found.complete], [15, false]);
  assert.deepEqual(
    found.warnings.map(({ code }) => code),
    ['links_not_followed'],
  );
});

const listed = Array.from({ length: 20 }, (_, at) => `/product/${at}`);
const shop = buildSite({
  '/': { links: listed },
  '/sitemap.xml': buildSitemapAnswer(['/', ...listed]),
  ...Object.fromEntries(listed.map((path) => [path, { links: ['/'] }])),
});
inEachMode(
  'URLs from a sitemap do not count towards max_per_pattern',
  { kind: 'crawl', options: { tierVisits: { http: serves(shop) } } },
  async (crawl) => {
    const crawled = Crawled.parse(await crawl({ sitemap: 'only', max_per_pattern: 5 }));
    assert.deepEqual([crawled.pages.length, crawled.complete, crawled.warnings], [21, true, []]);
  },
);
