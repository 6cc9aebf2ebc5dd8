import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAX_CACHE_AGE_MS } from '#engine/visits/page-cache.ts';
import { onEveryStore } from '../support/store.ts';
import { brings, type Gate, isLate, buildTestPage, SITE, withGate } from './gate.ts';

const HOUR = 3_600_000;
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

/** Whether a call was served from the cache; fails when it was not served. */
async function isHit(gate: Gate, raw: Readonly<Record<string, unknown>>, as = gate.tenant): Promise<boolean> {
  const { answer, error } = await gate.fetch(raw, { as });
  if (answer === null) throw error ?? new Error('no answer');
  return answer.usage?.tier === 'cache';
}

test('a page is served from the cache within max_age_ms, for one credit', async () => {
  await withGate({}, async (gate) => {
    await gate.fetch();
    gate.clock.pass(HOUR);
    const { answer } = await gate.fetch({ max_age_ms: HOUR });
    assert.deepEqual(answer?.usage, { credits: 1, base: 1, surcharge: 0, tier: 'cache' });
    assert.deepEqual(answer?.body['cache'], { hit: true, age_ms: HOUR });
    assert.deepEqual(answer?.body['attempts'], []);
    assert.equal(gate.visits.length, 1);
    gate.clock.pass(1);
    const missed = await gate.fetch({ max_age_ms: HOUR });
    assert.deepEqual(missed.answer?.usage, { credits: 2, base: 2, surcharge: 0, tier: 'http' });
    assert.deepEqual(missed.answer?.body['cache'], { hit: false });
    assert.equal(gate.visits.length, 2);
    assert.deepEqual(await gate.spent(), [5, 0]);
  });
});

test('without max_age_ms a page is fetched again', async () => {
  await withGate({}, async (gate) => {
    assert.equal(await isHit(gate, {}), false);
    assert.equal(await isHit(gate, { max_age_ms: 0 }), false);
    assert.equal(gate.visits.length, 2);
  });
});

test('another output can be made from a cached page, which is byte for byte the same page', async () => {
  const tierVisits = {
    http: brings({ text: '<h1>Rye</h1><a href="/x">x</a>', url: `${SITE}moved`, headers: { etag: '"1"' } }),
  };
  await withGate({ tierVisits }, async (gate) => {
    await gate.fetch({ output: ['markdown'] });
    const { answer } = await gate.fetch({ output: ['raw_html', 'links'], max_age_ms: HOUR });
    assert.equal(answer?.usage?.tier, 'cache');
    assert.equal(answer?.body['raw_html'], '<h1>Rye</h1><a href="/x">x</a>');
    assert.equal(answer?.body['final_url'], `${SITE}moved`);
    assert.deepEqual((await gate.pageCache.find(gate.tenant, buildRequest(), HOUR))?.page.headers, { etag: '"1"' });
  });
});

test('a cached page belongs to its tenant, its URL without fragment, and the headers sent', async () => {
  await withGate({}, async (gate) => {
    const other = await gate.tenants.create('other', 'starter');
    await gate.fetch({ headers: { 'Accept-Language': 'de', dnt: '1' } });
    const same = { max_age_ms: HOUR, headers: { dnt: '1', 'accept-language': 'de' } };
    assert.equal(await isHit(gate, same), true);
    assert.equal(await isHit(gate, { ...same, url: `${SITE}#below` }), true);
    assert.equal(await isHit(gate, same, other), false);
    assert.equal(await isHit(gate, { ...same, headers: { 'accept-language': 'en' } }), false);
    assert.equal(await isHit(gate, { ...same, headers: {} }), false);
    assert.equal(await isHit(gate, { ...same, url: `${SITE}?a` }), false);
  });
});

test('calls with cookies or an authorization header neither read the cache nor write it', async () => {
  await withGate({}, async (gate) => {
    const personal = [{ cookies: [{ name: 'a', value: 'b' }] }, { headers: { Authorization: 'Basic YTpi' } }];
    for (const raw of personal) {
      await gate.fetch(raw);
      assert.equal(await isHit(gate, { ...raw, max_age_ms: HOUR }), false);
    }
    assert.equal(await gate.pageCache.measureBytes(), 0);
    await gate.fetch();
    assert.equal(await isHit(gate, { cookies: [{ name: 'a', value: 'b' }], max_age_ms: HOUR }), false);
  });
});

test('only successful pages are cached', async () => {
  for (const status of [404, 500, 401, 304]) {
    await withGate({ tierVisits: { http: brings({ status }) } }, async (gate) => {
      await gate.fetch();
      assert.equal(await gate.pageCache.measureBytes(), 0, String(status));
    });
  }
});

test('a failed fetch never serves an outdated page', async () => {
  let tier = brings();
  await withGate({ tierVisits: { http: async (...args) => tier(...args) } }, async (gate) => {
    await gate.fetch();
    gate.clock.pass(HOUR);
    tier = isLate;
    assert.equal((await gate.fetch({ max_age_ms: HOUR - 1 })).code, 'timeout');
  });
});

test('a cached page whose file is lost or corrupt is fetched and cached again', async () => {
  await withGate({}, async (gate) => {
    await gate.fetch();
    for (const damage of [async (file: string) => rm(file), async (file: string) => writeFile(file, 'broken')]) {
      gate.clock.pass(2000);
      for (const file of await readdir(gate.folder)) await damage(join(gate.folder, file));
      assert.equal(await isHit(gate, { max_age_ms: HOUR }), false);
      assert.equal(await isHit(gate, { max_age_ms: HOUR }), true);
    }
  });
});

test('the store contains neither the URL nor the headers of a cached page in plain text', async () => {
  const tierVisits = { http: brings({ headers: { 'set-cookie': 'sid=canary-cookie' } }) };
  await withGate({ tierVisits }, async (gate) => {
    await gate.fetch({ url: `${SITE}?token=canary-token` });
    const rows = await gate.db.query('select * from cached_pages');
    assert.equal(rows.length, 1);
    assert.doesNotMatch(JSON.stringify(rows), /canary|mill\.example/);
  });
});

test('a page cached before the clock stepped back is not served, since its age is unknown', async () => {
  await withGate({}, async (gate) => {
    await gate.fetch();
    gate.clock.pass(-HOUR);
    assert.equal(await isHit(gate, { max_age_ms: HOUR }), false);
    assert.equal(await isHit(gate, { max_age_ms: HOUR }), true);
  });
});

test('max_credits 1 allows a cached page but not a fetch', async () => {
  await withGate({}, async (gate) => {
    const raw = { max_age_ms: HOUR, max_credits: 1 };
    const { code, error } = await gate.fetch(raw);
    assert.equal(code, 'target_blocked');
    assert.match(error?.message ?? '', /max_credits is 1/);
    await gate.fetch();
    assert.equal(await isHit(gate, raw), true);
    assert.deepEqual(await gate.spent(), [3, 0]);
  });
});

test('a page fetched repeatedly has one file, and a newer version replaces it', async () => {
  let text = '<p>first</p>';
  await withGate(
    { tierVisits: { http: async (request) => buildTestPage({ url: request.url.href, text }) } },
    async (gate) => {
      await Promise.all([gate.fetch(), gate.fetch(), gate.fetch()]);
      gate.clock.pass(10);
      text = '<p>second</p>';
      await gate.fetch();
      assert.equal((await readdir(gate.folder)).length, 1);
      const { answer } = await gate.fetch({ max_age_ms: HOUR, output: ['text'] });
      assert.equal(answer?.body['text'], 'second\n');
    },
  );
});

test('outdated pages are deleted first, then the oldest until the rest fits', async () => {
  await withGate({}, async (gate) => {
    for (const path of ['a', 'b', 'c', 'd']) {
      await gate.fetch({ url: SITE + path });
      gate.clock.pass(HOUR);
    }
    const one = (await gate.pageCache.measureBytes()) / 4;
    await gate.pageCache.evict(10 * one);
    assert.equal((await readdir(gate.folder)).length, 4);
    await gate.pageCache.evict(2 * one);
    assert.deepEqual(await kept(gate), ['c', 'd']);
    gate.clock.pass(MAX_CACHE_AGE_MS - 2 * HOUR + 1);
    await gate.pageCache.evict(10 * one);
    assert.deepEqual(await kept(gate), ['d']);
    await gate.pageCache.evict(0);
    assert.deepEqual([await kept(gate), await readdir(gate.folder), await gate.pageCache.measureBytes()], [[], [], 0]);
  });
});

test('files without a row are deleted, and the others stay', async () => {
  await withGate({}, async (gate) => {
    await gate.fetch();
    await writeFile(join(gate.folder, 'orphan.zst'), 'left by a crash');
    for (const name of await readdir(gate.folder)) await utimes(join(gate.folder, name), LONG_AGO, LONG_AGO);
    await gate.pageCache.sweep(new AbortController().signal);
    assert.equal((await readdir(gate.folder)).length, 1);
    assert.equal(await isHit(gate, { max_age_ms: MAX_CACHE_AGE_MS }), true);
  });
});

function buildRequest(url = SITE) {
  return { url: new URL(url), headers: {}, cookies: [] };
}

/** The paths whose pages are in the cache. */
async function kept({ pageCache, tenant }: Gate): Promise<readonly string[]> {
  const found = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (path) => pageCache.find(tenant, buildRequest(SITE + path), MAX_CACHE_AGE_MS)),
  );
  return ['a', 'b', 'c', 'd'].filter((_, at) => found[at] !== null);
}

test('pages with different hash routes are cached separately, and pages with different anchors are not', async () => {
  await withGate({}, async (gate) => {
    await gate.fetch({ url: `${SITE}#/grain` });
    assert.equal(await isHit(gate, { url: `${SITE}#/oven`, max_age_ms: HOUR }), false);
    assert.equal(await isHit(gate, { url: `${SITE}#/grain`, max_age_ms: HOUR }), true);
    assert.equal(await isHit(gate, { url: SITE, max_age_ms: HOUR }), false);
    assert.equal(await isHit(gate, { url: `${SITE}#part`, max_age_ms: HOUR }), true);
  });
});

onEveryStore('the cache frees space only from the tenant that uses the most', async (store) => {
  await withGate({ store }, async (gate) => {
    const { pageCache, clock, tenant } = gate;
    const keep = async (owner: string, path: string) =>
      pageCache.store(owner, buildRequest(SITE + path), buildTestPage({ body: randomBytes(10_000) }));
    await keep('another', 'theirs');
    for (const path of ['a', 'b', 'c', 'd']) {
      clock.pass(1000);
      await keep(tenant, path);
    }
    await pageCache.evict(((await pageCache.measureBytes()) * 3) / 5);
    assert.deepEqual(await kept(gate), ['c', 'd']);
    assert.notEqual(await pageCache.find('another', buildRequest(`${SITE}theirs`), MAX_CACHE_AGE_MS), null);
    await pageCache.evict((await pageCache.measureBytes()) / 3);
    assert.deepEqual((await kept(gate)).length, 0);
  });
});
