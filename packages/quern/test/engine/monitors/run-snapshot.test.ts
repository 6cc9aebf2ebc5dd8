import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRunSnapshot } from '#features/monitors/compare/run-snapshot.ts';

test('a run stores the beginning of values that are too large, and marks them', () => {
  const offer = { name: 'Rye', text: 'a'.repeat(50_000) };
  const text = '🌾'.repeat(50_000);
  const values = { price: 5, offer, text, list: [1, offer] };
  const observation = { values, field_meta: { price: { source: 'extract' as const } }, content: null };
  const seen = buildRunSnapshot({
    observation,
    body: {},
    warnings: [],
    isFirst: true,
    isReset: false,
    isRebased: false,
    facts: {},
  });
  const { price, offer: kept, text: beginning, list } = seen.values;
  assert.equal(price, 5);
  assert.ok(typeof kept === 'object' && kept !== null && 'name' in kept && kept.name === 'Rye');
  assert.ok(typeof beginning === 'string' && beginning.length > 5000 && beginning.isWellFormed());
  assert.deepEqual(list, [1]);
  assert.deepEqual(
    Object.values(seen.field_meta).map(({ truncated }) => truncated),
    [undefined, true, true, true],
  );
  assert.ok(JSON.stringify(seen.values).length <= 4 * 32 * 1024);
});
