import { ignoreEvents } from '#kernel/events.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClassifiedPage, Page, PageRequest, Tier } from '#access/page.ts';
import type { VisitTiming } from '#engine/politeness/host-pace.ts';
import {
  composeWrappers,
  type PageVisit,
  type VisitCall,
  type Visited,
  type VisitWrapper,
} from '#engine/visits/visit.ts';
import {
  withActivity,
  type CacheCall,
  type CacheParts,
  withCache,
  withCredits,
  withPace,
  withRecording,
  withRobots,
} from '#engine/visits/visit-wrappers.ts';
import { clockAt } from '../support/clock.ts';

const REQUEST: PageRequest = { url: new URL('https://mill.example/flour'), headers: {}, cookies: [] };

const buildCall = (): VisitCall => ({
  tiers: ['http', 'browser'],
  timeoutMs: 10_000,
  startedAt: 0,
  signal: new AbortController().signal,
  attempts: [],
  isSufficient: null,
});

function buildPage(status = 200): Page {
  const body = new Uint8Array(Buffer.from('rye'));
  return {
    url: REQUEST.url.href,
    status,
    headers: status === 429 ? { 'retry-after': '7' } : {},
    contentType: 'text/html',
    body,
    wireBytes: 3,
    warnings: [],
  };
}

function visitedBy(tier: Tier, page = buildPage()): Visited {
  return { page, tier, ageMs: null, attempts: [] };
}

const classifiedAs = (page: Page): ClassifiedPage => ({
  page,
  classification: { outcome: 'ok', visibleChars: 3, mayImprove: false },
});

const recorder = () => () => undefined;

const answersWell = async () => classifiedAs(buildPage());
const refuses = async () => classifiedAs(buildPage(429));

/** A visit that follows one redirect. */
const redirects: PageVisit = async (request, { signal }) => {
  const isFollowed = (await request.follows?.(new URL('/mill', request.url), signal)) ?? true;
  return visitedBy('http', buildPage(isFollowed ? 200 : 302));
};

/** A visit with two attempts. */
const triesTwice: PageVisit = async (request, { wrapAttempt, signal }) => {
  for (let count = 0; count < 2; count += 1) await wrapAttempt?.(answersWell)(request, signal);
  return visitedBy('http');
};

const serves: PageVisit = async () => visitedBy('http');

test('wrappers run from the first to the last, and back', async () => {
  const passed: string[] = [];
  const noting =
    (name: string): VisitWrapper =>
    (next) =>
    async (request, call) => {
      passed.push(`to ${name}`);
      const visited = await next(request, call);
      passed.push(`from ${name}`);
      return visited;
    };
  await composeWrappers(noting('cache'), noting('pace'))(serves)(REQUEST, buildCall());
  assert.deepEqual(passed, ['to cache', 'to pace', 'from pace', 'from cache']);
});

test('robots.txt is checked before a visit and before a redirect if it is respected', async () => {
  const asked: string[] = [];
  const policy = {
    async demand({ pathname }: URL) {
      asked.push(pathname);
      if (pathname === '/mill') throw new Error('forbidden');
    },
    follows: async ({ pathname }: URL) => pathname !== '/mill',
  };
  const polite = withRobots(() => policy)(redirects);
  assert.equal((await polite(REQUEST, buildCall())).page.status, 302);
  await assert.rejects(polite({ ...REQUEST, url: new URL('/mill', REQUEST.url) }, buildCall()), /forbidden/);
  assert.deepEqual(asked, ['/flour', '/mill']);
  assert.equal((await withRobots(() => null)(redirects)(REQUEST, buildCall())).page.status, 200);
});

test('a recent cached page needs no visit, and a fetched page is cached', async () => {
  const written: Page[] = [];
  const writing: Promise<void>[] = [];
  const pageCache = {
    isCacheable: ({ cookies }: PageRequest) => cookies.length === 0,
    find: async (_tenant: string, _request: PageRequest, maxAgeMs: number) =>
      maxAgeMs > 1_000 ? { page: buildPage(), ageMs: 1_000 } : null,
    store: async (_tenant: string, _request: PageRequest, page: Page) => void written.push(page),
  };
  const parts: CacheParts = { pageCache, tenant: 'miller', observe: ignoreEvents, onWrite: (one) => writing.push(one) };
  const cached = withCache<CacheCall>(parts)(serves);
  const visitForTier = async (maxAgeMs: number, request = REQUEST) =>
    (await cached(request, { ...buildCall(), maxAgeMs })).tier;
  assert.deepEqual([await visitForTier(5_000), written.length], ['cache', 0]);
  assert.deepEqual([await visitForTier(500), written.length], ['http', 1]);
  assert.deepEqual([await visitForTier(0), written.length], ['http', 2]);
  const own = { ...REQUEST, cookies: [{ name: 'a', value: 'b' }] };
  assert.deepEqual([await visitForTier(5_000, own), written.length, writing.length], ['http', 2, 2]);
});

test('a cached page that a site endpoint rejects is fetched again, an accepted one keeps its verdict', async () => {
  const pageCache = {
    isCacheable: () => true,
    find: async () => ({ page: buildPage(), ageMs: 1 }),
    store: async () => undefined,
  };
  const cached = withCache<CacheCall>({ pageCache, tenant: 'miller', observe: ignoreEvents, onWrite: () => undefined })(
    serves,
  );
  const parsed = { kind: 'record', record: {}, next: null, lacks: [] } as const;
  for (const [outcome, tier, verdict] of [
    ['ok', 'cache', parsed],
    ['not_found', 'cache', parsed],
    ['thin', 'http', undefined],
  ] as const) {
    const site = {
      tiers: ['http'] as const,
      withinMs: null,
      classify: async () => ({ outcome, visibleChars: 0, mayImprove: false, verdict: parsed }),
      isCacheable: () => false,
    };
    const visited = await cached(REQUEST, { ...buildCall(), maxAgeMs: 5_000, site });
    assert.deepEqual([visited.tier, visited.verdict], [tier, verdict]);
  }
});

test('credits are reserved before the first tier and before each more expensive one', async () => {
  const reserved: string[] = [];
  const paid = withCredits({
    begin: async () => void reserved.push('first'),
    raise: async (tier) => void reserved.push(tier),
  })(async (_request, { beforeTier }) => {
    await beforeTier?.('browser');
    await beforeTier?.('proxy');
    return visitedBy('proxy');
  });
  await paid(REQUEST, buildCall());
  assert.deepEqual(reserved, ['first', 'browser', 'proxy']);
});

test('a delayed visit waits for another turn, and so does each second attempt', async () => {
  let now = 0;
  const turns: number[] = [];
  const learnt: VisitTiming[] = [];
  const pace = {
    async waitForRetry() {
      turns.push(now);
      now += 100;
    },
    recordRefusal: (timing: NonNullable<VisitTiming>) => void learnt.push(timing),
  };
  const starts: number[] = [];
  const tries: PageVisit = async (request, { wrapAttempt, signal, startedAt }) => {
    starts.push(startedAt);
    await wrapAttempt?.(refuses)(request, signal);
    return visitedBy('browser', (await wrapAttempt?.(refuses)(request, signal))?.page);
  };
  const paced = withPace({ paceOf: () => ({ pace, place: null }), clock: clockAt(() => now) })(tries);
  await paced(REQUEST, buildCall());
  assert.deepEqual([turns, starts], [[0], [0]]);
  assert.deepEqual(learnt[0], { status: 429, latencyMs: 0, retryAfter: '7' });
  await paced(REQUEST, { ...buildCall(), startedAt: now - 26 });
  assert.deepEqual(
    [turns, starts],
    [
      [0, 100, 200],
      [0, 200],
    ],
  );
});

test('each attempt counts as activity of its job once its turn comes', async () => {
  const order: string[] = [];
  const pace = { waitForRetry: async () => void order.push('turn'), recordRefusal: () => undefined };
  const activity = {
    async trackVisit<T>(work: Promise<T>): Promise<T> {
      order.push('active');
      return work;
    },
  };
  const wrap = composeWrappers(
    withPace({ paceOf: () => ({ pace, place: null }), clock: clockAt(() => 0) }),
    withActivity(activity),
  );
  await wrap(triesTwice)(REQUEST, buildCall());
  assert.deepEqual(order, ['active', 'turn', 'active']);
});

test('exchanges are recorded, and rendered pages are stored', async () => {
  const shown: Page[] = [];
  const recording = withRecording(() => ({ recorder, storeRendered: (page) => shown.push(page) }));
  let given: PageRequest | null = null;
  const by = (visited: Visited): PageVisit =>
    recording(async (request) => {
      given = request;
      return visited;
    });
  await by(visitedBy('http'))(REQUEST, buildCall());
  assert.deepEqual([given, shown.length], [{ ...REQUEST, recorder }, 0]);
  await by(visitedBy('browser'))(REQUEST, buildCall());
  await by(visitedBy('proxy', { ...buildPage(), rendered: true }))(REQUEST, buildCall());
  assert.equal(shown.length, 2);
});
