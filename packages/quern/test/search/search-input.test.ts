import assert from 'node:assert/strict';
import { test } from 'node:test';
import { truncateForEngine, parseEngineDomain, parseLanguage } from '#features/search/search-input.ts';
import { getOperation } from '../support/engine/queue.ts';
import { withGate } from '../engine/gate.ts';

test('a language is parsed from a tag, a locale, a three-letter code or a name', () => {
  for (const [given, tag] of [
    ['de', 'de'],
    ['DE', 'de'],
    ['en_US', 'en-US'],
    ['pt_BR.UTF-8', 'pt-BR'],
    ['en-US@posix', 'en-US'],
    ['ger', 'de'],
    ['iw', 'he'],
    ['english', 'en'],
    ['Deutsch', 'de'],
    ['français', 'fr'],
    ['日本語', 'ja'],
    ['Portuguese (Brazil)', 'pt'],
    ['Simplified Chinese', 'zh-Hans'],
  ] as const)
    assert.deepEqual(parseLanguage(given, 'language'), { tag, warnings: [] }, given);
  for (const given of ['klingon', 'xx', 'C', '..', 'en-US-US', '('.repeat(10_000)]) {
    const { tag, warnings } = parseLanguage(given, 'locale');
    assert.deepEqual([tag, warnings.map(({ code }) => code)], [null, ['input_adjusted']], given.slice(0, 20));
    assert.match(warnings[0]?.message ?? '', /^locale: .* is not a known language/);
  }
});

test('the domain of an engine is parsed from a host or URL', () => {
  for (const [given, domain] of [
    ['google.com', 'com'],
    ['www.google.co.uk', 'co.uk'],
    ['https://google.de/', 'de'],
    ['.fr', 'fr'],
    ['COM.BR', 'com.br'],
  ] as const)
    assert.equal(parseEngineDomain(given), domain, given);
});

test('a long query is truncated at a word boundary and never inside a character', () => {
  assert.equal(truncateForEngine('x'.repeat(2000)), 'x'.repeat(2000));
  assert.equal(truncateForEngine(`${'word '.repeat(399)}long-words and more`), 'word '.repeat(399).trimEnd());
  assert.equal(truncateForEngine(`${'a'.repeat(1999)}😀`), 'a'.repeat(1999));
  assert.equal(truncateForEngine('é'.repeat(2001)), 'é'.repeat(666));
  assert.equal(truncateForEngine('風'.repeat(2001)), '風'.repeat(444));
  assert.equal(truncateForEngine(`${'風'.repeat(443)}aa😀`), `${'風'.repeat(443)}aa`);
  assert.equal(truncateForEngine('%&'.repeat(1000)), '%&'.repeat(666) + '%');
});

test('a prompt may have 8,000 characters of any script', async () => {
  await withGate({}, async (gate) => {
    for (const id of ['answerengine.prompt', 'assistant.prompt', 'chatassistant.prompt'])
      for (const character of ['a', '風', '😀']) {
        const most = await gate.ask(getOperation(id), { prompt: character.repeat(8000) });
        assert.notEqual(most.code, 'invalid_request', `${id} ${character}`);
        const more = await gate.ask(getOperation(id), { prompt: character.repeat(8001) });
        assert.equal(more.error?.message, 'prompt: must have at most 8000 characters');
      }
  });
});
