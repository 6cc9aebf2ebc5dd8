import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripMarkdown } from '#features/search/index/page-text.ts';
import { buildSnippet } from '#features/search/backend/own-index.ts';

const PLAIN: readonly (readonly [string, string])[] = [
  ['A **bold** word, an *other*_one_.', 'A bold word, an otherone.'],
  ['Names such as `leak_check` and pthread_create stay.', 'Names such as leak_check and pthread_create stay.'],
  ['`char *p = a[0]` is code.', 'char *p = a[0] is code.'],
  ['See [the `cif` call](https://x.example/a_b), ![sails](s.png).', 'See the cif call, sails.'],
  ['# Title\n\n- one\n- two\n\n> said', 'Title\n\none\ntwo\n\nsaid'],
  ['| a | b |\n|---|---|\n| c<br>d | e |', '  a   b  \n\n  c d   e  '],
  ['```c\nint *x = y_z;\n```\nafter', 'int *x = y_z;\nafter'],
  ['2 \\* 3 \\_ 4 \\<b\\> 5 * 6', '2 * 3 _ 4 <b> 5 * 6'],
  ['An open ` sign and ``` another', 'An open ` sign and ``` another'],
  ['a\0b', 'ab'],
];

test('Markdown is converted to plain text with code unchanged', () => {
  for (const [markdown, text] of PLAIN) assert.equal(stripMarkdown(markdown), text, markdown);
});

test('Markdown with many special characters is processed in linear time', () => {
  for (const sign of ['`', '*', '_', '[', '![', '<a', '\\', '```\n', '| ']) {
    assert.ok(stripMarkdown(sign.repeat(100_000 / sign.length)).length <= 100_000);
  }
});

test('a passage begins at a sentence, and a heading is separated from what follows', () => {
  const body = `${'Mills stand by rivers. '.repeat(30)}\n\nHow it turns\n\nThe tail turns the sails into the wind.`;
  const passage = buildSnippet({ body, description: '' }, ['tail', 'sails', 'turns']);
  assert.match(passage, /How it turns · The tail turns the sails into the wind\.$/);
  assert.equal(buildSnippet({ body: '', description: 'Said of itself' }, ['x']), 'Said of itself');
  // A word is shown as it is written, whole and with its accents.
  const cafe = `${'A mill stands by the river. '.repeat(30)}\n\nThe cafeteria is closed. The Café opens at nine.`;
  assert.match(buildSnippet({ body: cafe, description: '' }, ['cafe']), /The Café opens at nine\.$/);
  assert.match(buildSnippet({ body: cafe, description: '' }, ['closed', 'cafeteria']), /^The cafeteria is closed/);
});
