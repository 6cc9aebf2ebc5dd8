import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createFingerprintSet } from '#features/crawl/dedupe/known-keys.ts';

test('a set of fingerprints contains the added texts and no others', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 30 }), { maxLength: 3000 }), fc.nat(), (texts, cut) => {
      const known = texts.slice(0, cut % (texts.length + 1));
      const set = createFingerprintSet();
      for (const text of [...known, ...known]) set.add(text);
      assert.equal(set.size(), known.length);
      assert.deepEqual(
        texts.filter((text) => set.has(text)),
        known,
      );
    }),
    { numRuns: 50 },
  );
});

test('a part of a longer text can be looked up', () => {
  const set = createFingerprintSet();
  set.add('barley');
  assert.equal(set.has('rye barley oat', 4, 10), true);
  assert.equal(set.has('rye barley oat', 3, 10), false);
});

test('100,000 texts do not collide with 100,000 others', () => {
  const set = createFingerprintSet();
  for (let at = 0; at < 100_000; at += 1) set.add(`/page/${at}`);
  let others = 0;
  for (let at = 0; at < 100_000; at += 1) {
    assert.equal(set.has(`/page/${at}`), true);
    if (set.has(`/other/${at}`)) others += 1;
  }
  assert.equal(others, 0);
});
