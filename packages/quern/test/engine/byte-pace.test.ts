import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ActiveTenants } from '#kernel/active-tenants.ts';
import { BytePace } from '#engine/reading/parser-threads.ts';

const MIB = 1024 * 1024;

function openPace() {
  let now = 0;
  const clock = { monotonic: () => now };
  const active = new ActiveTenants(clock);
  return { active, pace: new BytePace(active, clock), pass: (ms: number) => void (now += ms) };
}

test('large pages of the only active tenant are not paced', () => {
  const { active, pace } = openPace();
  active.noteActivity('mill');
  assert.equal(pace.computeHoldMs('mill', 9 * MIB), 0);
});

test('with other active tenants, large pages hold their slots one after the other', () => {
  const { active, pace, pass } = openPace();
  active.noteActivity('mill');
  active.noteActivity('farm');
  const one = pace.computeHoldMs('mill', 4 * MIB);
  assert.ok(one > 0);
  assert.equal(pace.computeHoldMs('mill', 4 * MIB), 2 * one);
  assert.equal(pace.computeHoldMs('farm', 4 * MIB), one);
  pass(3 * one);
  active.noteActivity('farm');
  assert.equal(pace.computeHoldMs('mill', 4 * MIB), one);
});

test('a tenant counts as the only one after the others were idle for a while', () => {
  const { active, pace, pass } = openPace();
  active.noteActivity('farm');
  active.noteActivity('mill');
  assert.ok(pace.computeHoldMs('mill', MIB) > 0);
  pass(60_000);
  active.noteActivity('mill');
  assert.equal(pace.computeHoldMs('mill', MIB), 0);
});
