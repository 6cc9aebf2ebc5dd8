import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createActivity,
  findDisplaced,
  isFullOfLongRunning,
  computeFairShare,
  computeCapacity,
  type Slot,
} from '#engine/jobs/slots.ts';

/** Jobs of a tenant, each started at time 0. At a much later time without activity they count as waiting. */
function jobs(count: number, kind: 'crawl' | 'short', { tenant = 'a', now = 0 } = {}): readonly Slot[] {
  let time = 0;
  const activity = createActivity({ monotonic: () => time });
  time = now;
  return Array.from({ length: count }, () => ({ tenant, isLongRunning: kind === 'crawl', activity }));
}

const WAITING = { now: 60_000 };

test('long-running jobs leave the last slot to other jobs, and those of one tenant leave one more', () => {
  const running = jobs(2, 'crawl');
  assert.equal(computeCapacity(4, running, 'all').max, 1);
  assert.equal(computeCapacity(4, running, 'all').forTenant('a'), 0);
  assert.equal(computeCapacity(4, running, 'all').forTenant('b'), 2);
  assert.equal(computeCapacity(4, [...running, ...jobs(1, 'crawl', { tenant: 'b' })], 'all').max, 0);
  assert.equal(computeCapacity(4, [...running, ...jobs(1, 'crawl', { tenant: 'b' })], 'short').max, 1);
  assert.equal(computeCapacity(1, [], 'all').forTenant('a'), 1);
});

test('waiting jobs hold no slot, and some jobs are reserved for short jobs and other tenants', () => {
  const waiting = jobs(7, 'crawl', WAITING);
  assert.equal(computeCapacity(4, waiting, 'all').forTenant('a'), 1);
  assert.equal(computeCapacity(4, [...waiting, ...jobs(1, 'crawl', WAITING)], 'all').forTenant('a'), 0);
  assert.equal(computeCapacity(4, [...waiting, ...jobs(1, 'crawl', WAITING)], 'all').forTenant('b'), 2);
  assert.equal(computeCapacity(4, jobs(12, 'crawl', WAITING), 'all').max, 0);
  assert.equal(computeCapacity(4, jobs(12, 'crawl', WAITING), 'short').max, 4);
  assert.equal(computeCapacity(4, jobs(12, 'short', WAITING), 'short').forTenant('a'), 0);
  assert.equal(computeCapacity(4, jobs(12, 'short', WAITING), 'short').forTenant('b'), 12);
  assert.equal(computeCapacity(4, jobs(16, 'short', WAITING), 'short').max, 0);
});

test('without free slots, a tenant still gets its share of the slots and no more', () => {
  assert.equal(computeFairShare(4, jobs(2, 'crawl'), 'all'), null);
  assert.equal(computeFairShare(4, [...jobs(9, 'crawl', WAITING), ...jobs(2, 'crawl')], 'all'), null);
  assert.equal(computeFairShare(4, jobs(4, 'short'), 'short')?.forTenant('a'), 0);
  assert.equal(computeFairShare(4, jobs(4, 'short'), 'short')?.forTenant('b'), 2);
  const running = jobs(6, 'crawl');
  assert.equal(computeCapacity(4, running, 'short').max, -2);
  for (const choice of ['all', 'short'] as const) {
    assert.equal(computeFairShare(4, running, choice)?.forTenant('a'), -2);
    assert.equal(computeFairShare(4, running, choice)?.forTenant('b'), 2);
    assert.equal(computeFairShare(4, [...running, ...jobs(2, 'short', { tenant: 'b' })], choice)?.forTenant('b'), 0);
    assert.equal(computeFairShare(4, [...running, ...jobs(2, 'short', { tenant: 'b' })], choice)?.forTenant('c'), 1);
    assert.equal(computeFairShare(1, jobs(2, 'crawl'), choice)?.forTenant('b'), 1);
  }
  assert.equal(computeFairShare(4, jobs(12, 'crawl'), 'all')?.max, 0);
  assert.equal(computeFairShare(4, jobs(12, 'crawl'), 'short')?.max, 4);
});

test('the newest long job of the tenant with the most slots yields only to a tenant with fewer', () => {
  const [older, newer] = [jobs(2, 'crawl', WAITING), jobs(1, 'crawl', WAITING)];
  const running = [...older, ...jobs(1, 'crawl', { tenant: 'b', ...WAITING }), ...newer, ...jobs(3, 'short')];
  assert.equal(isFullOfLongRunning(1, running), true);
  assert.equal(isFullOfLongRunning(2, running), false);
  assert.equal(findDisplaced(running, ['c', 'a']), newer[0]);
  assert.equal(findDisplaced(running, ['b']), newer[0]);
  assert.equal(findDisplaced(running, ['a']), null);
  assert.equal(findDisplaced(running, []), null);
  assert.equal(findDisplaced(jobs(1, 'crawl', { tenant: 'b' }), ['c']), null);
});

test('a job counts as working while it parses and after a fast visit, and as waiting in a slow visit', async () => {
  let now = 0;
  const activity = createActivity({ monotonic: () => now });
  assert.equal(activity.isWaiting(), false);
  now = 1000;
  assert.equal(activity.isWaiting(), true);
  const page = Promise.withResolvers<void>();
  const reading = activity.trackReading(page.promise);
  assert.equal(activity.isWaiting(), false);
  page.resolve();
  await reading;
  assert.equal(activity.isWaiting(), true);
  const soon = Promise.withResolvers<void>();
  const visit = activity.trackVisit(soon.promise);
  now += 900;
  assert.equal(activity.isWaiting(), true);
  soon.resolve();
  await visit;
  assert.equal(activity.isWaiting(), false);
  now += 250;
  assert.equal(activity.isWaiting(), true);
  const late = Promise.withResolvers<void>();
  const slow = activity.trackVisit(late.promise);
  now += 5000;
  late.resolve();
  await slow;
  assert.equal(activity.isWaiting(), true);
});
