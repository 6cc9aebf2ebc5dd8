import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repairLanguage } from '#console/parts/chart.ts';

const LANGUAGES = [
  ['en-US@posix', 'en-US'],
  ['de_DE@euro', 'de-DE'],
  ['en_US.UTF-8@posix', 'en-US'],
  ['C', 'en-US'],
  ['', 'en-US'],
  ['pt-BR', 'pt-BR'],
] as const;

test('an invalid browser language is replaced by the closest valid language tag', () => {
  for (const [language, tag] of LANGUAGES) {
    const navigator = { language };
    repairLanguage(navigator);
    assert.equal(navigator.language, tag);
    assert.doesNotThrow(() => new Intl.NumberFormat(navigator.language));
  }
});
