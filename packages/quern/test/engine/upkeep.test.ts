import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { computeShareBytes, startUpkeep } from '#engine/upkeep/upkeep.ts';
import { oneMinute } from '../support/minute.ts';
import { SITE, withGate } from './gate.ts';

test('the available share of the volume excludes other data, and is never negative', () => {
  const volume = { blocks: 1000, bfree: 600, bsize: 10 };
  assert.equal(computeShareBytes(80, volume, 0), 4000);
  assert.equal(computeShareBytes(80, volume, 1000), 5000);
  assert.equal(computeShareBytes(30, volume, 0), 0);
  assert.equal(computeShareBytes(100, { ...volume, bfree: 0 }, 500), 500);
});

test('each minute the cache is reduced to its size, and old requests are deleted', async (t) => {
  await withGate({}, async (gate) => {
    await gate.fetch({ url: `${SITE}a` });
    gate.clock.pass(1000);
    await gate.fetch({ url: `${SITE}b` });
    const half = (await gate.pageCache.measureBytes()) / 2;
    assert.deepEqual(await oneMinute(t, gate, { quota: { percent: 100 }, dataDir: gate.folder }), []);
    assert.equal((await readdir(gate.folder)).length, 2);
    gate.clock.pass(24 * 3_600_000);
    assert.deepEqual(await oneMinute(t, gate, { quota: { bytes: half }, dataDir: gate.folder }), []);
    assert.equal((await readdir(gate.folder)).length, 1);
    assert.equal(await gate.requestLog.find(gate.tenant, 'req_0001'), null);
    assert.notEqual(await gate.requestLog.find(gate.tenant, 'req_0002'), null);
  });
});

test('a long round does not block the heartbeat of a process, and a start waits for no file', async (t) => {
  await withGate({}, async (gate) => {
    const stuck = Promise.withResolvers<void>();
    let beats = 0;
    const processes = {
      async sweep() {
        beats += 1;
      },
    };
    t.mock.timers.enable({ apis: ['setInterval'] });
    const upkeep = await startUpkeep({
      ...gate,
      processes,
      requestLog: { deleteExpired: async () => stuck.promise },
      pageCache: {
        measureBytes: async () => gate.pageCache.measureBytes(),
        evict: async (...asked) => gate.pageCache.evict(...asked),
        sweep: async () => stuck.promise,
      },
      quota: { bytes: 0 },
      dataDir: gate.folder,
      jobRetention: gate.queue.retention,
      report: (error) => assert.fail(String(error)),
    });
    assert.equal(beats, 1);
    t.mock.timers.tick(60_000);
    await turn();
    t.mock.timers.tick(10_000);
    await turn();
    assert.equal(beats, 3, 'one at the start, and one for each time that the timer came round');
    stuck.resolve();
    await upkeep.close();
    t.mock.timers.reset();
  });
});

test('a failed round is reported, and the others continue', async (t) => {
  await withGate({}, async (gate) => {
    await gate.fetch();
    gate.clock.pass(25 * 3_600_000);
    const processes = {
      sweeps: 0,
      async sweep() {
        this.sweeps += 1;
        if (this.sweeps > 1) throw new Error('busy');
      },
    };
    const failures = await oneMinute(t, { ...gate, processes }, { quota: { bytes: 0 }, dataDir: gate.folder });
    assert.equal(failures.length, 1);
    assert.equal(await gate.requestLog.find(gate.tenant, 'req_0001'), null);
    assert.equal(await gate.pageCache.measureBytes(), 0);
  });
});
