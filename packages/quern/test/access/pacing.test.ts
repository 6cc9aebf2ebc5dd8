import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  recordAnswer,
  recordStart,
  buildFirstPace,
  computeHoldMs,
  type PacedAnswer,
  type PaceRules,
  type PaceState,
  computeWaitMs,
} from '#engine/politeness/pace-state.ts';

const NOW = Date.UTC(2026, 10, 21);
const FREE: PaceRules = { delayMs: null, crawlDelayMs: 0 };
const GOOD: PacedAnswer = { now: NOW, startedAt: NOW - 100, status: 200, latencyMs: 100, retryAfter: null };

function answered(pace: PaceState, answers: readonly Partial<PacedAnswer>[], rules = FREE): PaceState {
  return answers.reduce<PaceState>((so, answer) => recordAnswer(so, rules, { ...GOOD, ...answer }), pace);
}

function times(count: number, answer: Partial<PacedAnswer> = {}): readonly Partial<PacedAnswer>[] {
  return Array.from({ length: count }, () => answer);
}

function computeGap(pace: PaceState, rules = FREE): number | null {
  return computeWaitMs(recordStart(pace, NOW), rules, { now: NOW, inFlight: 0 });
}

test('an unknown host gets two concurrent visits, a quarter of a second apart', () => {
  const pace = buildFirstPace(FREE);
  assert.equal(computeWaitMs(pace, FREE, { now: NOW, inFlight: 0 }), 0);
  const started = recordStart(pace, NOW);
  assert.equal(computeWaitMs(started, FREE, { now: NOW + 50, inFlight: 1 }), 200);
  assert.equal(computeWaitMs(started, FREE, { now: NOW + 250, inFlight: 1 }), 0);
  assert.equal(computeWaitMs(started, FREE, { now: NOW + 250, inFlight: 2 }), null);
});

test('twenty good answers allow one more concurrent visit and a shorter gap, up to eight and 50 ms', () => {
  let pace = answered(buildFirstPace(FREE), times(19));
  assert.deepEqual([pace.limit, pace.gapMs], [2, 250]);
  pace = answered(pace, times(1));
  assert.equal(pace.limit, 3);
  assert.ok(pace.gapMs < 250);
  pace = answered(pace, times(100));
  assert.deepEqual([pace.limit, pace.gapMs], [8, 50]);
  pace = answered(pace, times(200));
  assert.deepEqual([pace.limit, pace.gapMs], [8, 50]);
});

test('a not-found answer counts as good, and a failure restarts the count', () => {
  assert.equal(answered(buildFirstPace(FREE), times(20, { status: 404 })).limit, 3);
  assert.equal(answered(buildFirstPace(FREE), [...times(19), { status: 500 }, ...times(19)]).limit, 2);
});

for (const status of [429, 503]) {
  test(`a ${status} halves the pace`, () => {
    const pace = answered(buildFirstPace(FREE), [...times(120), { status }]);
    assert.deepEqual([pace.limit, pace.gapMs], [4, 100]);
  });
}

test('visits in progress when the pace was halved do not halve it again', () => {
  const fast = answered(buildFirstPace(FREE), times(120));
  const burst = answered(fast, times(8, { status: 429, startedAt: NOW - 100 }));
  assert.deepEqual([burst.limit, burst.gapMs], [4, 100]);
  const later = answered(burst, [{ status: 429, startedAt: NOW + 10, now: NOW + 20 }]);
  assert.deepEqual([later.limit, later.gapMs], [2, 200]);
});

test('a host that always refuses is still visited, one at a time and ten seconds apart', () => {
  const refusals = Array.from({ length: 30 }, (_, at) => ({
    status: 429,
    startedAt: NOW + at * 10,
    now: NOW + at * 10 + 5,
  }));
  const pace = answered(buildFirstPace(FREE), refusals);
  assert.deepEqual([pace.limit, computeGap(pace)], [1, 10_000]);
  assert.ok(answered(pace, times(400)).limit > 5);
});

test('a host that requests a wait gets no visits for that time, five minutes at most', () => {
  const held = answered(buildFirstPace(FREE), [{ status: 503, retryAfter: '30' }]);
  assert.equal(computeWaitMs(held, FREE, { now: NOW, inFlight: 0 }), 30_000);
  assert.equal(computeWaitMs(held, FREE, { now: NOW + 29_000, inFlight: 0 }), 1000);
  assert.equal(computeWaitMs(held, FREE, { now: NOW + 30_000, inFlight: 0 }), 0);
  const shorter = answered(held, [{ status: 429, retryAfter: '1' }]);
  assert.equal(computeWaitMs(shorter, FREE, { now: NOW, inFlight: 0 }), 30_000);
  const endless = answered(buildFirstPace(FREE), [{ status: 429, retryAfter: '999999999' }]);
  assert.equal(computeWaitMs(endless, FREE, { now: NOW, inFlight: 0 }), 300_000);
  const unasked = answered(buildFirstPace(FREE), [{ status: 200, retryAfter: '30' }]);
  assert.equal(computeWaitMs(unasked, FREE, { now: NOW, inFlight: 0 }), 0);
});

const HEADERS: readonly (readonly [header: string | null, ms: number])[] = [
  [null, 0],
  ['', 0],
  ['0', 0],
  [' 7 ', 7000],
  ['-5', 0],
  ['soon', 0],
  ['1e9', 0],
  ['Sat, 21 Nov 2026 00:01:00 GMT', 60_000],
  ['Fri, 20 Nov 2026 00:00:00 GMT', 0],
  ['Sat, 21 Nov 2099 00:00:00 GMT', 300_000],
];

for (const [header, ms] of HEADERS)
  test(`a Retry-After of "${header ?? 'nothing'}" means ${ms} ms`, () => assert.equal(computeHoldMs(header, NOW), ms));

test('three consecutive answers that take three times as long as usual halve the pace', () => {
  const fast = answered(buildFirstPace(FREE), times(120));
  const slow = { latencyMs: 600 };
  assert.equal(answered(fast, times(2, slow)).limit, 8);
  assert.equal(answered(fast, [...times(2, slow), {}, ...times(2, slow)]).limit, 8);
  assert.deepEqual([answered(fast, times(3, slow)).limit, answered(fast, times(3, slow)).gapMs], [4, 100]);
  assert.equal(answered(fast, times(3, { status: null, latencyMs: 0 })).limit, 4);
});

test('a slightly slower host keeps its pace, and a lasting slowdown becomes the usual time', () => {
  const fast = answered(buildFirstPace(FREE), times(120, { latencyMs: 2 }));
  assert.equal(answered(fast, times(10, { latencyMs: 200 })).limit, 8);
  const usual = answered(answered(buildFirstPace(FREE), times(40)), times(60, { latencyMs: 900 }));
  assert.equal(answered(usual, times(200, { latencyMs: 900 })).limit, 8);
});

test('a requested delay fixes the gap', () => {
  const rules = { delayMs: 2000, crawlDelayMs: 0 };
  assert.equal(computeGap(answered(buildFirstPace(rules), times(200), rules), rules), 2000);
  assert.equal(computeGap(answered(buildFirstPace(rules), times(1, { status: 429 }), rules), rules), 2000);
  assert.equal(answered(buildFirstPace(rules), times(200), rules).limit, 8);
});

test('a crawl delay of robots.txt is the minimum gap, whatever was requested', () => {
  assert.equal(computeGap(buildFirstPace(FREE), { delayMs: null, crawlDelayMs: 10_000 }), 10_000);
  assert.equal(computeGap(buildFirstPace(FREE), { delayMs: 100, crawlDelayMs: 10_000 }), 10_000);
  assert.equal(computeGap(buildFirstPace(FREE), { delayMs: 20_000, crawlDelayMs: 10_000 }), 20_000);
  assert.equal(computeGap(buildFirstPace(FREE), { delayMs: null, crawlDelayMs: 100 }), 250);
});

test('a host allowed without delay gets up to 64 concurrent visits', () => {
  const rules = { delayMs: 0, crawlDelayMs: 0 };
  const pace = answered(buildFirstPace(rules), times(200), rules);
  assert.equal(computeWaitMs(recordStart(pace, NOW), rules, { now: NOW, inFlight: 63 }), 0);
  assert.equal(computeWaitMs(recordStart(pace, NOW), rules, { now: NOW, inFlight: 64 }), null);
  assert.equal(computeWaitMs(pace, FREE, { now: NOW, inFlight: 8 }), null);
  assert.equal(answered(pace, [{ status: 429 }], rules).limit, 32);
});

test('a clock that is set back delays no host for longer than a rule does', () => {
  const pace = answered(recordStart(buildFirstPace(FREE), NOW), [{ status: 429, retryAfter: '60' }]);
  assert.equal(computeWaitMs(recordStart(buildFirstPace(FREE), NOW), FREE, { now: NOW - 3_600_000, inFlight: 0 }), 250);
  assert.equal(computeWaitMs(pace, FREE, { now: NOW - 3_600_000, inFlight: 0 }), 300_000);
});

test('for any answers, the pace stays within its limits and consists of integers', () => {
  const answer = fc.record({
    now: fc.integer({ min: NOW, max: NOW + 100_000 }),
    startedAt: fc.integer({ min: NOW, max: NOW + 100_000 }),
    status: fc.constantFrom(200, 301, 404, 429, 500, 503, null),
    latencyMs: fc.nat(60_000),
    retryAfter: fc.constantFrom(null, '1', '1000000', 'x'),
  });
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 200 }), (answers) => {
      const pace = answered(buildFirstPace(FREE), answers);
      assert.ok(pace.limit >= 1 && pace.limit <= 8 && pace.gapMs >= 50 && pace.gapMs <= 10_000);
      for (const value of Object.values(pace)) assert.ok(Number.isSafeInteger(value));
      const wait = computeWaitMs(pace, FREE, { now: NOW, inFlight: 0 });
      assert.ok(wait !== null && wait <= 300_000);
    }),
  );
});
