import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './pages.ts';

for (const [where, html] of [
  ['without paragraphs', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
  [
    'that Sphinx calls simple',
    '<ul class="simple"><li><p>a</p></li><li><p>b</p><ul class="simple"><li><p>c</p></li></ul></li></ul>',
  ],
  [
    'of AsciiDoc, which has a paragraph in each item',
    '<div class="ulist"><ul><li><p>a</p></li><li><p>b</p><div class="ulist"><ul><li><p>c</p></li></ul></div></li></ul></div>',
  ],
  [
    'of DocBook',
    '<div class="itemizedlist"><ul><li><p>a</p></li><li><p class="simpara">b</p><div class="itemizedlist"><ul><li><p>c</p></li></ul></div></li></ul></div>',
  ],
] as const) {
  test(`a list ${where} is tight if its items have one line`, () => {
    assert.equal(renderMarkdown(html), '- a\n- b\n  - c');
  });
}

test('a list is loose if its items contain paragraphs, or one contains two', () => {
  assert.equal(renderMarkdown('<ul><li><p>a</p></li><li><p>b</p></li></ul>'), '- a\n\n- b');
  const two = '<div class="ulist"><ul><li><p>a</p><p>a again</p></li><li><p>b</p></li></ul></div>';
  assert.equal(renderMarkdown(two), '- a\n\n  a again\n\n- b');
});
