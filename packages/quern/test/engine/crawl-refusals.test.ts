import assert from 'node:assert/strict';
import { buildFailure } from '#access/failure.ts';
import type { Page, Visit } from '#access/page.ts';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { hangsAt, inEachMode, type Mode, serves } from '../support/engine/crawl-modes.ts';
import { TESTED_STORES, onEveryStore } from '../support/store.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import { type Gate, buildTestPage, SITE, withGate } from './gate.ts';

/** The clock runs a hundred times faster. */
const paceSpeed = 100;

const LEAVES = Array.from({ length: 4 }, (_, at) => `/p${at}`);
const ALL = ['/', ...LEAVES].toSorted();

const site = serves((path) => {
  if (path === '/') return { links: LEAVES };
  return LEAVES.includes(path) ? { links: [] } : null;
});

type Refusal = (request: Parameters<Visit>[0]) => Page | Promise<Page>;

function answers(status: number, headers: Page['headers'] = {}, text = 'slow down'): Refusal {
  return ({ url }) => buildTestPage({ url: url.href, status, headers, text });
}

/** The site with responses of `refuses` for some pages; it receives the number of earlier visits of the page. */
function refusing(refuses: (path: string, before: number) => boolean, otherwise: Refusal): () => Visit {
  return () => {
    const seen = new Map<string, number>();
    return async (request, signal) => {
      const { pathname } = request.url;
      const before = seen.get(pathname) ?? 0;
      seen.set(pathname, before + 1);
      if (pathname !== '/robots.txt' && refuses(pathname, before)) return otherwise(request);
      return site(request, signal);
    };
  };
}

/** A tier that counts visits from 0 for each crawl. */
function anew(open: () => Visit): Visit {
  let visit = open();
  return async (request, signal) => {
    if (request.url.pathname === '/robots.txt') visit = open();
    return visit(request, signal);
  };
}

type Passing = { readonly otherwise: Refusal; readonly modes?: readonly Mode[] };

const PASSING: Readonly<Record<string, Passing>> = {
  '429 without Retry-After': { otherwise: answers(429) },
  '429 without a body': { otherwise: answers(429, {}, ''), modes: ['inline'] },
  '429 that asks for ten seconds': { otherwise: answers(429, { 'retry-after': '10' }), modes: ['inline'] },
  '503 that asks for ten seconds': { otherwise: answers(503, { 'retry-after': '10' }), modes: ['inline'] },
};

for (const [what, { otherwise, ...modes }] of Object.entries(PASSING)) {
  inEachMode(
    `pages that answer ${what} at first are retried, and all of them are stored`,
    {
      kind: 'crawl',
      ...modes,
      options: { paceSpeed, tierVisits: { http: anew(refusing((_, before) => before < 2, otherwise)) } },
    },
    async (crawl) => {
      const end = Crawled.parse(await crawl({ sitemap: 'skip' }));
      assert.deepEqual([listStoredPaths(end), end.complete, end.stop_reason], [ALL, true, 'exhausted']);
      assert.deepEqual([end.errors, end.stats.failed], [[], 0]);
      checkSum(end);
    },
  );
}

/** A host that accepts one visit per given number of ms. */
function admittingOneIn(gapMs: number): Visit {
  let last = -Infinity;
  return async (request, signal) => {
    if (request.url.pathname === '/robots.txt') return site(request, signal);
    const now = performance.now() * paceSpeed;
    if (now - last < gapMs) return answers(429)(request);
    last = now;
    return site(request, signal);
  };
}

for (const delay of [undefined, 0, 50])
  inEachMode(
    `a host that allows one visit per four seconds is crawled completely with delay_ms ${delay}`,
    { kind: 'crawl', modes: ['inline'], options: { paceSpeed, tierVisits: { http: admittingOneIn(4000) } } },
    async (crawl) => {
      const end = Crawled.parse(await crawl({ sitemap: 'skip', delay_ms: delay }));
      assert.deepEqual([listStoredPaths(end), end.complete], [ALL, true]);
    },
  );

const LASTING: Readonly<Record<string, { readonly otherwise: Refusal; readonly visits: number }>> = {
  '429': { otherwise: answers(429), visits: 6 },
  '503': { otherwise: answers(503), visits: 6 },
  '500': { otherwise: answers(500), visits: 2 },
};

for (const [what, { otherwise, visits }] of Object.entries(LASTING)) {
  const asked: string[] = [];
  const visit = refusing((path) => path === '/p1' || path === '/p3', otherwise)();
  const noting: Visit = async (request, signal) => {
    asked.push(request.url.pathname);
    return visit(request, signal);
  };
  inEachMode(
    `pages that always answer ${what} are given up after a few visits, and the crawl is incomplete`,
    { kind: 'crawl', options: { paceSpeed, tierVisits: { http: noting } } },
    async (crawl) => {
      asked.length = 0;
      const end = Crawled.parse(await crawl({ sitemap: 'skip' }));
      assert.deepEqual([end.complete, end.stop_reason, end.pages.length], [false, 'exhausted', ALL.length - 2]);
      assert.deepEqual(end.errors.map(({ url }) => url).toSorted(), [`${SITE}p1`, `${SITE}p3`]);
      assert.equal(asked.filter((path) => path === '/p3').length, visits);
      checkSum(end);
    },
  );
}

const LOST: Readonly<Record<string, { readonly otherwise: Refusal; readonly complete: boolean }>> = {
  'time out': { otherwise: async () => Promise.reject(buildFailure('timeout', 'too late')), complete: false },
  'cannot be reached': { otherwise: async () => Promise.reject(buildFailure('unreachable', 'gone')), complete: false },
  'answer 408': { otherwise: answers(408), complete: false },
  'answer 502': { otherwise: answers(502), complete: false },
  'are blocked by a bot shield': { otherwise: answers(403), complete: false },
  'are missing': { otherwise: answers(404), complete: true },
  'are gone': { otherwise: answers(410), complete: true },
  'are not text': {
    otherwise: ({ url }) => buildTestPage({ url: url.href, contentType: 'image/png', text: '\u0089PNG' }),
    complete: true,
  },
  'are on a host that does not exist': {
    otherwise: async () => Promise.reject(buildFailure('unreachable', 'no such name', { isPermanent: true })),
    complete: true,
  },
};

for (const [what, { otherwise, complete }] of Object.entries(LOST)) {
  const http = refusing((path) => path === '/p2', otherwise)();
  inEachMode(
    `a crawl with pages that ${what} is ${complete ? '' : 'not '}complete`,
    { kind: 'crawl', modes: ['inline'], options: { paceSpeed, tierVisits: { http } } },
    async (crawl) => {
      const end = Crawled.parse(await crawl({ sitemap: 'skip' }));
      assert.deepEqual([end.complete, end.stop_reason, end.stats.failed], [complete, 'exhausted', 1]);
    },
  );
}

inEachMode(
  'a map retries pages that first answer 429, and finds their links',
  {
    kind: 'map',
    modes: ['inline'],
    options: { paceSpeed, tierVisits: { http: anew(refusing((_, before) => before < 2, answers(429))) } },
  },
  async (map) => {
    const { total, complete } = await map({ sources: ['links'], timeout_ms: 60_000 });
    assert.deepEqual([total, complete], [ALL.length, true]);
  },
);

inEachMode(
  'deferred pages keep their depth, so pages behind them have the shortest path',
  {
    kind: 'crawl',
    modes: ['inline', ...TESTED_STORES],
    options: {
      paceSpeed,
      tierVisits: {
        http: anew(() => {
          let visits = 0;
          const deep = serves((path) => {
            if (path === '/') return { links: ['/near', '/far'] };
            if (path === '/far') return { links: ['/between'] };
            if (path === '/between') return { links: ['/goal'] };
            if (path === '/near') return { links: ['/goal'] };
            return path === '/goal' ? { links: ['/last'] } : path === '/last' ? { links: [] } : null;
          });
          return async (request, signal) =>
            request.url.pathname === '/near' && (visits += 1) < 4 ? answers(429)(request) : deep(request, signal);
        }),
      },
    },
  },
  async (crawl) => {
    const end = Crawled.parse(await crawl({ sitemap: 'skip', max_depth: 3 }));
    const depths = Object.fromEntries(end.pages.map(({ url, depth }) => [url.slice(SITE.length - 1), depth]));
    assert.deepEqual(depths, { '/': 0, '/near': 1, '/far': 1, '/goal': 2, '/between': 2, '/last': 3 });
  },
);

onEveryStore('the visits of a deferred page are counted even if its process dies', async (store) => {
  const asked: string[] = [];
  const { visit, death } = hangsAt('/p3', async (request, signal) => {
    asked.push(request.url.pathname);
    return request.url.pathname === '/p1' ? answers(429)(request) : site(request, signal);
  });
  await withGate({ store, paceSpeed, tierVisits: { http: visit } }, async (gate) => {
    const input = { url: SITE, delay_ms: 0, sitemap: 'skip' };
    const { answer } = await gate.ask(getOperation('jobs.submit'), { kind: 'crawl', input });
    const first = await claimOne(gate, 'w1');
    const zombie = runClaimed(gate, first);
    await death.came;
    gate.clock.pass(31_000);
    await gate.queue.leases.recover(null, async () => gate.plan);
    gate.clock.pass(1000);
    const second = await claimOne(gate, 'w2');
    // The running visit occupies its host until it ends.
    death.end();
    assert.equal(await zombie, 'lost');
    assert.equal(await runClaimed(gate, second), 'ok');
    const result = await openJobTools(gate).result(String(answer?.body['id']), { limit: 1000 });
    const end = Crawled.parse(result.answer?.body);
    assert.deepEqual([end.complete, end.errors.map(({ url }) => url)], [false, [`${SITE}p1`]]);
    // The visit that was running when the process died is not counted.
    assert.ok(asked.filter((path) => path === '/p1').length <= 7);
    checkSum(end);
    await checkBooks(gate);
  });
});

async function claimOne(gate: Gate, worker: string) {
  const [claimed] = await gate.queue.leases.claim(worker, 1);
  assert.ok(claimed !== undefined);
  return claimed;
}
