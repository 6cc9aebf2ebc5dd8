import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createFollower, type JobSnapshot, DEFAULT_PACE, type FollowPace } from '#features/jobs/follow-job.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { StoreUnavailable } from '#store/db.ts';
import { type Gate, withGate } from './gate.ts';
import { openJobTools, runClaimed } from '../support/engine/queue.ts';

type Snapshots = AsyncGenerator<JobSnapshot | null, void>;

/** Job following as in the service, with a count of the store queries and a switch that makes the store unavailable. */
function openFollowing(gate: Gate, pace: Partial<FollowPace> = {}) {
  const { jobs, notifications } = gate.queue;
  let found = 0;
  let isAway = false;
  const find: typeof jobs.read = async (...named) => {
    found += 1;
    if (isAway) throw new StoreUnavailable('away');
    return jobs.read(...named);
  };
  const following = createFollower({
    jobs: { read: find },
    notifications,
    pace: { ...DEFAULT_PACE, ...pace },
    clock: SYSTEM_CLOCK,
  });
  return {
    looks: following.looks,
    found: () => found,
    away: (now: boolean) => void (isAway = now),
    follow: async (id: string, more: { seen?: number; signal?: AbortSignal } = {}): Promise<Snapshots> =>
      following.follow({ tenant: gate.tenant, id, seen: null, signal: new AbortController().signal, ...more }),
  };
}

async function all(snapshots: Snapshots): Promise<readonly JobSnapshot[]> {
  const told: JobSnapshot[] = [];
  for await (const snapshot of snapshots) if (snapshot !== null) told.push(snapshot);
  return told;
}

async function readNext(snapshots: Snapshots): Promise<JobSnapshot | null> {
  const { value, done } = await snapshots.next();
  assert.equal(done, false);
  return value ?? null;
}

async function runOne(gate: Gate): Promise<void> {
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  await runClaimed(gate, claimed);
  gate.queue.notifications.notifyHere(claimed.row.id);
}

test('1,000 followers of one job are notified of its end and share their store queries', async () => {
  await withGate({}, async (gate) => {
    const id = await openJobTools(gate).queued();
    const { follow, found, looks } = openFollowing(gate);
    const begun = performance.now();
    const followers = await Promise.all(Array.from({ length: 1000 }, async () => follow(id)));
    for (const snapshots of followers) assert.equal((await readNext(snapshots))?.isOver, false);
    assert.equal(looks(), 1);
    const ended = Promise.all(followers.map(all));
    await runOne(gate);
    for (const told of await ended) {
      assert.equal(told.at(-1)?.isOver, true);
      assert.equal(told.filter(({ isOver }) => isOver).length, 1);
      assert.match(told.at(-1)?.text ?? '', /"status":"completed"/);
      assert.doesNotMatch(told.at(-1)?.text ?? '', /"result":/);
    }
    // One query each at the start, where an unknown job is a 404, and at most two per second for all.
    const seconds = (performance.now() - begun) / 1000;
    assert.ok(found() - 1000 <= 2 + 2 * seconds, `${found() - 1000} looks in ${seconds} s`);
    assert.equal(looks(), 0);
  });
});

test('progress is sent at most once per interval, with rising ids, and always includes the last state', async () => {
  await withGate({}, async (gate) => {
    const id = await openJobTools(gate).queued();
    const { follow } = openFollowing(gate, { readMs: 50, rereadMs: 10, snapshotMs: 200 });
    const begun = performance.now();
    const told = all(await follow(id));
    await gate.queue.leases.claim('w1', 1);
    for (let change = 0; change < 40; change += 1) {
      // Each cancel request of a running job changes its record.
      await openJobTools(gate).cancel(id);
      await wait(10);
    }
    gate.clock.pass(31_000);
    await gate.queue.leases.recover(null, async () => gate.plan);
    const snapshots = await told;
    const most = 1 + (performance.now() - begun) / 200;
    assert.ok(snapshots.filter(({ isOver }) => !isOver).length <= most, `${snapshots.length} in place of ${most}`);
    const versions = snapshots.map(({ version }) => version);
    assert.deepEqual(
      versions,
      [...new Set(versions)].toSorted((a, b) => a - b),
    );
    assert.match(snapshots.at(-1)?.text ?? '', /"status":"cancelled"/);
  });
});

test('a version that was already seen is not sent again, and a future version is ignored', async () => {
  await withGate({}, async (gate) => {
    const id = await openJobTools(gate).queued();
    const { follow } = openFollowing(gate);
    const snapshots = await follow(id);
    const first = await readNext(snapshots);
    await snapshots.return();
    assert.ok(first !== null);
    const again = await follow(id, { seen: first.version });
    assert.equal(await readNext(again), null);
    await again.return();
    const foreign = await follow(id, { seen: first.version + 1 });
    assert.equal((await readNext(foreign))?.version, first.version);
    await foreign.return();
    await runOne(gate);
    const [end] = await all(await follow(id, { seen: first.version + 2 }));
    assert.equal(end?.isOver, true);
  });
});

test('a follower without news gets a keep-alive, and one that leaves releases its resources at once', async () => {
  await withGate({}, async (gate) => {
    const id = await openJobTools(gate).queued();
    const { follow, looks } = openFollowing(gate, { maxSilenceMs: 30 });
    const leave = new AbortController();
    const snapshots = await follow(id, { signal: leave.signal });
    await readNext(snapshots);
    for (let word = 0; word < 3; word += 1) assert.equal(await readNext(snapshots), null);
    const other = await follow(id);
    await readNext(other);
    leave.abort();
    assert.equal((await snapshots.next()).done, true);
    assert.equal(looks(), 1);
    await other.return();
    assert.equal(looks(), 0);
  });
});

test('followers survive a temporary store outage', async () => {
  await withGate({}, async (gate) => {
    const id = await openJobTools(gate).queued();
    const { follow, away, found } = openFollowing(gate, { readMs: 10, rereadMs: 10 });
    const snapshots = await follow(id);
    await readNext(snapshots);
    away(true);
    for (const before = found(); found() < before + 3;) await wait(5);
    away(false);
    await runOne(gate);
    assert.equal((await all(snapshots)).at(-1)?.isOver, true);
  });
});

test('an unknown job or one of another tenant is rejected before the first event', async () => {
  await withGate({}, async (gate) => {
    const { follow, looks } = openFollowing(gate);
    await assert.rejects(follow('job_unknown'), { code: 'not_found' });
    const id = await openJobTools(gate).queued();
    const request = { tenant: await gate.tenants.create('other', 'free'), id, seen: null };
    const signal = new AbortController().signal;
    const { jobs, notifications } = gate.queue;
    const following = createFollower({ jobs, notifications, pace: DEFAULT_PACE, clock: SYSTEM_CLOCK });
    await assert.rejects(following.follow({ ...request, signal }), { code: 'not_found' });
    assert.equal(looks(), 0);
  });
});
