import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPages } from '#bench/docs/pages.ts';
import { readReference } from '#bench/docs/reference.ts';
import { scorePage } from '#bench/docs/scores.ts';
import { NO_METADATA } from '#bench/extraction/suites.ts';
import { computeWordScore } from '#bench/extraction/text-scores.ts';

const SET = { content: 'div#text.body[role=main]', without: ['a.anchor', '.up'] };

test('a reference is the content element of the generator without navigation and hidden text', () => {
  const html = `<nav>Menu</nav><div id=text class="wide body" role=main><h1>Mill <a class=anchor href=#x>#</a></h1><p class="note up">Up</p><p hidden>later</p>
    <ul class=toc><li><a href=#a>a</a></ul><dl><dt>turn</dt><dd>it turns</dl><pre>go  now</pre></div>`;
  const reference = readReference(html, SET);
  assert.equal(reference?.text, 'Mill\nturn\nit turns\ngo now');
  assert.deepEqual(reference?.parts, { terms: ['turn'], code: ['gonow'], headings: ['Mill'], cells: [] });
  assert.equal(readReference('<main>Mill</main>', SET), null);
});

test('a table of contents that leads to other pages is content', () => {
  const reference = readReference(
    '<div id=text class=body role=main><ul class=toc><li><a href=a.html#a>one</a><li><a href=b.html#b>two</a></ul></div>',
    SET,
  );
  assert.equal(reference?.text, 'one\ntwo');
  assert.equal(reference?.linked, 1);
});

test('a word counts as often as it occurs in both texts', () => {
  assert.deepEqual(computeWordScore('a mill a day', 'A mill and more'), { precision: 2 / 4, recall: 2 / 4, f1: 0.5 });
  assert.deepEqual(computeWordScore('mill', ''), { precision: 0, recall: 0, f1: 0 });
});

test('a set has each page within its folder that links from its start page reach, once', () => {
  const root = mkdtempSync(join(tmpdir(), 'docs-'));
  mkdirSync(join(root, 'set/more'), { recursive: true });
  const write = (name: string, html: string) => writeFileSync(join(root, 'set', name), `<main><p>${html}</main>`);
  write(
    'index.html',
    '<a href=more/>m</a> <a href=b.html#x>b</a> <a href=../secret.html>s</a> <a href=genindex.html>i</a> <a href=none.html>n</a>',
  );
  write('more/index.html', 'More on `code` and <code>code</code>. <a href=../b.html>b</a>');
  write('b.html', 'b');
  write('genindex.html', 'all names');
  writeFileSync(join(root, 'secret.html'), 'none of the set');
  const set = { from: '', by: '', folder: 'set', start: 'index.html', ...SET };
  const pages = [...readPages(set, root, 10)];
  assert.deepEqual(
    pages.map(({ path }) => path),
    ['index.html', 'more/index.html', 'b.html'],
  );
  assert.equal([...readPages(set, root, 2)].length, 2);
  const reference = {
    text: 'More on `code` and code. b',
    linked: 0,
    parts: { terms: ['turn'], code: ['code'], headings: [], cells: [] },
  };
  const page = {
    path: 'p',
    html: '',
    url: '',
    warnings: [],
    metadata: NO_METADATA,
    markdown: 'More on `<code>` <code>x</code>',
  };
  const { kept, strayTags } = scorePage(page, reference);
  assert.deepEqual([kept, strayTags], [{ terms: 0, code: 1, headings: null, cells: null }, 2]);
  rmSync(root, { recursive: true });
});
