import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { createTokenCounter } from '#extract/chunks/tokens.ts';

const LIBRARY = { o200k_base: countO200k, cl100k_base: countCl100k } as const;
const asText = { disallowedSpecial: new Set<string>() };

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...Array.from('aZé9 水\n\t\r/.\'s"-😀|')), maxLength: 60 }),
  fc.constantFrom("it's OK<|endoftext|>", '\ud800 alone', 'a'.repeat(64), ' '.repeat(60), '//\n//\n\n /\n'),
);

suite('counts of tokens', { concurrency: true }, () => {
  for (const name of ['o200k_base', 'cl100k_base'] as const) {
    test(`counts of ${name} are those of the library`, () => {
      const count = createTokenCounter(name);
      fc.assert(
        fc.property(texts, (text) => assert.equal(count(text), LIBRARY[name](text, asText), JSON.stringify(text))),
        { numRuns: 1000 },
      );
    });
  }

  test('a megabyte without spaces is counted in linear time', () => {
    const count = createTokenCounter('o200k_base');
    for (const text of ['a', 'A', ' ', '=', '水', '😀', 'a1', '\n', '\u0301'].map((unit) =>
      unit.repeat(1_000_000 / unit.length),
    )) {
      const before = process.threadCpuUsage();
      assert.ok(count(text) > 1000);
      const { user, system } = process.threadCpuUsage(before);
      assert.ok(user + system < 4_000_000, `${text.slice(0, 2)}: ${(user + system) / 1000} ms`);
    }
  });
});
