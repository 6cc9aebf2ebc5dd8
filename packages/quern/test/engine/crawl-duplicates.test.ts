import assert from 'node:assert/strict';
import { onEveryStore } from '../support/store.ts';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { withGate } from './gate.ts';
import { checkBooks } from '../support/engine/queue.ts';
import { type Answer, hangsAt, inEachMode, serves, type Site, takenOver } from '../support/engine/crawl-modes.ts';

const page = (...links: readonly string[]): Answer => ({ links });
const SAID = 'The stones of the mill were dressed twice a year, and the miller wrote it into his book. '.repeat(9);

/** The number in a URL below a folder; null for any other URL. */
function numberIn(folder: string, path: string): number | null {
  const [, before, digits] = /^(\/.*\/)(\d+)$/.exec(path) ?? [];
  return before === folder ? Number(digits) : null;
}

/** Below `/trap/` each URL links to two new ones, and has the same content. */
const endless: Site = (path) => {
  if (path === '/') return page('/one', '/trap/1');
  if (path === '/one') return page('/two');
  if (path === '/two') return page();
  const at = numberIn('/trap/', path);
  return at === null ? null : { links: [`/trap/${2 * at}`, `/trap/${2 * at + 1}`], says: SAID };
};

/** The first page is stored. Some thirty of the others are visited, and their links are skipped. */
const MAX_VISITED = 80;

function checkLeft(body: unknown): void {
  const all = Crawled.parse(body);
  assert.deepEqual(listStoredPaths(all), ['/', '/one', '/trap/1', '/two']);
  const { duplicate = 0, limit = 0 } = all.skipped;
  assert.ok(duplicate >= 30 && duplicate < MAX_VISITED, `${duplicate} duplicates were visited`);
  assert.deepEqual([all.stop_reason, all.complete], ['exhausted', false]);
  // Each visited one led to two more.
  assert.equal(limit, duplicate + 2);
  assert.deepEqual(
    all.warnings.map(({ code, message }) => [code, Number.parseInt(message, 10)]),
    [['links_not_followed', limit]],
  );
  checkSum(all);
}

inEachMode(
  'a trap of equal pages is abandoned after a few dozen pages, with a warning',
  { kind: 'crawl', modes: ['inline'], options: { tierVisits: { http: serves(endless) } } },
  async (crawl) => checkLeft(await crawl({ sitemap: 'skip' })),
);

onEveryStore('a crawl killed in a trap leaves it at the same point as an uninterrupted one', async (store) => {
  const { visit, death } = hangsAt('/trap/20', serves(endless));
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    checkLeft(await takenOver(gate, { kind: 'crawl', death }, { sitemap: 'skip' }));
    await checkBooks(gate);
  });
});

/** Each visit of the seed returns a new URL that redirects to the seed. */
function buildCircle(): Site {
  let turns = 0;
  return (path) => (path === '/' ? page(`/again/${++turns}`) : path === '/robots.txt' ? null : { to: '/' });
}

inEachMode(
  'a trap of URLs that redirect to one page is abandoned too',
  { kind: 'crawl', modes: ['inline'], options: { tierVisits: { http: serves(buildCircle()) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip' }));
    assert.deepEqual([all.stop_reason, listStoredPaths(all)], ['exhausted', ['/']]);
    assert.ok(Number(all.skipped['redirect']) <= 40, `${all.skipped['redirect']} were visited`);
  },
);

/** A shop with two thousand listings. Each has one of three texts, and links to three of 120 products. */
const shop: Site = (path) => {
  const listing = numberIn('/list/', path);
  if (path === '/') return page('/list/1');
  if (listing === null) return numberIn('/thing/', path) === null ? null : page();
  const next = listing < 2000 ? [`/list/${listing * 2}`, `/list/${listing * 2 + 1}`] : [];
  const things = [0, 1, 2].map((step) => `/thing/${(listing + step * 40) % 120}`);
  return { links: [...next, ...things], says: `${SAID} ${listing % 3}` };
};
inEachMode(
  'no page is missed in a shop with the same listings at thousands of URLs',
  { kind: 'crawl', modes: ['sqlite'], options: { tierVisits: { http: serves(shop) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', max_pages: 1000 }));
    assert.equal(all.pages.length, 1 + 3 + 120);
    checkSum(all);
  },
);
