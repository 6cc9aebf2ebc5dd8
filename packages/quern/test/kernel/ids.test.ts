import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeBillingCycle, computeNextDay, toDay, toMonth } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';

test('an id is its prefix and 26 characters of Crockford base32, ordered by time', () => {
  const ids = [0, 1, 1_700_000_000_000, 1_700_000_000_001, 2 ** 47].map((now) => newId('req', now));
  for (const id of ids) assert.match(id, /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  assert.deepEqual(
    ids.toSorted((a, b) => (a < b ? -1 : 1)),
    ids,
  );
});

test('an id contains the timestamp, version and variant of a UUIDv7', () => {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const text = newId('ten', 1_763_757_296_000).slice(4);
  const value = Array.from(text).reduce((sum, letter) => sum * 32n + BigInt(alphabet.indexOf(letter)), 0n);
  const hex = value.toString(16).padStart(32, '0');
  assert.equal(Number.parseInt(hex.slice(0, 12), 16), 1_763_757_296_000);
  assert.equal(hex[12], '7');
  assert.match(hex[16] ?? '', /[89ab]/);
});

test('months and days are in UTC', () => {
  const now = Date.parse('2026-12-31T23:59:59Z');
  assert.deepEqual([toMonth(now), toDay(now)], ['2026-12', '2026-12-31']);
  assert.equal(computeNextDay(now), Date.parse('2027-01-01T00:00:00Z'));
  assert.deepEqual(computeBillingCycle(now), {
    start: Date.parse('2026-12-01T00:00:00Z'),
    end: Date.parse('2027-01-01T00:00:00Z'),
  });
});
