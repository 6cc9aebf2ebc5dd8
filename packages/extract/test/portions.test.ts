import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeHTML, decodeHTMLAttribute, escapeAttribute, escapeText } from 'entities';
import {
  joinLines,
  replaceCharacter,
  toLineFeeds,
  escapeHtmlAttribute,
  escapeHtmlText,
} from '#extract/values/portions.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { getAttribute, findNextTag, readText } from '#extract/html/tree.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { renderMarkdown } from './pages.ts';

/** A text longer than a portion, with sequences that must not be cut around every portion end. */
const LONG = ['\r\n', ' \n ', '\u00a0\n', 'rye &<"\0 ', `${' '.repeat(70_000)}\n`, '\r'].map((piece) =>
  piece.repeat(Math.ceil(150_001 / piece.length)),
);

test('transforming a long text in portions gives the same result', () => {
  for (const text of [...LONG, LONG.join('oats')]) {
    assert.ok(toLineFeeds(text) === text.replaceAll(/\r\n?/g, '\n'));
    assert.ok(replaceCharacter(text, '\0', '?') === text.replaceAll('\0', '?'));
    assert.ok(joinLines(text, ' ') === text.replaceAll(/(?<!\s)\s*\n\s*/g, ' '));
    assert.ok(escapeHtmlText(text) === escapeText(text));
    assert.ok(escapeHtmlAttribute(text) === escapeAttribute(text));
  }
});

/** Character references with and without a semicolon, adjacent, far apart, and longer than a portion. */
const REFERENCES = [
  '&amp;amp;',
  '&notit;',
  '&CounterClockwiseContourIntegral;x',
  '&&#38',
  `a&#${'0'.repeat(70_000)}65;`,
].map((piece) => piece.repeat(Math.ceil(150_001 / piece.length)));

test('decoding character references in portions gives the same result', () => {
  for (const text of [...REFERENCES, REFERENCES.join('oats')]) {
    const tree = parseHtml(`<p title="${text}">${text}`);
    assert.ok(readText(tree, 0) === decodeHTML(text));
    assert.ok(getAttribute(tree, findNextTag(tree, TAG.p, 1), 'title') === decodeHTMLAttribute(text));
  }
});

test('long runs of white space are scanned in linear time', () => {
  assert.equal(renderMarkdown(`<h1>a${run('&nbsp;')}b`).length, 40_004);
  assert.equal(renderMarkdown(`<p>a<br><code>x${run(' ')}y</code>`).length, 40_008);
  assert.match(
    renderMarkdown(`<table><tr><th>a<th>b<tr><td>c${run('<br>')}<td>d${run('<br>')}e</table>`),
    /^\| c \| d<br>/m,
  );
  assert.match(renderMarkdown(`<a href=/x><p>a <code>${run('![')}</code></a>`), /^\[a `!\[/);
  assert.ok(renderMarkdown(`<p>Rye <script type="math/tex">x${run('\\')}y</script>`).length > 40_000);
});

function run(piece: string): string {
  return piece.repeat(40_000);
}
