import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openActivity, findDisplaced, isFullOfLongRunning, partIn, roomIn, type Slot } from '#engine/jobs/activity.ts';

/** Jobs of a tenant, each begun at 0; they only wait when the time is long past. */
function jobs(count: number, kind: 'crawl' | 'short', { tenant = 'a', now = 0 } = {}): readonly Slot[] {
  let time = 0;
  const activity = openActivity({ monotonic: () => time });
  time = now;
  return Array.from({ length: count }, () => ({ tenant, isLongRunning: kind === 'crawl', activity }));
}

const WAITING = { now: 60_000 };

test('long-running jobs leave the last slot to other jobs, and those of one tenant one more', () => {
  const running = jobs(2, 'crawl');
  assert.equal(roomIn(4, running, 'all').most, 1);
  assert.equal(roomIn(4, running, 'all').of('a'), 0);
  assert.equal(roomIn(4, running, 'all').of('b'), 2);
  assert.equal(roomIn(4, [...running, ...jobs(1, 'crawl', { tenant: 'b' })], 'all').most, 0);
  assert.equal(roomIn(4, [...running, ...jobs(1, 'crawl', { tenant: 'b' })], 'short').most, 1);
  assert.equal(roomIn(1, [], 'all').of('a'), 1);
});

test('jobs that only wait hold no slot, and some of all that may run are kept from long-running jobs and from one tenant', () => {
  const waiting = jobs(7, 'crawl', WAITING);
  assert.equal(roomIn(4, waiting, 'all').of('a'), 1);
  assert.equal(roomIn(4, [...waiting, ...jobs(1, 'crawl', WAITING)], 'all').of('a'), 0);
  assert.equal(roomIn(4, [...waiting, ...jobs(1, 'crawl', WAITING)], 'all').of('b'), 2);
  assert.equal(roomIn(4, jobs(12, 'crawl', WAITING), 'all').most, 0);
  assert.equal(roomIn(4, jobs(12, 'crawl', WAITING), 'short').most, 4);
  assert.equal(roomIn(4, jobs(12, 'short', WAITING), 'short').of('a'), 0);
  assert.equal(roomIn(4, jobs(12, 'short', WAITING), 'short').of('b'), 12);
  assert.equal(roomIn(4, jobs(16, 'short', WAITING), 'short').most, 0);
});

test('where no slot is free a tenant still has its part of the slots, and no more', () => {
  assert.equal(partIn(4, jobs(2, 'crawl'), 'all'), null);
  assert.equal(partIn(4, [...jobs(9, 'crawl', WAITING), ...jobs(2, 'crawl')], 'all'), null);
  assert.equal(partIn(4, jobs(4, 'short'), 'short')?.of('a'), 0);
  assert.equal(partIn(4, jobs(4, 'short'), 'short')?.of('b'), 2);
  const running = jobs(6, 'crawl');
  assert.equal(roomIn(4, running, 'short').most, -2);
  for (const choice of ['all', 'short'] as const) {
    assert.equal(partIn(4, running, choice)?.of('a'), -2);
    assert.equal(partIn(4, running, choice)?.of('b'), 2);
    assert.equal(partIn(4, [...running, ...jobs(2, 'short', { tenant: 'b' })], choice)?.of('b'), 0);
    assert.equal(partIn(4, [...running, ...jobs(2, 'short', { tenant: 'b' })], choice)?.of('c'), 1);
    assert.equal(partIn(1, jobs(2, 'crawl'), choice)?.of('b'), 1);
  }
  assert.equal(partIn(4, jobs(12, 'crawl'), 'all')?.most, 0);
  assert.equal(partIn(4, jobs(12, 'crawl'), 'short')?.most, 4);
});

test('the newest long-running job of the tenant with the most gives way to a tenant with fewer, and to no other', () => {
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

test('a job works while it reads, and shortly after a visit that ended soon; a slow visit is waiting', async () => {
  let now = 0;
  const activity = openActivity({ monotonic: () => now });
  assert.equal(activity.isWaiting(), false);
  now = 1000;
  assert.equal(activity.isWaiting(), true);
  const page = Promise.withResolvers<void>();
  const reading = activity.reading(page.promise);
  assert.equal(activity.isWaiting(), false);
  page.resolve();
  await reading;
  assert.equal(activity.isWaiting(), true);
  const soon = Promise.withResolvers<void>();
  const visit = activity.visiting(soon.promise);
  now += 900;
  assert.equal(activity.isWaiting(), true);
  soon.resolve();
  await visit;
  assert.equal(activity.isWaiting(), false);
  now += 250;
  assert.equal(activity.isWaiting(), true);
  const late = Promise.withResolvers<void>();
  const slow = activity.visiting(late.promise);
  now += 5000;
  late.resolve();
  await slow;
  assert.equal(activity.isWaiting(), true);
});
