import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Baseline } from '#features/monitors/compare/baseline.ts';
import { reachesThreshold } from '#features/monitors/compare/decimals.ts';
import { diff } from '#features/monitors/compare/diff.ts';
import { observeFields } from '#features/monitors/compare/observation.ts';
import { Watch } from '#features/monitors/compare/watch.ts';
import { changes, follow, shapes } from '../../support/engine/following.ts';

const ALL_TYPES = {
  s: 'string',
  n: 'number',
  b: 'boolean',
  m: 'money',
  d: 'date',
  u: 'url',
  set: 'string[]',
  list: 'string[]',
  keyed: {
    selector: 'a',
    many: true,
    key: 'k',
    fields: { k: 'string', v: 'number', inner: { fields: { w: 'string' } } },
  },
  rows: { selector: 'a', many: true, fields: { k: 'string', p: 'money' } },
};
const WATCHES = fc.record({
  on: fc.constantFrom('any', 'all'),
  baseline: fc.constantFrom('last_change', 'previous_run'),
  null_policy: fc.constantFrom('confirm', 'change', 'ignore'),
  confirm_runs: fc.integer({ min: 1, max: 3 }),
  notify_on_first_run: fc.boolean(),
  thresholds: fc.constantFrom({ pct: 5 }, { abs: 0 }, { n: { abs: 2 }, 'keyed.v': { pct: 10 } }),
  array_fields: fc.constant({ list: { compare: 'list' } }),
});
const amount = fc.double({ noNaN: true, noDefaultInfinity: true });
const price = fc.record({ amount, currency: fc.constantFrom('EUR', 'USD', null) });
const row = fc.record({
  k: fc.constantFrom('a', 'b', '__proto__', '', null),
  v: amount,
  inner: fc.record({ w: fc.string() }),
  p: price,
});
const rows = fc.array(row, { maxLength: 4 });
const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 });
const observed = fc.record(
  {
    s: fc.string(),
    n: amount,
    b: fc.boolean(),
    m: price,
    u: fc.webUrl(),
    d: fc.constantFrom('2026-11-21', '2026-11-22'),
    set: words,
    list: words,
    keyed: rows,
    rows,
  },
  { requiredKeys: [] },
);
const anything = fc.record(
  Object.fromEntries(Object.keys(ALL_TYPES).map((name) => [name, fc.jsonValue({ maxDepth: 4 })])),
);
const step = fc.oneof(
  observed,
  anything,
  observed.map((one) => ({ ...one, s: null, keyed: null })),
);

test('any JSON can be observed and compared, and the baseline survives serialization', () => {
  fc.assert(
    fc.property(WATCHES, fc.array(step, { minLength: 1, maxLength: 5 }), (watch, runs) => {
      for (const { change } of follow(ALL_TYPES, watch, runs)) {
        assert.ok(change === null || Buffer.byteLength(JSON.stringify(change.changes)) <= 64 * 1024);
      }
    }),
    { numRuns: 150 },
  );
});

test('unchanged values are never reported', () => {
  fc.assert(
    fc.property(WATCHES, step, (watch, one) => {
      const quiet = { ...watch, notify_on_first_run: false };
      assert.deepEqual(
        follow(ALL_TYPES, quiet, [one, one, one, one]).map(({ change }) => change),
        [null, null, null, null],
      );
    }),
    { numRuns: 100 },
  );
});

test('a number is reported exactly when it differs from the last reported one by the threshold', () => {
  const threshold = fc.record(
    { abs: fc.integer({ min: 0, max: 20 }), pct: fc.integer({ min: 0, max: 50 }) },
    { requiredKeys: ['pct'] },
  );
  const steps = fc.array(
    fc.integer({ min: -300, max: 300 }).map((cents) => cents / 100),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(threshold, fc.integer({ min: -50, max: 50 }), steps, (thresholds, start, moves) => {
      const values = moves.reduce((path, move) => [...path, Number(((path.at(-1) ?? 0) + move).toFixed(2))], [start]);
      let told = start;
      const expected = values.slice(1).map((value) => {
        if (!reachesThreshold(told, value, thresholds)) return null;
        const entry = [told, value];
        told = value;
        return entry;
      });
      const reported = changes('number', { thresholds }, values).map((entries) =>
        Array.isArray(entries) ? [entries[0].previous_value, entries[0].new_value] : null,
      );
      assert.deepEqual(reported, expected);
    }),
    { numRuns: 100 },
  );
});

test('a threshold is exact despite floating-point errors', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e9 }),
      fc.integer({ min: 0, max: 1e6 }),
      fc.integer({ min: 0, max: 4 }),
      (a, d, digits) => {
        const unit = 10 ** digits;
        const [from, to] = [a / unit, (a + d) / unit];
        assert.equal(reachesThreshold(from, to, { abs: d / unit }), d > 0);
        assert.equal(reachesThreshold(from, to, { abs: (d + 1) / unit }), false);
        assert.equal(reachesThreshold(to, from, { abs: d / unit }), d > 0);
      },
    ),
  );
});

test('the order of a set and of keyed rows does not matter', () => {
  const shuffled = rows.chain((one) => fc.tuple(fc.constant(one), fc.shuffledSubarray(one, { minLength: one.length })));
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), shuffled, (set, [first, second]) => {
      const one = { set, keyed: unique(first) };
      const other = { set: set.toReversed(), keyed: unique(first).toReversed() };
      assert.equal(follow(ALL_TYPES, {}, [one, other])[1]?.change, null);
      assert.equal(follow(ALL_TYPES, {}, [{ rows: first }, { rows: second }])[1]?.change, null);
    }),
    { numRuns: 100 },
  );
});

test('A→B→A is two changes, and no change if B is not confirmed', () => {
  fc.assert(
    fc.property(observed, observed, (one, other) => {
      const both = { ...ALL_DEFAULTS, ...one };
      const [, forth, back] = follow(ALL_TYPES, {}, [both, { ...both, ...other }, both]);
      assert.equal(forth?.change === null, back?.change === null);
      const confirmed = follow(ALL_TYPES, { confirm_runs: 2 }, [both, { ...both, ...other }, both, both]);
      assert.deepEqual(
        confirmed.map(({ change }) => change),
        [null, null, null, null],
      );
    }),
    { numRuns: 100 },
  );
});

test('large values are stored as digests within limits, and still compared', () => {
  const text = 'lorem ipsum '.repeat(100_000);
  const page = (mark: number) => ({
    s: `${text}${mark}`,
    set: Array.from({ length: 5000 }, (_, index) => `${'y'.repeat(100)}${index * mark}`),
    keyed: many(20_000, mark),
  });
  const [, same, other] = follow(ALL_TYPES, {}, [page(1), page(1), page(2)]);
  assert.equal(same?.change, null);
  assert.deepEqual(
    other?.change?.changes.map(({ field }) => field),
    ['s', 'set', 'keyed'],
  );
  assert.equal(other?.change?.truncated, true);
  for (const { baseline } of [same, other].filter((one) => one !== undefined)) {
    assert.ok(JSON.stringify(baseline).length < 2.2 * 1024 * 1024);
  }
});

test('deeply nested JSON is truncated', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  const schema = { type: 'object', properties: { any: { type: 'array' } } };
  const fields = shapes(schema);
  const seen = observeFields({ json: { any: [deep] } }, fields, 'extract');
  const first = diff(null, seen, { watch: Watch.parse({}), shapes: fields, runId: 'run_1' });
  const known = Baseline.parse(JSON.parse(JSON.stringify(first.baseline)));
  assert.equal(diff(known, seen, { watch: Watch.parse({}), shapes: fields, runId: 'run_2' }).change, null);
});

function many(count: number, mark: number): readonly unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    k: `k${index}`,
    v: index + mark,
    inner: { w: 'x'.repeat(50) },
  }));
}

const ALL_DEFAULTS = {
  s: 's',
  n: 1,
  b: true,
  m: { amount: 1, currency: 'EUR' },
  u: 'https://a.example/',
  d: '2026-01-01',
  set: [],
  list: [],
  keyed: [],
  rows: [],
};

function unique(items: readonly { readonly k: string | null }[]): readonly unknown[] {
  return [...new Map(items.map((item) => [item.k, item])).values()];
}
