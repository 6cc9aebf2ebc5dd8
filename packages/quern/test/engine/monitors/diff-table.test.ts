import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diff } from '#features/monitors/compare/diff.ts';
import { observeFields } from '#features/monitors/compare/observation.ts';
import { Watch } from '#features/monitors/compare/watch.ts';
import { changes, follow, shapes } from '../../support/engine/following.ts';

type Row = {
  readonly name: string;
  readonly type: string;
  readonly watch?: unknown;
  readonly values: readonly unknown[];
  /** The expected entries of each run after the first; null for none. Only the listed members are compared. */
  readonly expected: readonly (readonly Readonly<Record<string, unknown>>[] | null)[];
};

const PCT_5 = { thresholds: { x: { pct: 5 } } };
const EUR = (amount: number) => ({ amount, currency: 'EUR' });
const USD = (amount: number) => ({ amount, currency: 'USD' });

const ROWS: readonly Row[] = [
  {
    name: 'a number without threshold',
    type: 'number',
    values: [0.3, 0.1 + 0.2, 0.1 + 0.2, 2],
    expected: [[{ op: 'modified' }], null, [{ previous_value: 0.1 + 0.2, new_value: 2 }]],
  },
  {
    name: 'pct is inclusive',
    type: 'number',
    watch: PCT_5,
    values: [100, 105],
    expected: [[{ diff: { abs: 5, pct: 5 } }]],
  },
  { name: 'pct not reached', type: 'number', watch: PCT_5, values: [100, 104.99, 95.01], expected: [null, null] },
  {
    name: 'exact decimals at the threshold',
    type: 'number',
    watch: { thresholds: { abs: 0.2 } },
    values: [0.1, 0.3, 0.1, 0.29],
    expected: [[{ diff: { abs: 0.2, pct: 200 } }], [{ new_value: 0.1 }], null],
  },
  {
    name: 'abs or pct, whichever is reached first',
    type: 'number',
    watch: { thresholds: { x: { abs: 10, pct: 50 } } },
    values: [10, 15, 25, 30],
    expected: [[{ new_value: 15 }], [{ new_value: 25 }], null],
  },
  {
    name: 'from 0 any difference reaches pct',
    type: 'number',
    watch: PCT_5,
    values: [0, 0, 0.01],
    expected: [null, [{ diff: { abs: 0.01, pct: null } }]],
  },
  {
    name: 'a negative number, pct over its size',
    type: 'number',
    watch: PCT_5,
    values: [-100, -104, -105],
    expected: [null, [{ diff: { abs: 5, pct: 5 } }]],
  },
  {
    name: 'threshold 0 is any difference',
    type: 'number',
    watch: { thresholds: { x: { pct: 0 } } },
    values: [5, 5, 5.0001],
    expected: [null, [{ op: 'modified' }]],
  },
  {
    name: 'a price is a number with its currency beside it',
    type: 'money',
    values: [EUR(10), EUR(12)],
    expected: [[{ field: 'x', previous_value: 10, new_value: 12, currency: 'EUR', diff: { abs: 2, pct: 20 } }]],
  },
  {
    name: 'currency differs',
    type: 'money',
    watch: { thresholds: { x: { abs: 1000 } } },
    values: [EUR(10), USD(10)],
    expected: [
      [
        { field: 'x', previous_value: 10, new_value: 10, op: 'modified', diff: undefined },
        { field: 'x.currency', previous_value: 'EUR', new_value: 'USD' },
      ],
    ],
  },
  {
    name: 'a currency that the page leaves out once',
    type: 'money',
    values: [EUR(10), { amount: 10, currency: null }, USD(10)],
    expected: [null, [{ field: 'x' }, { field: 'x.currency', previous_value: 'EUR' }]],
  },
  {
    name: 'null to value',
    type: 'number',
    values: [null, 5, 5],
    expected: [null, [{ op: 'appeared', previous_value: null, new_value: 5 }]],
  },
  {
    name: 'null to values that differ',
    type: 'number',
    values: [null, 5, 6],
    expected: [null, [{ op: 'appeared', new_value: 6 }]],
  },
  {
    name: 'value to null',
    type: 'number',
    watch: PCT_5,
    values: [5, null, null, null],
    expected: [null, [{ op: 'disappeared', previous_value: 5, new_value: null }], null],
  },
  {
    name: 'value to null under null_policy change',
    type: 'number',
    watch: { null_policy: 'change' },
    values: [5, null],
    expected: [[{ op: 'disappeared' }]],
  },
  {
    name: 'null under null_policy ignore',
    type: 'number',
    watch: { null_policy: 'ignore' },
    values: [5, null, null, 6],
    expected: [null, null, [{ previous_value: 5, new_value: 6 }]],
  },
  { name: 'null to null', type: 'string', values: [null, null, null], expected: [null, null] },
  {
    name: 'null flap',
    type: 'number',
    values: [5, null, 5, null, 5, 6],
    expected: [null, null, null, null, [{ previous_value: 5 }]],
  },
  {
    name: 'type mismatch',
    type: 'number',
    values: [5, 'ask us', 'ask us', {}, 5, 6],
    expected: [null, null, null, null, [{ previous_value: 5 }]],
  },
  {
    name: 'string',
    type: 'string',
    watch: { ignore_patterns: [String.raw`\d+ people are looking`] },
    values: ['Caf\u00e9\u00a0 au\r\n lait', ' Cafe\u0301 au lait 12 people are looking', 'Café au Lait'],
    expected: [null, [{ op: 'modified', new_value: 'Café au Lait' }]],
  },
  {
    name: 'boolean',
    type: 'boolean',
    values: [true, 'In stock', 'Sold out'],
    expected: [null, [{ previous_value: true, new_value: false }]],
  },
  {
    name: 'datetime',
    type: 'datetime',
    values: ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00+01:00', '2026-11-21T10:00:01Z'],
    expected: [null, [{ op: 'modified' }]],
  },
  {
    name: 'date-only',
    type: 'date',
    values: ['2026-11-21', '2026-11-21', '2026-11-22'],
    expected: [null, [{ op: 'modified' }]],
  },
  {
    name: 'url',
    type: 'url',
    values: [
      'https://A.example/p?id=1',
      'https://a.example:443/p?utm_source=x&id=1&gclid=2&fbclid=3#top',
      'https://a.example/p?id=2',
    ],
    expected: [null, [{ op: 'modified' }]],
  },
  {
    name: 'set array',
    type: 'string[]',
    values: [
      ['a', 'b'],
      ['b', 'a', 'a'],
      ['b', 'c'],
    ],
    expected: [null, [{ op: 'modified', previous_value: { removed: ['a'] }, new_value: { added: ['c'] } }]],
  },
  {
    name: 'list array, an element in place of another',
    type: 'string[]',
    watch: { array_fields: { x: { compare: 'list' } } },
    values: [
      ['a', 'b', 'c'],
      ['a', 'x', 'c', 'd'],
    ],
    expected: [
      [
        { field: 'x[1]', op: 'modified', previous_value: 'b', new_value: 'x' },
        { field: 'x[3]', op: 'added', new_value: 'd' },
      ],
    ],
  },
  {
    name: 'list array, a move',
    type: 'string[]',
    watch: { array_fields: { x: { compare: 'list' } } },
    values: [
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
      ['c', 'a'],
    ],
    expected: [
      [
        {
          field: 'x[0]',
          op: 'reordered',
          previous_value: { index: 2, value: 'c' },
          new_value: { index: 0, value: 'c' },
        },
      ],
      [{ field: 'x[2]', op: 'removed', previous_value: 'b' }],
    ],
  },
  {
    name: 'a list that nothing is found for is missing, as null is',
    type: 'string[]',
    values: [['a'], [], null, []],
    expected: [null, [{ op: 'disappeared', previous_value: ['a'] }], null],
  },
  {
    name: 'null to empty array',
    type: 'string[]',
    values: [null, [], []],
    expected: [null, null],
  },
  {
    name: 'drift under last_change',
    type: 'number',
    watch: PCT_5,
    values: [100, 103, 106],
    expected: [null, [{ previous_value: 100, new_value: 106 }]],
  },
  {
    name: 'drift under previous_run',
    type: 'number',
    watch: { ...PCT_5, baseline: 'previous_run' },
    values: [100, 103, 106, 112],
    expected: [null, null, [{ previous_value: 106 }]],
  },
  { name: 'A→B→A', type: 'string', values: ['A', 'B', 'A'], expected: [[{ new_value: 'B' }], [{ new_value: 'A' }]] },
  {
    name: 'A→B→A with confirm_runs 2',
    type: 'string',
    watch: { confirm_runs: 2 },
    values: ['A', 'B', 'A', 'B', 'B'],
    expected: [null, null, null, [{ previous_value: 'A', new_value: 'B' }]],
  },
  {
    name: 'confirm_runs by the threshold',
    type: 'number',
    watch: { ...PCT_5, confirm_runs: 2 },
    values: [100, 106, 107],
    expected: [null, [{ previous_value: 100, new_value: 107 }]],
  },
  {
    name: 'confirm_runs 3 for null as well',
    type: 'number',
    watch: { confirm_runs: 3 },
    values: [1, null, null, null],
    expected: [null, null, [{ op: 'disappeared' }]],
  },
];

for (const { name, type, watch = {}, values, expected } of ROWS) {
  test(`comparison: ${name}`, () => {
    const reported = changes(type, watch, values);
    assert.equal(reported.length, expected.length);
    for (const [index, entries] of expected.entries()) {
      if (entries === null) assert.equal(reported[index], null, `run ${index + 2}`);
      else assertEntries(reported[index], entries);
    }
  });
}

const ITEMS = {
  items: { selector: 'li', many: true, key: 'sku', fields: { sku: 'string', price: 'money', stock: 'integer' } },
};
const item = (sku: string | null, price: number, stock = 1) => ({ sku, price: EUR(price), stock });

function rows(watch: unknown, runs: readonly unknown[]) {
  return follow(
    ITEMS,
    watch,
    runs.map((items) => ({ items })),
  ).slice(1);
}

test('each member of a keyed array is compared with its own baseline', () => {
  const watch = { thresholds: { 'items.price': { pct: 5 } } };
  const [first, second, third] = rows(watch, [
    [item('A', 100), item('B', 50)],
    [item('B', 50, 2), item('A', 103)],
    [item('B', 50, 2), item('A', 106)],
    [item('A', 106), item('B', 50, 2)],
  ]);
  assertEntries(first?.change?.changes, [{ field: 'items[key=B].stock', previous_value: 1, new_value: 2, key: 'B' }]);
  assertEntries(second?.change?.changes, [
    { field: 'items[key=A].price', previous_value: 100, new_value: 106, currency: 'EUR', key: 'A' },
  ]);
  assert.equal(third?.change, null);
});

test('an added or removed keyed item is reported with its whole record', () => {
  const [first] = rows({}, [
    [item('A', 1), item('B', 2)],
    [item('B', 2), item('C]', 3)],
  ]);
  assertEntries(first?.change?.changes, [
    { field: String.raw`items[key=C\]]`, op: 'added', previous_value: null, new_value: item('C]', 3), key: 'C]' },
    { field: 'items[key=A]', op: 'removed', previous_value: item('A', 1), new_value: null, key: 'A' },
  ]);
});

test('of duplicate keys, the last wins with a warning', () => {
  const [first] = rows({}, [[item('A', 1)], [item('A', 9), item('A', 1)]]);
  assert.equal(first?.change, null);
  assert.match(first?.warnings.join() ?? '', /items: several rows have the key A/);
});

test('rows without their key are compared by content', () => {
  const [same, other] = rows({}, [
    [item(null, 1), item('A', 2)],
    [item('A', 2), item(null, 1)],
    [item('A', 2), item(null, 3)],
  ]);
  assert.equal(same?.change, null);
  assert.deepEqual(
    other?.change?.changes.map(({ op }) => op),
    ['added', 'removed'],
  );
  assert.match(other?.change?.changes[0]?.field ?? '', /^items\[hash=[0-9a-f]{16}\]$/);
});

test('a keyed array can disappear and return, and an empty one is not missing', () => {
  const [gone, flap] = rows({}, [[item('A', 1)], null, [item('A', 1)]]);
  assert.equal(gone?.change, null);
  assert.equal(flap?.change, null);
  const [, second] = rows({}, [[item('A', 1)], [], null]);
  assertEntries(second?.change?.changes, [{ field: 'items', op: 'disappeared', previous_value: [item('A', 1)] }]);
  const [, there] = rows({}, [null, [item('A', 1)], [item('A', 1)]]);
  assertEntries(there?.change?.changes, [{ field: 'items', op: 'appeared', new_value: [item('A', 1)] }]);
});

test('a keyed array with a repeated key can disappear and return', () => {
  const repeated = [item('A', 1), item('A', 1), item('B', 2)];
  const differences = rows({}, [repeated, null, repeated, repeated]);
  assert.deepEqual(
    differences.map(({ change }) => change),
    [null, null, null],
  );
});

test('in the record of an operation, an empty list differs from a missing one', () => {
  const fields = shapes({ x: 'string[]' });
  const runs = [['a'], [], null, null].map((x) => observeFields({ x }, fields, 'record'));
  assert.deepEqual(
    runs.map(({ values }) => values['x']),
    [['a'], [], null, null],
  );
  const [first, emptied] = runs;
  if (first === undefined || emptied === undefined) throw new Error('no runs');
  const options = { watch: Watch.parse({}), shapes: fields, runId: 'run_1' };
  const { change } = diff(diff(null, first, options).baseline, emptied, options);
  assertEntries(change?.changes, [{ previous_value: { removed: ['a'] } }]);
});

test('rows without a key are a multiset', () => {
  const extract = { rows: { selector: 'li', many: true, fields: { name: 'string' } } };
  const [, same, second] = follow(extract, {}, [
    { rows: [{ name: 'a' }, { name: 'b' }, { name: 'b' }] },
    { rows: [{ name: 'b' }, { name: 'a' }, { name: ' b ' }] },
    { rows: [{ name: 'b' }, { name: 'c' }, { name: 'a' }] },
  ]);
  assert.equal(same?.change, null);
  assertEntries(second?.change?.changes, [
    { field: 'rows', op: 'removed', previous_value: { name: 'b' } },
    { field: 'rows', op: 'added', new_value: { name: 'c' } },
  ]);
});

test('confirm_runs applies to rows that appear and disappear', () => {
  const watch = { confirm_runs: 2 };
  const runs = rows(watch, [
    [item('A', 1)],
    [item('A', 1), item('B', 2)],
    [item('A', 1)],
    [item('B', 2)],
    [item('B', 2)],
  ]);
  assert.deepEqual(
    runs.slice(0, 3).map(({ change }) => change),
    [null, null, null],
  );
  assertEntries(runs[3]?.change?.changes, [
    { field: 'items[key=B]', op: 'added' },
    { field: 'items[key=A]', op: 'removed' },
  ]);
});

test('on: all waits until every watched field has changed, and loses none', () => {
  const extract = { a: 'number', b: 'number' };
  const [, first, second, third] = follow(extract, { on: 'all' }, [
    { a: 1, b: 1 },
    { a: 2, b: 1 },
    { a: 2, b: 3 },
    { a: 2, b: 4 },
  ]);
  assert.equal(first?.change, null);
  assertEntries(second?.change?.changes, [
    { field: 'a', previous_value: 1, new_value: 2 },
    { field: 'b', previous_value: 1, new_value: 3 },
  ]);
  assert.equal(third?.change, null);
});

test('the first run reports nothing unless requested', () => {
  assert.equal(follow({ x: 'money' }, {}, [{ x: EUR(3) }])[0]?.change, null);
  const [first, second] = follow({ x: 'money', y: 'string' }, { notify_on_first_run: true }, [
    { x: EUR(3), y: null },
    { x: EUR(4), y: null },
  ]);
  assert.equal(first?.change?.kind, 'first_run');
  assertEntries(first?.change?.changes, [{ field: 'x', previous_value: null, new_value: 3, currency: 'EUR' }]);
  assert.equal(second?.change?.kind, 'fields');
  assert.equal(second?.change?.baseline_run_id, 'run_0');
});

test('only watched fields are compared, and a newly watched field starts at its current value', () => {
  const extract = { a: 'number', offer: { fields: { price: 'number', note: 'string' } } };
  const runs = [
    { a: 1, offer: { price: 1, note: 'x' } },
    { a: 2, offer: { price: 2, note: 'x' } },
  ];
  const [, second] = follow(extract, { fields: ['offer'] }, runs);
  assertEntries(second?.change?.changes, [{ field: 'offer.price' }]);
});

function assertEntries(actual: unknown, expected: readonly Readonly<Record<string, unknown>>[]): void {
  assert.ok(Array.isArray(actual), `expected entries, got ${JSON.stringify(actual)}`);
  assert.equal(actual.length, expected.length, JSON.stringify(actual));
  for (const [index, entry] of expected.entries()) {
    const found: unknown = actual[index];
    for (const [name, value] of Object.entries(entry)) {
      assert.deepEqual(Object(found)[name], value, `${name} of ${JSON.stringify(found)}`);
    }
  }
}
