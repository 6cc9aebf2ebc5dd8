import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildFailure, buildNameNotFound } from '#access/failure.ts';
import { checkSum, Crawled } from '../support/engine/crawl-result.ts';
import { brings, isBlocked, SITE, withGate } from './gate.ts';
import { getOperation, runClaimed } from '../support/engine/queue.ts';
import { inEachMode, MODES, buildRobots, serves, type Site, buildSite } from '../support/engine/crawl-modes.ts';

const EMBEDDED = MODES.slice(0, 2);

/** More than ten pages. The first page links to all of them, and each page to the next. */
const ten: Site = (path) => {
  if (path === '/') return { links: Array.from({ length: 9 }, (_, at) => `/p${at}`) };
  return /^\/p\d$/.test(path) ? { links: [] } : null;
};
const tenth = { tierVisits: { http: serves(ten) } };

inEachMode(
  'a crawl ends with the paid pages when credits run out',
  { kind: 'crawl', options: { ...tenth, limits: { credits_per_month: 7 } } },
  async (crawl, gate) => {
    const paid = Crawled.parse(await crawl());
    assert.deepEqual([paid.pages.length, paid.complete, paid.stop_reason], [3, false, 'credits_exhausted']);
    checkSum(paid);
    assert.deepEqual(await gate.spent(), [6, 0]);
    await assert.rejects(crawl(), { code: /credits_exhausted|job_failed/ });
    assert.deepEqual(await gate.spent(), [6, 0]);
  },
);

inEachMode(
  'a crawl ends with the paid pages at the daily cap',
  { kind: 'crawl', options: { ...tenth, limits: { daily_cap: 9 } } },
  async (crawl, gate) => {
    const some = Crawled.parse(await crawl());
    assert.deepEqual([some.pages.length, some.complete, some.stop_reason], [4, false, 'daily_cap']);
    checkSum(some);
    assert.deepEqual(await gate.spent(), [8, 0]);
    await assert.rejects(crawl(), { code: /daily_credit_cap_exceeded|job_not_finished/ });
  },
);

inEachMode(
  'a crawl stays within max_credits',
  { kind: 'crawl', modes: EMBEDDED, options: tenth },
  async (crawl, gate) => {
    const some = Crawled.parse(await crawl({ max_credits: 11 }));
    assert.deepEqual([some.pages.length, some.complete, some.stop_reason], [5, false, 'max_credits']);
    checkSum(some);
    assert.deepEqual(await gate.spent(), [10, 0]);
  },
);

inEachMode(
  'a crawl ends cleanly if other calls use up the balance, which never becomes negative',
  { kind: 'crawl', options: { ...tenth, limits: { credits_per_month: 30, concurrent_requests: 50 } } },
  async (crawl, gate, mode) => {
    const draining = Array.from({ length: 10 }, async () => gate.fetch());
    const outcome = await crawl().then(
      (body) => Crawled.parse(body),
      () => null,
    );
    const served = (await Promise.all(draining)).filter(({ code }) => code === 'ok').length;
    const pages = outcome?.pages.length ?? 0;
    assert.deepEqual(await gate.spent(), [2 * (served + pages), 0], mode);
    assert.ok(served + pages <= 15);
    if (outcome !== null) checkSum(outcome);
  },
);

const shut = buildSite({ '/': { links: ['/a'] }, '/robots.txt': buildRobots('User-agent: *', 'Disallow: /$') });
inEachMode(
  'a seed that robots.txt forbids gives an empty, free crawl',
  { kind: 'crawl', options: { tierVisits: { http: serves(shut) } } },
  async (crawl, gate) => {
    const none = Crawled.parse(await crawl());
    assert.deepEqual([none.pages, none.stop_reason, none.complete], [[], 'robots', false]);
    assert.equal(none.skipped['robots'], 1);
    checkSum(none);
    assert.deepEqual(await gate.spent(), [0, 0]);
  },
);

const turned = buildSite({
  '/': { to: '/wall' },
  '/wall': { links: [] },
  '/robots.txt': buildRobots('User-agent: *', 'Disallow: /wall'),
});
const turnedTo: string[] = [];
inEachMode(
  'a seed that redirects to a forbidden URL gives an empty crawl, and the URL is not requested',
  { kind: 'crawl', modes: EMBEDDED, options: { tierVisits: { http: serves(turned, turnedTo) } } },
  async (crawl) => {
    const none = Crawled.parse(await crawl());
    assert.deepEqual([none.pages, none.stop_reason, none.skipped['robots']], [[], 'robots', 1]);
    assert.ok(!turnedTo.includes('/wall'));
    checkSum(none);
  },
);

const moved = buildSite({
  '/': { to: 'https://www.mill.example/start' },
  'https://www.mill.example/start': { links: ['/next', 'https://mill.example/bare', 'https://shop.mill.example/'] },
  'https://www.mill.example/next': { links: [] },
  '/bare': { links: [] },
});
inEachMode(
  'a seed that redirects within its domain sets the scope',
  { kind: 'crawl', modes: EMBEDDED, options: { tierVisits: { http: serves(moved) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip' }));
    assert.deepEqual(all.pages.map(({ final_url: url }) => url).toSorted(), [
      'https://mill.example/bare',
      'https://www.mill.example/next',
      'https://www.mill.example/start',
    ]);
    assert.deepEqual([all.skipped['scope'], all.warnings], [1, []]);
    checkSum(all);
  },
);

const left = buildSite({
  '/': { to: 'https://elsewhere.example/home' },
  'https://elsewhere.example/home': { links: ['/more'] },
});
inEachMode(
  'a seed that redirects to another site gives an empty, free crawl with a warning',
  { kind: 'crawl', modes: EMBEDDED, options: { tierVisits: { http: serves(left) } } },
  async (crawl, gate) => {
    const none = Crawled.parse(await crawl());
    assert.deepEqual([none.pages, none.skipped['scope']], [[], 1]);
    assert.equal(none.warnings[0]?.code, 'scope_left');
    assert.match(none.warnings[0]?.message ?? '', /https:\/\/elsewhere\.example\/home/);
    checkSum(none);
    assert.deepEqual(await gate.spent(), [0, 0]);
  },
);

const FAILING = [
  [
    'cannot be reached',
    'target_unreachable',
    async () => Promise.reject(buildFailure('unreachable', 'no one is there')),
  ],
  ['does not resolve', 'target_unreachable', async () => Promise.reject(buildNameNotFound('mill.example'))],
  ['times out', 'timeout', async () => Promise.reject(buildFailure('timeout', 'too late'))],
  ['is blocked', 'target_blocked', isBlocked],
  ['is too large', 'content_too_large', async () => Promise.reject(buildFailure('too_large', 'too much'))],
  ['is not text', 'unsupported_content', brings({ contentType: 'image/png', text: '\u0089PNG' })],
] as const;

for (const [how, code, http] of FAILING)
  test(`a seed that ${how} ends a crawl like a fetch of it, inline and as a job, free`, async () =>
    withGate({ tierVisits: { http } }, async (gate) => {
      const input = { url: SITE, delay_ms: 0, respect_robots: false };
      const fetched = await gate.fetch();
      const crawled = await gate.ask(getOperation('crawl'), input);
      assert.deepEqual([fetched.code, crawled.code], [code, code]);
      assert.equal(crawled.error?.message, fetched.error?.message);
      assert.equal(crawled.error?.retryable, fetched.error?.retryable);
      await gate.ask(getOperation('jobs.submit'), { kind: 'crawl', input });
      const [claimed] = await gate.queue.leases.claim('w1', 1);
      assert.ok(claimed !== undefined);
      assert.equal(await runClaimed(gate, claimed), code);
      assert.deepEqual((await gate.spent())[0], 0);
    }));

inEachMode(
  'a seed that answers with an error status gives an empty, free crawl that lists the error',
  { kind: 'crawl', modes: EMBEDDED, options: { tierVisits: { http: serves(buildSite({})) } } },
  async (crawl, gate) => {
    const none = Crawled.parse(await crawl());
    assert.deepEqual(
      none.errors.map(({ url, code, status_code }) => [url, code, status_code]),
      [[SITE, 'not_found', 404]],
    );
    assert.deepEqual([none.pages, none.stats.failed], [[], 1]);
    checkSum(none);
    assert.deepEqual(await gate.spent(), [0, 0]);
  },
);
