import assert from 'node:assert/strict';
import { z } from 'zod';
import { buildFailure } from '#access/failure.ts';
import type { Visit } from '#access/page.ts';
import { JobStopped } from '#engine/jobs/lease.ts';
import { onEveryStore, TESTED_STORES } from '../support/store.ts';
import { buildTestPage, SITE, withGate } from './gate.ts';
import { openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import { hangsAt, inEachMode, buildRobots, serves, buildSite } from '../support/engine/crawl-modes.ts';

const PAGES = 200;
const GOOD = 10;
/** The number of failed visits in a row after which a host is given up, and the maximum of visits in progress. */
const PATIENCE = 25;
const UNDER_WAY = 128;

const Ended = z.looseObject({
  complete: z.boolean(),
  stop_reason: z.string(),
  pages: z.array(z.looseObject({ url: z.string() })),
  errors: z.array(z.looseObject({ url: z.string(), code: z.string() })),
  skipped: z.record(z.string(), z.number()),
  stats: z.looseObject({ failed: z.number(), pending: z.number() }),
  usage: z.looseObject({ credits: z.number() }),
});

const site = serves((path) => {
  if (path === '/') return { links: Array.from({ length: PAGES }, (_, at) => `/p${at}`) };
  return path.startsWith('/p') ? { links: [] } : null;
});

/** A site that works for the given number of pages of each crawl, and then responds differently. */
function turnsAfter(good: number, otherwise: Visit): Visit {
  let pages = 0;
  return async (request, signal) => {
    const { pathname } = request.url;
    if (pathname === '/') pages = 0;
    if (pathname.startsWith('/p')) pages += 1;
    return pages >= good && pathname.startsWith('/p') ? otherwise(request, signal) : site(request, signal);
  };
}

const TURNS: Readonly<Record<string, { readonly otherwise: Visit; readonly code: string }>> = {
  'rejects every page': {
    otherwise: async ({ url }) => buildTestPage({ url: url.href, status: 403 }),
    code: 'target_blocked',
  },
  dies: {
    async otherwise() {
      throw buildFailure('unreachable', 'the target could not be reached');
    },
    code: 'target_unreachable',
  },
  'times out on every page': {
    async otherwise() {
      throw buildFailure('timeout', 'the target took too long');
    },
    code: 'timeout',
  },
};

for (const [what, { otherwise, code }] of Object.entries(TURNS)) {
  inEachMode(
    `a crawl of a site that ${what} midway keeps its pages and soon ends as blocked`,
    { kind: 'crawl', options: { tierVisits: { http: turnsAfter(GOOD, otherwise) } } },
    async (crawl, gate) => {
      const end = Ended.parse(await crawl({ max_pages: 25 }));
      assert.deepEqual([end.complete, end.stop_reason, end.pages.length], [false, 'blocked', GOOD]);
      assert.deepEqual(new Set(end.errors.map((error) => error.code)), new Set([code]));
      assert.ok(end.stats.failed >= PATIENCE && end.stats.failed <= PATIENCE + UNDER_WAY, `${end.stats.failed} failed`);
      assert.equal(end.stats.pending, PAGES + 1 - GOOD - end.stats.failed);
      assert.deepEqual(await gate.spent(), [GOOD * 2, 0]);
    },
  );
}

const wantsRest = turnsAfter(GOOD, async ({ url }) => buildTestPage({ url: url.href, status: 429 }));

inEachMode(
  'a crawl ends as blocked if the site asks to wait on every page, and its pages stay queued',
  { kind: 'crawl', options: { paceSpeed: 100, tierVisits: { http: wantsRest } } },
  async (crawl, gate) => {
    const end = Ended.parse(await crawl({ max_pages: 25 }));
    assert.deepEqual([end.complete, end.stop_reason, end.pages.length], [false, 'blocked', GOOD]);
    assert.equal(end.stats.pending, PAGES + 1 - GOOD - end.stats.failed);
    assert.deepEqual(await gate.spent(), [GOOD * 2, 0]);
  },
);

/** Every third page is rejected, so that there is no long sequence of rejections. */
const touchy: Visit = async (request, signal) => {
  const at = Number(/^\/p(\d+)$/.exec(request.url.pathname)?.[1] ?? 1);
  return at % 3 === 0 ? buildTestPage({ url: request.url.href, status: 403 }) : site(request, signal);
};

inEachMode(
  'a site that rejects some pages is crawled completely',
  { kind: 'crawl', modes: TESTED_STORES, options: { tierVisits: { http: touchy } } },
  async (crawl) => {
    const end = Ended.parse(await crawl({ max_pages: 1000 }));
    assert.equal(end.stop_reason, 'exhausted');
    assert.equal(end.stats.failed, Math.ceil(PAGES / 3));
    assert.equal(end.pages.length + end.stats.failed, PAGES + 1);
  },
);

/** Pages behind a login return a status without a body to everybody else. */
const terse: Visit = async (request, signal) => {
  const at = Number(/^\/p(\d+)$/.exec(request.url.pathname)?.[1] ?? PAGES);
  return at < PAGES / 2 ? buildTestPage({ url: request.url.href, status: 401, text: '' }) : site(request, signal);
};

inEachMode(
  'pages without content fail one by one, and the host is not given up',
  { kind: 'crawl', modes: ['sqlite'], options: { tierVisits: { http: terse } } },
  async (crawl) => {
    const end = Ended.parse(await crawl({ max_pages: 1000, delay_ms: 50 }));
    assert.deepEqual([end.stop_reason, end.pages.length, end.stats.failed], ['exhausted', PAGES / 2 + 1, PAGES / 2]);
    assert.ok(end.errors.every(({ code, status_code: status }) => code === 'target_error' && status === 401));
  },
);

const ALIVE = 'https://sub.mill.example/';
/** A site with two hosts; one of them fails at once. */
const halfDead: Visit = async (request, signal) => {
  const { host, pathname, href } = request.url;
  if (host === new URL(SITE).host && pathname !== '/')
    throw buildFailure('unreachable', 'the target could not be reached');
  if (host === new URL(ALIVE).host) return serves(() => ({ links: [] }))(request, signal);
  const both = Array.from({ length: 60 }, (_, at) => [`/p${at}`, `${ALIVE}q${at}`]).flat();
  return { ...(await serves(() => ({ links: both }))(request, signal)), url: href };
};

inEachMode(
  'an abandoned host does not end the crawl of the others',
  { kind: 'crawl', modes: TESTED_STORES, options: { tierVisits: { http: halfDead } } },
  async (crawl) => {
    const end = Ended.parse(await crawl({ max_pages: 1000, scope: 'subdomains', respect_robots: false, delay_ms: 50 }));
    assert.equal(end.pages.filter(({ url }) => url.startsWith(ALIVE)).length, 60);
    assert.equal(end.stop_reason, 'blocked');
    assert.ok(end.stats.pending > 0);
  },
);

inEachMode(
  'a list of URLs fails like a fetch if none of them loads',
  {
    kind: 'crawl',
    modes: TESTED_STORES,
    options: { tierVisits: { http: async ({ url }) => buildTestPage({ url: url.href, status: 403 }) } },
  },
  async (crawl, gate) => {
    const urls = Array.from({ length: 300 }, (_, at) => `${SITE}p${at}`);
    const work = crawl({ url: undefined, urls, respect_robots: false });
    await assert.rejects(work, { code: 'job_failed', message: /blocks|blocked/ });
    assert.deepEqual(await gate.spent(), [0, 0]);
  },
);

inEachMode(
  'a seed that robots.txt forbids gives a free answer without pages',
  {
    kind: 'crawl',
    options: {
      tierVisits: { http: serves(buildSite({ '/robots.txt': buildRobots('User-agent: *', 'Disallow: /') })) },
    },
  },
  async (crawl, gate) => {
    const end = Ended.parse(await crawl());
    assert.deepEqual([end.complete, end.stop_reason, end.pages, end.errors], [false, 'robots', [], []]);
    assert.deepEqual([end.skipped['robots'], end.usage.credits], [1, 0]);
    assert.deepEqual(await gate.spent(), [0, 0]);
  },
);

onEveryStore('the partial result of a cancelled crawl has the stop reason cancelled', async (store) => {
  const { visit, death } = hangsAt('/p60', site);
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const input = { url: SITE, delay_ms: 0, max_pages: 1000 };
    const submitted = await gate.ask(getOperation('jobs.submit'), { kind: 'crawl', input });
    const id = String(submitted.answer?.body['id']);
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed !== undefined);
    const stop = new AbortController();
    const running = runClaimed(gate, claimed, stop.signal);
    await death.came;
    const before = (await openJobTools(gate).result(id, { partial: true })).answer?.body;
    assert.deepEqual([before?.['complete'], before?.['stop_reason']], [false, undefined]);
    await openJobTools(gate).cancel(id);
    stop.abort(new JobStopped('cancelled'));
    death.end();
    await running;
    const body = (await openJobTools(gate).result(id, { partial: true })).answer?.body;
    assert.deepEqual([body?.['complete'], body?.['stop_reason']], [false, 'cancelled']);
    assert.equal((await openJobTools(gate).show(id)).stop_reason, 'cancelled');
  });
});
