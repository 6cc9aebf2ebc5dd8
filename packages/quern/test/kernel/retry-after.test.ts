import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfterMs } from '#extract/values/retry-after.ts';

const SENT = Date.parse('2026-11-22T12:00:00Z');

test('Retry-After is parsed as seconds, or as a date by the clock of the sender', () => {
  for (const [header, ms] of [
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 22 Nov 2026 12:00:30 GMT', 30_000],
    ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [null, null],
    [undefined, null],
  ] as const)
    assert.equal(parseRetryAfterMs(header, SENT), ms, String(header));
});

test('a Retry-After date is ignored if the clock of the sender is unknown', () => {
  assert.equal(parseRetryAfterMs('Sun, 22 Nov 2026 12:00:30 GMT', Number.NaN), null);
  assert.equal(parseRetryAfterMs('5', Number.NaN), 5_000);
});
