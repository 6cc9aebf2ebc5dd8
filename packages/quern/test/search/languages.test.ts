import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectLanguage, detectLanguages } from '#features/passages/languages.ts';

const SAID: readonly (readonly [text: string, language: string | null])[] = [
  ['What is a windmill?', 'en'],
  ['How do I dress the stones?', 'en'],
  ['Was ist eine Mühle?', 'de'],
  ['Wie richte ich einen Mühlstein ein?', 'de'],
  ["Qu'est-ce qu'un moulin ?", 'fr'],
  ['Comment régler les ailes ?', 'fr'],
  ['¿Qué es un molino?', 'es'],
  ["Che cos'è un mulino?", 'it'],
  ['O que é um moinho?', 'pt'],
  ['Wat is een molen?', 'nl'],
  ['Co to jest młyn?', 'pl'],
  ['Vad är en kvarn?', 'sv'],
  ['Mikä on mylly?', 'fi'],
  ['Değirmen nedir ve ne için kullanılır?', 'tr'],
  ['Что такое мельница?', 'ru'],
  ['Що таке млин і як він працює?', 'uk'],
  ['風車とは何ですか', 'ja'],
  ['什么是风车', 'zh'],
  ['풍차란 무엇입니까?', 'ko'],
  ['ما هي الطاحونة؟', 'ar'],
  ['กังหันลมคืออะไร', 'th'],
  // Names, and words that exist in several languages, are no evidence.
  ['LVM', null],
  ['dark rye flour', null],
  ['', null],
  ['1780 – 1790', null],
  // Links to other languages do not change the language of a page.
  ['Languages: Deutsch | 日本語 | 한국어. The mill stands by the river, and it has four sails of canvas.', 'en'],
];

test('the language of a question is detected by script or function words, without guessing', () => {
  for (const [text, language] of SAID) assert.equal(detectLanguage(text), language, text);
});

test('all languages that match a text equally well are returned', () => {
  assert.deepEqual(detectLanguages('ветряк').toSorted(), ['bg', 'ru', 'uk']);
  assert.ok(detectLanguages('Is SQLite threadsafe?').includes('en'));
  assert.deepEqual(detectLanguages('ZIP'), []);
});
