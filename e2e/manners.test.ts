import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { checkBooks } from '#support/engine/queue.ts';
import { withFleet } from '#support/fleet.ts';
import { textAt } from '#support/members.ts';
import { serveQuern } from '#support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '#support/store.ts';

const LINKED = 60;
const PAGES = 26;
const GAP_MS = 400;
/** A host first gets two requests at once; pages are so slow that the gap alone would allow more. */
const PAGE_MS = 900;
const LIMIT = 2;
const REFUSED_AT = 18;
const RETRY_AFTER_S = 3;
/**
 * The minimum share of gaps that the site sees: on a busy machine it sees a visit later than its process began it. Two
 * processes that did not share their pace would show half of several gaps, and nothing of one.
 */
const MIN = [
  [1, 0.2],
  [2, 0.55],
  [3, 0.6],
  [4, 0.65],
] as const;
/** The tolerance for timers. */
const TOLERANCE = 0.9;

type Visit = { readonly at: number; readonly agent: string; readonly inFlight: number };

/** A site of many pages that records each visit, and refuses one of them. */
async function openNotingSite() {
  const visits: Visit[] = [];
  let inFlight = 0;
  let refusedAt = 0;
  const site = await startHttpServer(({ url = '/', headers }, response) => {
    if (url === '/robots.txt') {
      response.writeHead(404).end();
      return;
    }
    inFlight += 1;
    visits.push({ at: performance.now(), agent: headers['user-agent'] ?? '', inFlight });
    const refuses = visits.length === REFUSED_AT;
    setTimeout(answer, refuses ? 0 : PAGE_MS);

    function answer(): void {
      inFlight -= 1;
      if (refuses) {
        refusedAt = performance.now();
        response.writeHead(429, { 'retry-after': String(RETRY_AFTER_S) }).end();
        return;
      }
      const links = url === '/' ? Array.from({ length: LINKED }, (_, at) => `<a href="/p${at}">to</a>`) : [];
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Page ${url}</h1>${links.join('')}`);
    }
  });
  return { ...site, visits, refusedAt: () => refusedAt };
}

test('processes that share a crawl share its pace, and a Retry-After for one pauses all of them', async () => {
  await using site = await openNotingSite();
  await withFleet({ kind: 'postgres', time: 'real' }, async (fleet) => {
    const allowed = { QUERN_ALLOW_TARGETS: new URL(site.origin).host };
    const api = await fleet.serve('api', { ...allowed, QUERN_JOB_SLOTS: '0' });
    for (const name of ['one', 'two']) await fleet.work(name, { ...allowed, QUERN_USER_AGENT: name });
    const order = { url: site.origin, max_pages: PAGES, delay_ms: GAP_MS, sitemap: 'skip' };
    const { body } = await api.call('/v1/crawl', order);
    const path = `/v1/jobs/${textAt(body, 'id')}`;
    let status = 'queued';
    while (status === 'queued' || status === 'running') {
      status = textAt((await api.call(`${path}?wait_ms=30000`)).body, 'status');
    }
    assert.equal(status, 'completed');
    await fleet.look(async (db) => checkBooks({ db }));
  });
  assert.deepEqual(new Set(site.visits.map(({ agent }) => agent)), new Set(['one', 'two']));
  const starts = site.visits.map(({ at }) => Math.round(at));
  for (const [steps, least] of MIN) {
    const spans = starts.slice(steps).map((at, before) => at - (starts[before] ?? 0));
    assert.ok(Math.min(...spans) >= steps * GAP_MS * least, `${steps} gaps of ${spans.join(', ')} ms`);
  }
  assert.ok(Math.max(...site.visits.map(({ inFlight }) => inFlight)) <= LIMIT);
  // One visit may have begun before the refusal arrived.
  const next = site.visits.find(({ at }) => at > site.refusedAt() + 2 * GAP_MS)?.at ?? 0;
  assert.ok(next - site.refusedAt() >= RETRY_AFTER_S * 1000 * TOLERANCE, `${next - site.refusedAt()} ms`);
  // The refused page was requested again.
  assert.equal(site.visits.length, PAGES + 1);
});

const MANY = 3000;
const UNDER_WAY = 300;
const Usage = z.looseObject({ status: z.string() });

test('a fetch is answered while a crawl without delay visits a large site', async () => {
  const middle = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let visits = 0;
  await using site = await startHttpServer(({ url = '/' }, response) => {
    visits += 1;
    if (visits === UNDER_WAY) middle.resolve();
    const links = url === '/' ? Array.from({ length: MANY }, (_, at) => `<p><a href="/p${at}">to ${at}</a>`) : [];
    const page = `<h1>Page ${url}</h1>${links.join('')}${'<p>Some flour of the mill.'.repeat(500)}`;
    response.writeHead(url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' });
    // The crawl cannot end before the fetch has its response.
    if (url === `/p${MANY - 1}`) void answered.promise.then(() => response.end(page));
    else response.end(page);
  });
  await inTemporaryFolder(async (folder) => {
    await using quern = await serveQuern(folder, { QUERN_ALLOW_TARGETS: new URL(site.origin).host });
    const order = { url: site.origin, max_pages: MANY + 1, delay_ms: 0, sitemap: 'skip', dedupe_content: false };
    const { body } = await quern.call('/v1/crawl', order);
    const path = `/v1/jobs/${textAt(body, 'id')}`;
    await middle.promise;
    assert.equal((await quern.call('/v1/fetch', { url: `${site.origin}/one` })).status, 200);
    assert.equal(Usage.parse((await quern.call(path)).body).status, 'running');
    answered.resolve();
  });
});
