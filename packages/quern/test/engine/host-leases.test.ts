import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { buildFirstPace } from '#engine/politeness/pace-state.ts';
import { buildCrawlRetention } from '#features/crawl/run/crawl-retention.ts';
import { buildHostLeaseRows, HostLeases } from '#engine/politeness/host-leases.ts';
import { type HostPace, HostPaces } from '#engine/politeness/host-pace.ts';
import type { Db } from '#store/db.ts';
import { buildIdleLoadPace } from '#testkit/load-pace.ts';
import { onEveryStore, withStoreKind } from '../support/store.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { clockAt } from '../support/clock.ts';

const PARTY = { tenant: 'mill', weight: 1 };
const HOST = 'mill.example';
const NOW = 1_000_000;
const LEASE = { now: NOW, until: NOW + 15_000 };
const PACE = buildFirstPace({ delayMs: null, crawlDelayMs: 0 });
const LOOK_MS = 20;

onEveryStore('one process holds a host, learns that another waits for it, and passes on its pace', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const one = buildHostLeaseRows({ db, processId: 'one' });
    const two = buildHostLeaseRows({ db, processId: 'two' });
    const both = await one.take([HOST, 'other.example'], LEASE);
    assert.deepEqual([both.size, both.get(HOST), both.get('other.example')], [2, null, null]);
    assert.equal((await one.keep([[HOST, PACE]], LEASE)).get(HOST), 'quiet');
    assert.equal((await two.take([HOST], LEASE)).size, 0);
    const kept = await one.keep(
      [
        [HOST, PACE],
        ['other.example', PACE],
      ],
      LEASE,
    );
    assert.deepEqual([kept.get(HOST), kept.get('other.example')], ['wanted', 'quiet']);
    const slowed = { ...PACE, limit: 1, gapMs: 500, heldUntil: NOW + 60_000 };
    await one.give([[HOST, slowed]], NOW);
    assert.deepEqual([...(await two.take([HOST], LEASE))], [[HOST, slowed]]);
    assert.equal((await one.keep([[HOST, PACE]], LEASE)).size, 0);
  });
});

onEveryStore('a silent holder is replaced, and unused hosts are deleted', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const one = buildHostLeaseRows({ db, processId: 'one' });
    const two = buildHostLeaseRows({ db, processId: 'two' });
    await one.take([HOST], LEASE);
    const later = { now: LEASE.until + 1, until: LEASE.until + 15_000 };
    assert.equal((await two.take([HOST], later)).size, 1);
    assert.equal((await one.keep([[HOST, PACE]], later)).size, 0);
    await buildCrawlRetention({ db, clock: clockAt(() => later.now) }).tidy();
    assert.equal((await db.query('select host from host_leases')).length, 1);
    await buildCrawlRetention({ db, clock: clockAt(() => later.now + 3_600_001) }).tidy();
    assert.equal((await db.query('select host from host_leases')).length, 0);
  });
});

const clock = SYSTEM_CLOCK;

/** The pace of a host in one process. */
function openProcess(db: Db, processId: string) {
  const failures: unknown[] = [];
  const rows = buildHostLeaseRows({ db, processId });
  const leases = new HostLeases({ rows, clock, report: (error) => failures.push(error) });
  const paces = new HostPaces({ clock, leases, load: buildIdleLoadPace(clock) });
  return {
    paces,
    async [Symbol.asyncDispose]() {
      await leases.close();
      assert.deepEqual(failures, []);
    },
  };
}

/** Polls until a visit may start. */
async function untilFree(pace: HostPace): Promise<void> {
  while (pace.computeWaitMs() !== 0) await wait(LOOK_MS);
}

onEveryStore('a process that waits for a host gets it when the other has no running visit', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await using one = openProcess(db, 'one');
    await using two = openProcess(db, 'two');
    const mine = one.paces.open(HOST, { delayMs: 50, party: PARTY });
    const theirs = two.paces.open(HOST, { delayMs: 50, party: PARTY });
    await untilFree(mine);
    const visit = mine.begin();
    let isOver = false;
    const free = untilFree(theirs).then(() => assert.ok(isOver, 'two visits of two processes'));
    // It is asked to hand over the lease, and starts no further visit.
    while (mine.computeWaitMs() !== 100 || (await isQuiet(db))) await wait(LOOK_MS);
    isOver = true;
    visit.end({ status: 200, latencyMs: 10, retryAfter: null });
    await free;
  });
});

onEveryStore('a wait that a host requests from one process also applies to the next one', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await using one = openProcess(db, 'one');
    await using two = openProcess(db, 'two');
    const mine = one.paces.open(HOST, { delayMs: 50, party: PARTY });
    await untilFree(mine);
    mine.begin().end({ status: 429, latencyMs: 10, retryAfter: '300' });
    const theirs = two.paces.open(HOST, { delayMs: 50, party: PARTY });
    let waitMs = theirs.computeWaitMs() ?? 0;
    while (waitMs <= 100) {
      await wait(LOOK_MS);
      waitMs = theirs.computeWaitMs() ?? 0;
    }
    assert.ok(waitMs > 50_000, `${waitMs} ms`);
  });
});

onEveryStore('hosts that are visited without a delay have no holder', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await using one = openProcess(db, 'one');
    await using two = openProcess(db, 'two');
    for (const { paces } of [one, two]) assert.equal(paces.open(HOST, { delayMs: 0, party: PARTY }).computeWaitMs(), 0);
    assert.equal((await db.query('select host from host_leases')).length, 0);
  });
});

async function isQuiet(db: Db): Promise<boolean> {
  return (await db.query('select host from host_leases where wanted = 1')).length === 0;
}
