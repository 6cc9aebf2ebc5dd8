import assert from 'node:assert/strict';
import type { Visit } from '#access/page.ts';
import { onEveryStore } from '../support/store.ts';
import type { FakeTiers } from '../support/tiers.ts';
import { Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { isBlocked, SITE, withGate } from './gate.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import { hangsAt, inEachMode, serves, type Site } from '../support/engine/crawl-modes.ts';

const PAGES = 12;

/** A first page that links to all others, which link back to it. */
const site: Site = (path) => {
  if (path === '/') return { links: Array.from({ length: PAGES - 1 }, (_, at) => `/p${at}`) };
  return /^\/p\d+$/.test(path) ? { links: ['/'] } : null;
};

/** Tiers of which only the last one succeeds. */
const hard: FakeTiers = { http: isBlocked, browser: isBlocked, proxy: isBlocked, proxy_browser: serves(site) };
const proxied: FakeTiers = { http: isBlocked, browser: isBlocked, proxy: serves(site) };

/** A tier that serves the first page and blocks the others. */
const opensTheFirst: Visit = async (request, signal) =>
  (request.url.pathname === '/' ? serves(site) : isBlocked)(request, signal);

const NO_STEP = /max_credits/;

inEachMode(
  'a tier above max_credits is not used, and nothing is charged if the first page needs it',
  { kind: 'crawl', options: { tierVisits: hard } },
  async (crawl, gate) => {
    for (const most of [25, 5, 2]) {
      await assert.rejects(crawl({ max_credits: most }), (error: Error & { code: string }) =>
        error.code === 'job_failed' ? true : error.code === 'target_blocked' && NO_STEP.test(error.message),
      );
      assert.deepEqual(await gate.spent(), [0, 0]);
    }
  },
);

inEachMode(
  'a crawl with the hardened browser stores as many pages as max_credits pays for',
  { kind: 'crawl', options: { tierVisits: hard } },
  async (crawl, gate) => {
    const some = Crawled.parse(await crawl({ max_credits: 67 }));
    assert.deepEqual(listStoredPaths(some), ['/']);
    assert.equal(some.usage.credits, 67);
    assert.deepEqual(await gate.spent(), [67, 0]);
  },
);

inEachMode(
  'only pages that would exceed max_credits fail, with a message that says so',
  { kind: 'crawl', options: { tierVisits: { ...hard, http: opensTheFirst } } },
  async (crawl, gate) => {
    const some = Crawled.parse(await crawl({ max_credits: 60 }));
    assert.deepEqual(listStoredPaths(some), ['/']);
    assert.equal(some.errors.length, PAGES - 1);
    for (const { code, message } of some.errors) assert.match(`${code}: ${String(message)}`, /^target_blocked:.*max_c/);
    assert.deepEqual(await gate.spent(), [2, 0]);
  },
);

inEachMode(
  'concurrent raises stay within max_credits',
  { kind: 'crawl', options: { tierVisits: { ...proxied, http: opensTheFirst } } },
  async (crawl, gate) => {
    // The first page by http and the others by a proxy would be 112.
    const some = Crawled.parse(await crawl({ max_credits: 60 }));
    assert.ok(some.pages.length > 1, `${some.pages.length} pages`);
    assert.ok(some.usage.credits <= 60, `${some.usage.credits} credits`);
    assert.deepEqual(await gate.spent(), [some.usage.credits, 0]);
  },
);

inEachMode(
  'a page that needs two more expensive tiers costs only the last one',
  { kind: 'crawl', options: { tierVisits: hard, limits: { credits_per_month: 67 } } },
  async (crawl, gate) => {
    const one = Crawled.parse(await crawl({ max_pages: 1 }));
    assert.deepEqual([one.pages.length, one.usage.credits], [1, 67]);
    assert.deepEqual(await gate.spent(), [67, 0]);
  },
);

inEachMode('a map stays within max_credits', { kind: 'map', options: { tierVisits: proxied } }, async (map, gate) => {
  await assert.rejects(map({ max_credits: 3 }), { code: /^(?:target_blocked|job_failed)$/ });
  assert.deepEqual(await gate.spent(), [0, 0]);
  const some = await map({ max_credits: 15 });
  const [used, reserved] = await gate.spent();
  // Two for the map and eight for its start; no other page can be paid.
  assert.deepEqual([used, reserved, some['stop_reason'], some['complete']], [10, 0, 'exhausted', false]);
});

onEveryStore('a helper shares the credit limit of the owner', async (store) => {
  const { visit, death } = hangsAt('/p0', serves(site));
  await withGate({ store, tierVisits: { http: opensTheFirst, browser: isBlocked, proxy: visit } }, async (gate) => {
    const order = { kind: 'crawl', input: { url: SITE, delay_ms: 0, max_pages: 100, max_credits: 50 } };
    const { answer } = await gate.ask(getOperation('jobs.submit'), order);
    const id = String(answer?.body['id']);
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed !== undefined);
    const owner = runClaimed(gate, claimed);
    await death.came;
    await gate.assist({ ...order, jobId: id });
    death.end();
    assert.equal(await owner, 'ok');
    const { usage } = await openJobTools(gate).show(id);
    assert.ok(usage !== null && usage.credits <= 50, JSON.stringify(usage));
    assert.deepEqual(await gate.spent(), [usage.credits, 0]);
    await checkBooks(gate);
  });
});
