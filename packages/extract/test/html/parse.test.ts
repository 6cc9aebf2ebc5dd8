import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseHtml } from '#extract/html/parse.ts';
import {
  getAttribute,
  listAttributes,
  getTagName,
  getParent,
  getSubtreeEnd,
  readText,
  type Tree,
} from '#extract/html/tree.ts';
import { recordedPages } from '../corpus.ts';
import { DISPUTED, oracleOutline, formatOutline } from '../outline.ts';

const FIXTURES = new URL('../fixtures/', import.meta.url);

function fixtures(): readonly (readonly [string, string])[] {
  const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.html'));
  return names.map((name) => [name, readFileSync(new URL(name, FIXTURES), 'utf8')]);
}

function deepest(tree: Tree): number {
  const depths = new Int32Array(tree.count);
  for (let node = 1; node < tree.count; node++) depths[node] = (depths[getParent(tree, node)] ?? 0) + 1;
  return depths.reduce((most, depth) => Math.max(most, depth), 0);
}

function find(tree: Tree, name: string): number {
  for (let node = 1; node < tree.count; node++) if (getTagName(tree, node) === name) return node;
  return 0;
}

test('every fixture page parses to the same tree as with an independent parser', () => {
  for (const [name, source] of fixtures()) assert.equal(formatOutline(parseHtml(source)), oracleOutline(source), name);
});

test('recorded pages parse to the same tree as with an independent parser', (t) => {
  const pages = recordedPages(120);
  if (pages.length === 0) return t.skip('needs QUERN_CORPUS');
  for (const { name, body } of pages) {
    const source = new TextDecoder().decode(body).replace(DISPUTED, '');
    assert.ok(formatOutline(parseHtml(source)) === oracleOutline(source), name);
  }
});

test('pages with random tags removed parse to the same tree as with an independent parser', () => {
  const sources = fixtures().map(([, source]) => source.slice(0, 6000).replace(DISPUTED, ''));
  const property = fc.property(fc.constantFrom(...sources), fc.infiniteStream(fc.nat(9)), (source, dice) => {
    const torn = source.replace(/<[^>]+>/g, (tag) => (dice.next().value === 0 ? '' : tag));
    assert.equal(formatOutline(parseHtml(torn)), oracleOutline(torn));
  });
  fc.assert(property, { numRuns: 100 });
});

test('random tag soup parses to the same tree as with an independent parser', () => {
  const tag = fc.constantFrom(
    ...'a b i p div span table tbody tr td th caption ul li h1 h2 button form svg math em nobr pre dl dd dt'.split(' '),
  );
  const piece = fc.oneof(
    tag.map((name) => `<${name}>`),
    tag.map((name) => `</${name}>`),
    fc.constantFrom('x', ' ', '<br>', '<img src=x>', '<input>', '&amp;', '<a href=y>', '<!-- c -->', '<mi>', '<title>'),
  );
  const property = fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
    const source = pieces.join('');
    assert.equal(formatOutline(parseHtml(source)), oracleOutline(source));
  });
  fc.assert(property, { numRuns: 1000 });
});

test('ids are in document order, so that a subtree is a range of ids', () => {
  const tree = parseHtml('<table><tr><td>in</td></tr>before</table><p>after<b>x<div>y</b>z</div>');
  for (let node = 1; node < tree.count; node++) {
    assert.ok(getParent(tree, node) < node);
    assert.ok(getSubtreeEnd(tree, node) <= getSubtreeEnd(tree, getParent(tree, node)));
  }
  assert.equal(readText(tree, 0), 'beforeinafterxyz');
});

test('nested elements beyond the depth limit become siblings', () => {
  for (const name of ['div', 'table', 'svg', 'b', 'ul', 'blockquote', 'b class=x', 'template', 'select', 'foo']) {
    const tree = parseHtml(`<${name}>`.repeat(20_000));
    assert.ok(deepest(tree) <= 514, name);
  }
  assert.ok(deepest(parseHtml('<div>'.repeat(1_000_000))) <= 514);
});

test('an element with 50,000 attributes keeps them, the first one of each name', () => {
  const attributes = Array.from({ length: 50_000 }, (_, at) => `a${at}=${at}`).join(' ');
  const tree = parseHtml(`<p ${attributes} a7=other class="x">text</p>`);
  const node = find(tree, 'p');
  assert.equal(listAttributes(tree, node).length, 50_001);
  assert.equal(getAttribute(tree, node, 'a7'), '7');
  assert.equal(getAttribute(tree, node, 'class'), 'x');
  assert.equal(getAttribute(tree, node, 'missing'), null);
});

test('very much unfinished markup is parsed in linear time', () => {
  const floods = [
    '<!--',
    '</',
    '<!',
    '<?',
    '<a b="',
    "<p '",
    '<script><!--<script>',
    '</p>',
    '<title>',
    '<![CDATA[',
    '&amp;',
    '<',
  ];
  for (const flood of floods) assert.ok(parseHtml(flood.repeat(100_000)).count > 3, flood);
});

test('misnested formatting cannot blow up the tree', () => {
  const open = Array.from({ length: 60 }, (_, at) => `<b class=${at}>`).join('');
  const source = `<p>${open}${'<p>x'.repeat(30_000)}`;
  const tree = parseHtml(source);
  assert.ok(tree.count < source.length, `${tree.count} nodes`);
  assert.ok(parseHtml('<b><p></b>'.repeat(30_000)).count < 300_000);
});

test('custom tag names belong to one parse', () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `<x-${at}>`).join('');
  const tree = parseHtml(names);
  assert.ok(tree.names.length <= 4096);
  assert.equal(getTagName(tree, find(tree, 'x-5')), 'x-5');
  const other = parseHtml('<y-1>');
  assert.equal(getTagName(other, find(other, 'y-1')), 'y-1');
});

test('trees of two parses are independent', () => {
  const first = parseHtml('<p id=one>1</p>');
  const second = parseHtml('<p id=two>2</p>');
  assert.equal(getAttribute(first, find(first, 'p'), 'id'), 'one');
  assert.equal(getAttribute(second, find(second, 'p'), 'id'), 'two');
});

test('noscript is parsed as elements in the body and as text in the head', () => {
  const tree = parseHtml(
    '<head><noscript><img src=x></noscript><title>t</title><body><noscript><p>read me</p></noscript>',
  );
  assert.equal(getTagName(tree, getParent(tree, find(tree, 'title'))), 'head');
  assert.equal(getTagName(tree, getParent(tree, find(tree, 'p'))), 'noscript');
});

test('text is decoded and excludes scripts and styles', () => {
  const tree = parseHtml('<p>a &amp; b<script>x()</script><style>y{}</style>&nbsp;c\0</p>');
  assert.equal(readText(tree, find(tree, 'p')), 'a & b\u00a0c');
});

test('an unclosed frame inside a noscript ends with the noscript', () => {
  const tree = parseHtml('<body><noscript><iframe src=/track /></noscript><p>Text of the page.</p>');
  assert.match(formatOutline(tree), /<p>\n.*"Text of the page."/);
});
