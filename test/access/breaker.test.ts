import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import { admitCall, afterCall, buildBreakers, CLOSED, toCallResult } from '#access/tiers/circuit-breaker.ts';
import type { Breaker, TierCallResult } from '#access/tiers/circuit-breaker.ts';
import { OUTCOMES } from '#access/page.ts';
import { clockAt } from '../support/clock.ts';

const RESULTS: readonly TierCallResult[] = ['worked', 'fault', 'untold'];

/** The breaker after calls at one moment, each admitted first. */
function after(results: readonly TierCallResult[], { from = CLOSED, now = 0 }: { from?: Breaker; now?: number } = {}) {
  return results.reduce((breaker, result) => afterCall(admitCall(breaker, now).breaker, result, now), from);
}

const times = (count: number, result: TierCallResult): readonly TierCallResult[] =>
  Array.from({ length: count }, () => result);

test('only faults of our own count against a tier', () => {
  const faults = OUTCOMES.filter((outcome) => toCallResult(outcome) === 'fault');
  assert.deepEqual(faults, ['proxy_error', 'render_failed']);
  assert.deepEqual([toCallResult('timeout'), toCallResult(null)], ['untold', 'untold']);
});

test('a tier is given up from the fiftieth call on, when four in five broke', () => {
  assert.equal(after(times(49, 'fault')).phase, 'closed');
  assert.equal(after(times(50, 'fault')).phase, 'open');
  assert.equal(after([...times(11, 'worked'), ...times(43, 'fault')]).phase, 'closed');
  assert.equal(after([...times(11, 'worked'), ...times(44, 'fault')]).phase, 'open');
});

test('only the last hundred calls count', () => {
  assert.equal(after([...times(500, 'worked'), ...times(79, 'fault')]).phase, 'closed');
  assert.equal(after([...times(500, 'worked'), ...times(80, 'fault')]).phase, 'open');
});

test('after the pause five trials are let through; when they work the tier is back', () => {
  const open = after(times(50, 'fault'));
  assert.equal(admitCall(open, 4_999).admitted, false);
  let trying = admitCall(open, 5_000).breaker;
  for (let trial = 1; trial < 5; trial++) {
    const { breaker, admitted } = admitCall(trying, 5_000);
    assert.ok(admitted);
    trying = breaker;
  }
  assert.equal(admitCall(trying, 5_000).admitted, false);
  const back = times(5, 'worked').reduce((breaker, result) => afterCall(breaker, result, 6_000), trying);
  assert.deepEqual(back, CLOSED);
});

test('a trial that breaks doubles the pause, up to a minute', () => {
  let breaker = after(times(50, 'fault'));
  const pauses: number[] = [];
  for (let round = 0, now = 0; round < 6; round++) {
    if (breaker.phase !== 'open') throw new Error('it is not open');
    pauses.push(breaker.pauseMs);
    now = breaker.until;
    breaker = afterCall(admitCall(breaker, now).breaker, 'fault', now);
  }
  assert.deepEqual(pauses, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('a trial that tells nothing gives its place back', () => {
  const trying = admitCall(after(times(50, 'fault')), 5_000).breaker;
  const given = times(20, 'untold').reduce(
    (breaker, result) => afterCall(admitCall(breaker, 5_000).breaker, result, 0),
    trying,
  );
  assert.equal(admitCall(given, 5_000).admitted, true);
});

test('whatever happens, a breaker opens only by faults and admits again in time', () => {
  const calls = fc.array(fc.record({ result: fc.constantFrom(...RESULTS), pause: fc.nat(30_000) }), { maxLength: 300 });
  fc.assert(
    fc.property(calls, (story) => {
      let breaker = CLOSED;
      let now = 0;
      for (const { result, pause } of story) {
        now += pause;
        const before = breaker;
        const admission = admitCall(breaker, now);
        breaker = admission.admitted ? afterCall(admission.breaker, result, now) : admission.breaker;
        if (before.phase !== 'open' && breaker.phase === 'open') assert.equal(result, 'fault');
        if (breaker.phase === 'open') assert.ok(breaker.until <= now + 60_000 && breaker.pauseMs >= 5_000);
        if (breaker.phase === 'closed') assert.ok(breaker.recent.length <= 100);
        assert.ok(breaker.phase === 'closed' || admitCall(breaker, now + 60_000).admitted);
      }
    }),
  );
});

test('each tier has a breaker of its own', () => {
  const breakers = buildBreakers({ clock: clockAt(() => 0) });
  for (let call = 0; call < 50; call++) {
    breakers.admits('proxy');
    breakers.report('proxy', 'proxy_error');
  }
  assert.deepEqual([breakers.admits('proxy'), breakers.admits('browser')], [false, true]);
});
