import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSentenceEnd, createTally, countText } from '#extract/content/features/text-counts.ts';
import { buildVocabulary } from '#extract/content/features/vocabulary.ts';

test('Chinese and Japanese commas and full stops count as such, not as letters', () => {
  const source = '今日は、\u3000晴れです。」';
  const tally = createTally();
  countText(tally, buildVocabulary(new Map()), { source, start: 0, end: source.length });
  const { words, characters, commas, stops } = tally;
  assert.deepEqual({ words, characters, commas, stops }, { words: 3.5, characters: 7, commas: 1, stops: 1 });
  assert.equal(isSentenceEnd(tally), true);
});
