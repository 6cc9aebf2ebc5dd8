import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown, renderPlainText } from './pages.ts';

test('a note that starts with its number is a footnote without a back link', () => {
  const marks = [
    '<span class="fn"><a href="#n1">1</a></span>',
    '<sup><a href="#n1">1</a></sup>',
    '<a href="#n1"><sup>1</sup></a>',
    '<a href="#n1">[1]</a>',
    '[<a href="#n1">1</a>]',
    '<a href="#n1" role="doc-noteref">1</a>',
    '<a href="page.html#n1">1</a>',
  ];
  const notes = [
    '<p id=n1>1. The gate was of oak.</p>',
    '<p><a name=n1></a>1 The gate was of oak.</p>',
    '<div id=n1>[1] The gate was of oak.</div>',
    '<p id=n1><sup>1</sup>The gate was of oak.</p>',
    '<p id=n1><b>1.</b> The gate was of oak.</p>',
    '<ul><li id=n1>(1) The gate was of oak.</ul>',
    '<ol><li id=n1>The gate was of oak.</ol>',
    '<aside id=n1>1) The gate was of oak.</aside>',
    '<div class=note><p class=notetitle>Notes</p><p id=n1>1. The gate was of oak.</div>',
  ];
  for (const mark of marks) {
    for (const note of notes) {
      const markdown = renderMarkdown(`<p>The reeds.${mark} And more.</p>${note}`);
      assert.match(markdown, /^The reeds\.(?:\\\[)?\[\^1\](?:\\\])? And more\.$/m, mark + note);
      assert.match(markdown, /^\[\^1\]: The gate was of oak\.$/m, mark + note);
    }
  }
});

test('symbols can be footnote labels, and adjacent notes are separate', () => {
  const html =
    '<p>Oak<a href="#a">*</a> and iron<sup><a href="#b">†</a></sup>, and tar.<sup><a href="#c">12</a></sup><sup><a href="#d">13</a></sup></p><p id=a>* Of Riga.</p><p id=b>† Of Sweden, and <em>weir</em>.</p><p id=c>12. Twelve.</p><p id=d>13. Thirteen.</p>';
  assert.equal(
    renderMarkdown(html),
    'Oak[^1] and iron[^2], and tar.[^12][^13]\n\n[^1]: Of Riga.\n\n[^2]: Of Sweden, and *weir*.\n\n[^12]: Twelve.\n\n[^13]: Thirteen.',
  );
});

test('links to sections, steps, figures and index letters are not footnotes', () => {
  for (const html of [
    '<p>See section <a href="#s2">2</a> of it.</p><div id=s2><p>2 The gates of the harbour.</p></div>',
    '<p>As said.<a href="#s2">2</a></p><div id=s2><h2>2 The gates</h2><p>Text.</p></div>',
    '<p>Go back to step <a href="#t2">2</a>.</p><ol><li>One<li id=t2>Two</ol>',
    '<p>By equation (<a href="#e2">2</a>).</p><p id=e2>(2) a = b</p>',
    '<p><a href="#A">A</a> <a href="#B">B</a></p><p id=A>A Abbey</p><p id=B>B Barge</p>',
    '<ul><li><a href="#c1">1</a> Gates</ul><p id=c1>1 Gates of oak.</p>',
    '<p>The reeds.<sup><a href="#n1">1</a></sup></p><p id=n1>1.5 metres of oak.</p>',
  ]) {
    assert.doesNotMatch(renderMarkdown(html), /\[\^/, html);
  }
});

test('plain text shows a footnote with its number, as on the page', () => {
  assert.equal(
    renderPlainText('<p>Reeds.<sup><a href="#n1">1</a></sup></p><p id=n1>1. Of oak.</p>'),
    'Reeds.1\n\n1. Of oak.',
  );
});

test('many notes and references are processed in linear time', () => {
  const items = Array.from({ length: 20_000 }, (_, at) => `<li id=n${at + 1}>Note`).join('');
  const marks = Array.from({ length: 20_000 }, (_, at) => `<sup><a href="#n${at + 1}">${(at % 9999) + 1}</a></sup>`);
  assert.match(renderMarkdown(`<p>Start${marks.join('')}</p><ol>${items}</ol>`), /^Start\[\^1\]/);
});
