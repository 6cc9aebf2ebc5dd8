import assert from 'node:assert/strict';
import test from 'node:test';
import { hasTimeForWait, computeSliceMs } from '#access/tiers/time-budget.ts';
import type { Tier } from '#access/page.ts';

const BASIC: readonly Tier[] = ['http', 'browser'];
const AUTO: readonly Tier[] = ['http', 'browser', 'proxy', 'proxy_browser'];

/** The slices in ms when every attempt hangs until its slice is over. */
function slices(tiers: readonly Tier[], timeoutMs: number): Partial<Record<Tier, number>> {
  const taken: Partial<Record<Tier, number>> = {};
  let elapsedMs = 0;
  tiers.forEach((tier, at) => {
    const slice = computeSliceMs(tier, {
      timeoutMs,
      elapsedMs,
      later: tiers.slice(at + 1),
      isFirst: at === 0,
      waitMs: 0,
    });
    if (slice === null) return;
    taken[tier] = slice;
    elapsedMs += slice;
  });
  return taken;
}

const CASES: readonly (readonly [
  title: string,
  tiers: readonly Tier[],
  timeoutMs: number,
  expected: Partial<Record<Tier, number>>,
])[] = [
  ['basic in 1 s', BASIC, 1_000, { http: 680 }],
  ['basic in 10 s', BASIC, 10_000, { http: 2_500, browser: 7_000 }],
  ['basic in 10 s without a browser', ['http'], 10_000, { http: 9_500 }],
  ['basic in 120 s', BASIC, 120_000, { http: 10_000, browser: 107_300 }],
  ['auto in 10 s', AUTO, 10_000, { http: 2_500, browser: 7_000 }],
  ['auto in 25 s', AUTO, 25_000, { http: 6_250, browser: 10_000, proxy: 7_950 }],
  ['auto in 25.2 s', AUTO, 25_200, { http: 6_300, browser: 10_080, proxy_browser: 8_016 }],
  ['auto in 30 s', AUTO, 30_000, { http: 7_500, browser: 12_000, proxy_browser: 9_600 }],
  ['auto in 60 s', AUTO, 60_000, { http: 10_000, browser: 24_000, proxy: 9_500, proxy_browser: 15_000 }],
  ['auto in 120 s', AUTO, 120_000, { http: 10_000, browser: 25_000, proxy: 20_000, proxy_browser: 62_300 }],
  ['stealth in 30 s', ['proxy_browser'], 30_000, { proxy_browser: 29_100 }],
];

for (const [title, tiers, timeoutMs, expected] of CASES) {
  test(`${title} is divided among the tiers as planned`, () => assert.deepEqual(slices(tiers, timeoutMs), expected));
}

test('unused time of a tier is passed to the next', () => {
  const slice = computeSliceMs('proxy_browser', {
    timeoutMs: 30_000,
    elapsedMs: 2_000,
    later: [],
    isFirst: false,
    waitMs: 0,
  });
  assert.equal(slice, 27_100);
});

test('the first tier starts even if no time is left', () => {
  assert.equal(computeSliceMs('http', { timeoutMs: 1_000, elapsedMs: 5_000, later: [], isFirst: true, waitMs: 0 }), 1);
  assert.equal(
    computeSliceMs('browser', { timeoutMs: 1_000, elapsedMs: 5_000, later: [], isFirst: false, waitMs: 0 }),
    null,
  );
});

test('a requested wait is added to the time share of a browser and to its minimum', () => {
  const moment = { timeoutMs: 60_000, elapsedMs: 0, isFirst: true, waitMs: 6_000 };
  assert.equal(computeSliceMs('browser', { ...moment, later: ['proxy_browser'] }), 30_000);
  assert.equal(computeSliceMs('http', { ...moment, later: ['browser'] }), 10_000);
  assert.equal(computeSliceMs('browser', { ...moment, elapsedMs: 50_000, isFirst: false, later: [] }), null);
});

test('a requested wait leaves at least four seconds for the browser', () => {
  assert.equal(hasTimeForWait(10_000, 5_500), true);
  assert.equal(hasTimeForWait(10_000, 5_501), false);
  assert.equal(hasTimeForWait(1_000, 0), true);
});
