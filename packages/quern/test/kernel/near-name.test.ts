import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findQuernNames, findSimilarName } from '#kernel/similar-names.ts';

const MEMBERS = ['url', 'output', 'cookies', 'only_main_content', 'timeout_ms', 'wait_for_selector', 'wait_ms'];

test('a misspelled name is matched to the known one, with any word separator', () => {
  for (const [given, meant] of [
    ['ulr', 'url'],
    ['ouput', 'output'],
    ['onlyMainContent', 'only_main_content'],
    ['timeout', 'timeout_ms'],
    ['selector', 'wait_for_selector'],
  ] as const)
    assert.equal(findSimilarName(given, MEMBERS), meant);
});

test('a name that resembles no known name has no match', () => {
  for (const given of ['formats', 'zebra', '', '__proto__', 'x'.repeat(100_000)])
    assert.equal(findSimilarName(given, MEMBERS), null, given.slice(0, 20));
  assert.equal(findSimilarName('a', []), null);
});

test('option names of other services map to the known options of Quern', () => {
  assert.deepEqual(findQuernNames('formats', MEMBERS), ['output']);
  assert.deepEqual(findQuernNames('waitFor', MEMBERS), ['wait_for_selector', 'wait_ms']);
  assert.deepEqual(findQuernNames('wait-for', MEMBERS), ['wait_for_selector', 'wait_ms']);
  assert.deepEqual(findQuernNames('formats', ['url']), []);
  for (const given of ['constructor', '__proto__', 'zebra', '']) assert.deepEqual(findQuernNames(given, MEMBERS), []);
});
