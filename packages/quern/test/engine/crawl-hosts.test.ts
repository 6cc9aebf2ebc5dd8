import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Visit } from '#access/page.ts';
import { JobStopped } from '#engine/jobs/lease.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, SITE, withGate } from './gate.ts';
import { checkBooks, getOperation, runClaimed } from '../support/engine/queue.ts';
import { serves } from '../support/engine/crawl-modes.ts';

const FAST_HOST = new URL(SITE).host;
const HOSTS = 100;
const SLOW_PAGES = 9;
const FAST = Array.from({ length: 30 }, (_, at) => `${SITE}p${at}`);
/** Their names sort before that of the fast host. */
const SLOW = Array.from({ length: HOSTS * SLOW_PAGES }, (_, at) => `https://a${at % HOSTS}.mill.example/q${at}`);
const ORDER = { respect_robots: true, delay_ms: 50, scope: 'subdomains', sitemap: 'skip', max_pages: 2000 };
/** Time limit for the fast host, ms. */
const PATIENCE_MS = 120_000;

const fast = serves((path) => (path === '/' ? { links: [...SLOW, ...FAST] } : { links: [] }));

/** A domain with one fast host; `slow` answers for the others. */
function openDomain(slow: Visit) {
  const done = Promise.withResolvers<number>();
  const left = new Set(FAST);
  let slowEnded = 0;
  const visit: Visit = async (request, signal) => {
    const { host, href } = request.url;
    const page = await (host === FAST_HOST ? fast : slow)(request, signal);
    if (host !== FAST_HOST && !href.endsWith('/robots.txt')) slowEnded += 1;
    if (left.delete(href) && left.size === 0) done.resolve(slowEnded);
    return page;
  };
  /** Returns the number of slow pages that had ended when the last page of the fast host ended. */
  return { visit, fastDone: done.promise };
}

async function giveUp(): Promise<never> {
  await wait(PATIENCE_MS, null, { ref: false });
  throw new Error('the fast host is held up');
}

async function endsTooEarly(crawl: Promise<string>): Promise<never> {
  throw new Error(`a crawl ended before its fast host was done: ${await crawl}`);
}

/** The result of the fast host if it is neither delayed nor skipped. */
async function before<T>(crawls: readonly Promise<string>[], done: Promise<T>): Promise<T> {
  return Promise.race([done, giveUp(), ...crawls.map(endsTooEarly)]);
}

/** A domain whose slow hosts return no page until the last page of the fast host was visited. */
function openHeldDomain() {
  const letGo = Promise.withResolvers<void>();
  const { visit, fastDone } = openDomain(async (request, signal) => {
    if (request.url.pathname !== '/robots.txt') await letGo.promise;
    return fast(request, signal);
  });
  return {
    visit,
    fastDone: async (...crawls: readonly Promise<string>[]) => before(crawls, fastDone).finally(letGo.resolve),
  };
}

/** A robots.txt with a long `Crawl-delay`, so that the fast host ends long before even on a busy machine. */
const waitsTenSeconds: Visit = async (request, signal) =>
  request.url.pathname === '/robots.txt'
    ? serves(() => ({ text: 'User-agent: *\nCrawl-delay: 10', type: 'text/plain' }))(request, signal)
    : fast(request, signal);

async function submit(gate: Gate, input: object) {
  const { answer, error } = await gate.ask(getOperation('jobs.submit'), { kind: 'crawl', input });
  if (answer === null) throw error ?? new Error('no answer');
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  return claimed;
}

const ORDERS = {
  'that link to each other': { url: SITE, ...ORDER },
  'of a list': { urls: [...SLOW, ...FAST], delay_ms: 50 },
} as const;

for (const [what, order] of Object.entries(ORDERS)) {
  onEveryStore(`a hundred hosts with a page in ten seconds do not delay another host: pages ${what}`, async (store) => {
    const { visit, fastDone } = openDomain(waitsTenSeconds);
    await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
      const claimed = await submit(gate, order);
      const stop = new AbortController();
      const running = runClaimed(gate, claimed, stop.signal);
      const slowEnded = await before([running], fastDone);
      stop.abort(new JobStopped('drained'));
      await running;
      assert.ok(slowEnded < SLOW.length / 2, `${slowEnded} of ${SLOW.length} had ended`);
      await checkBooks(gate);
    });
  });
}

onEveryStore('a hundred silent hosts do not block other hosts', async (store) => {
  const { visit, fastDone } = openHeldDomain();
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const claimed = await submit(gate, ORDERS['that link to each other']);
    const stop = new AbortController();
    const running = runClaimed(gate, claimed, stop.signal);
    assert.equal(await fastDone(running), 0);
    stop.abort(new JobStopped('drained'));
    await running;
    await checkBooks(gate);
  });
});

onEveryStore('a crawl of silent hosts does not delay other crawls', async (store) => {
  const { visit, fastDone } = openHeldDomain();
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const held = runClaimed(gate, await submit(gate, { urls: SLOW.slice(0, 2 * HOSTS), delay_ms: 50 }));
    const other = runClaimed(gate, await submit(gate, { urls: FAST, delay_ms: 50 }));
    assert.equal(await fastDone(held), 0);
    assert.deepEqual(await Promise.all([held, other]), ['ok', 'ok']);
    await checkBooks(gate);
  });
});
