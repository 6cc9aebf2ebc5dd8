import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { toUrlParts } from '#extract/urls/url-parts.ts';
import { isSameListing, toListingPage } from '#extract/urls/pagination.ts';
import { checkSum, Crawled } from '../support/engine/crawl-result.ts';
import { SITE, withGate } from './gate.ts';
import { checkBooks } from '../support/engine/queue.ts';
import { type Answer, crawlIn, buildRobots, serves, buildSite } from '../support/engine/crawl-modes.ts';

/** Kinds of pages on random sites. */
const PLACES = 16;
const LISTING = 6;
const TRAP = '/t/t/t/t';
const TWIN = 'the same everywhere';

type Table = Readonly<Record<string, Answer>>;

function formatPath(place: number): string {
  if (place === 0) return '/';
  return place <= LISTING ? `/list?page=${place}` : `/p${place}`;
}

const places = fc.record({
  links: fc.array(fc.nat(PLACES + 4), { maxLength: 3 }),
  kind: fc.constantFrom('page', 'page', 'page', 'page', 'redirect', 'twin', 'failing', 'walled', 'away'),
  to: fc.nat(PLACES - 1),
});

function formatTarget(n: number): string {
  if (n < PLACES) return formatPath(n);
  return ['/hole', 'https://elsewhere.example/', '/photo.jpg', '/{{slug}}', TRAP][n - PLACES] ?? '/';
}

/** The first page links to the listing and to another page, and each page of the listing to the next. */
function listNext(at: number): readonly number[] {
  if (at === 0) return [1, LISTING + 1];
  return at < LISTING ? [at + 1] : [];
}

const sites = fc.array(places, { minLength: PLACES, maxLength: PLACES }).map((all): Table => {
  const entries = all.map(({ links, kind, to }, at): [string, Answer] => {
    const path = formatPath(at);
    if (at <= LISTING) return [path, { links: [...links, ...listNext(at)].map(formatTarget), title: 't' }];
    if (kind === 'redirect') return [path, { to: formatPath(to) }];
    if (kind === 'away') return [path, { to: 'https://elsewhere.example/' }];
    if (kind === 'failing') return [path, { text: 'broken', status: 410 }];
    const says = kind === 'twin' ? TWIN : undefined;
    return [path, { links: links.map(formatTarget), title: 't', ...(says === undefined ? {} : { says }) }];
  });
  const walls = all.flatMap(({ kind }, at) =>
    at > LISTING && kind === 'walled' ? [`Disallow: ${formatPath(at)}$`] : [],
  );
  return { ...Object.fromEntries(entries), '/robots.txt': buildRobots('User-agent: *', ...walls) };
});

const bounds = fc.record({
  max_depth: fc.constantFrom(null, 0, 1, 2, 2, 3),
  max_pages: fc.constantFrom(3, 25, 25, 25),
  dedupe_content: fc.boolean(),
});

/** The content of each reachable page, computed by a breadth-first search without a frontier. */
function reachableIn(site: Table, maxDepth: number | null): ReadonlySet<string> {
  const walls = new Set(
    JSON.stringify(site['/robots.txt'])
      .match(/Disallow: \S+?\$/g)
      ?.map((rule) => rule.slice(10, -1)),
  );
  const depths = new Map([['/', 0]]);
  const said = new Set<string>();
  for (let level = 0; level <= (maxDepth ?? PLACES * 2); level += 1) {
    // Pages of a listing are added to the level while it is searched.
    const queue = [...depths].filter(([, depth]) => depth === level).map(([path]) => path);
    for (const path of queue) {
      const page = computeEnd(site, path, walls);
      if (page === null) continue;
      said.add(page.says);
      for (const link of page.links) {
        const href = URL.parse(link, SITE + page.path.slice(1))?.href ?? '';
        const depth = level + (isSamePart(SITE + page.path.slice(1), href) ? 0 : 1);
        if ((depths.get(link) ?? Infinity) <= depth) continue;
        if (depth === level && !queue.includes(link)) queue.push(link);
        depths.set(link, depth);
      }
    }
  }
  return said;
}

function isSamePart(from: string, to: string): boolean {
  const [here, there] = [toUrlParts(from), toUrlParts(to)];
  return here !== null && there !== null && isSameListing(toListingPage(here), toListingPage(there), null);
}

function computeEnd(site: Table, start: string, walls: ReadonlySet<string>) {
  let path = start;
  for (let hop = 0; hop <= 10; hop += 1) {
    const answer = site[path];
    if (answer === undefined || walls.has(path) || 'text' in answer) return null;
    if ('links' in answer) return { path, links: answer.links, says: answer.says ?? `On ${path}` };
    path = answer.to;
  }
  return null;
}

test('for any site and limits, both frontiers store the reachable pages with correct counts and charges', async () => {
  await fc.assert(
    fc.asyncProperty(sites, bounds, async (site, within) => {
      await withGate({ tierVisits: { http: serves(buildSite(site)) } }, async (gate) => {
        let paid = 0;
        for (const mode of ['inline', 'sqlite'] as const) {
          const order = { ...within, output: ['text'], sitemap: 'skip' };
          const all = Crawled.parse(await crawlIn(gate, { mode, kind: 'crawl' }, order));
          checkSum(all);
          paid += all.pages.length * 2;
          assert.deepEqual(await gate.spent(), [paid, 0]);
          assert.ok(all.pages.length <= within.max_pages);
          const texts = all.pages.map((page) =>
            String(page['text'])
              .replace(/(?:\s+to)+\s*$/, '')
              .trim(),
          );
          if (within.dedupe_content) assert.equal(new Set(texts).size, texts.length);
          const reachable = reachableIn(site, within.max_depth);
          if (all.stop_reason === 'max_pages') assert.ok(texts.every((text) => reachable.has(text)));
          else assert.deepEqual(new Set(texts), reachable, mode);
          if (all.stats.pending > 0) assert.equal(all.stop_reason, 'max_pages');
        }
        await checkBooks(gate);
      });
    }),
    { numRuns: 25 },
  );
});
