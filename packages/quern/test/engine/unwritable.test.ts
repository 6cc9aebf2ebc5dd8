import assert from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { PageRequest } from '#access/page.ts';
import { StoreUnavailable } from '#store/db.ts';
import { showUsage } from '#features/account/operations.ts';
import { brings, type Gate, SITE, withGate } from './gate.ts';

/** Makes the embedded store read-only, as after a read-only remount of its volume, and writable again. */
async function setWritable({ db }: Gate, writable: 'on' | 'off'): Promise<void> {
  await db.query(`pragma query_only = ${writable === 'on' ? 'off' : 'on'}`);
}

test('a read-only store returns backend_unavailable, charges nothing, can be read, and recovers by itself', async () => {
  await withGate({}, async (gate) => {
    await gate.fetch();
    await setWritable(gate, 'off');
    for (const _ of [1, 2]) {
      const { code, error } = await gate.fetch({ url: `${SITE}other` });
      assert.deepEqual([code, error?.status, error?.retryAfterSeconds], ['backend_unavailable', 503, 5]);
    }
    assert.equal(gate.visits.length, 1, 'nothing is fetched that cannot be charged');
    assert.equal((await gate.ask(showUsage, {})).answer?.body['credits_used'], 2);
    assert.notEqual(await gate.requestLog.find(gate.tenant, 'req_0001'), null);
    await setWritable(gate, 'on');
    assert.equal((await gate.fetch({ url: `${SITE}other` })).code, 'ok');
    assert.deepEqual(await gate.spent(), [4, 0]);
  });
});

test('a call during which the store becomes read-only is free, and its reservation is released', async () => {
  const opened = Promise.withResolvers<Gate>();
  const page = brings();
  const tierVisits = {
    async http(request: PageRequest, signal: AbortSignal) {
      await setWritable(await opened.promise, 'off');
      return page(request, signal);
    },
  };
  await withGate({ tierVisits, report: () => undefined }, async (gate) => {
    opened.resolve(gate);
    assert.equal((await gate.fetch()).code, 'backend_unavailable');
    assert.deepEqual(await gate.spent(), [0, 2]);
    await setWritable(gate, 'on');
    await gate.deferredReleases.retry();
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

test('a page that cannot be cached is still served, and leaves no partial file', async () => {
  const reported: unknown[] = [];
  await withGate({ report: (error) => void reported.push(error) }, async (gate) => {
    await gate.fetch();
    await rm(gate.folder, { recursive: true });
    await writeFile(gate.folder, 'no folder');
    assert.equal((await gate.fetch({ url: `${SITE}a` })).code, 'ok');
    assert.equal(reported.length, 1);
    await rm(gate.folder);
    await mkdir(gate.folder);
    assert.equal((await gate.fetch({ url: `${SITE}b` })).code, 'ok');
    assert.equal((await readdir(gate.folder)).length, 1);
    assert.deepEqual(await gate.spent(), [6, 0]);
  });
});

test('a page whose row cannot be written leaves no file', async () => {
  await withGate({}, async (gate) => {
    const visit = brings();
    const request = { url: new URL(SITE), headers: {}, cookies: [] };
    const page = await visit(request, new AbortController().signal);
    await setWritable(gate, 'off');
    await assert.rejects(gate.pageCache.store(gate.tenant, request, page), StoreUnavailable);
    assert.deepEqual(await readdir(gate.folder).catch(() => []), []);
  });
});

test('the cache frees space while the store is read-only, and deletes the rows afterwards', async () => {
  await withGate({}, async (gate) => {
    for (const path of ['a', 'b', 'c']) {
      await gate.fetch({ url: SITE + path });
      gate.clock.pass(1000);
    }
    const third = Math.ceil((await gate.pageCache.measureBytes()) / 3);
    await setWritable(gate, 'off');
    await assert.rejects(gate.pageCache.evict(third), StoreUnavailable);
    assert.equal((await readdir(gate.folder)).length, 1);
    await setWritable(gate, 'on');
    const fetchForTier = async (path: string): Promise<unknown> => {
      const { answer } = await gate.fetch({ url: SITE + path, max_age_ms: 60_000 });
      return answer?.usage?.tier;
    };
    assert.deepEqual([await fetchForTier('c'), await fetchForTier('a')], ['cache', 'http']);
    await gate.pageCache.evict(0);
    assert.deepEqual([await gate.pageCache.measureBytes(), (await readdir(gate.folder)).length], [0, 0]);
  });
});
