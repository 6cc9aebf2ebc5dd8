import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import MarkdownIt from 'markdown-it';
import { toMarkdown } from '#extract/formats/markdown.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { attributeOf, childrenOf, charactersOf, isText, nameOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { viewOf } from '#extract/content/view.ts';

/** Examples of the CommonMark and GFM specifications that come back the same; it may only go up. */
const FEWEST_EQUAL = 342;

const BLOCKS = new Set('p div ul ol li blockquote pre table tr td th h1 h2 h3 h4 h5 h6 hr'.split(' '));
const SHOWN = ['href', 'src', 'alt', 'title', 'start'];

/** The HTML as its reader sees it: elements without meaning of their own and space between blocks do not count. */
function canonical(html: string): string {
  const tree = parseHtml(html);
  return canonicalChildren(tree, 0, false)
    .replace(/ ?\n[ \n]*/g, '\n')
    .replace(/<p>((?:(?!<p>)[^])*?)<\/p>\n?(?=<\/li>)/g, '$1')
    .replace(/\n/g, '')
    .trim();
}

function canonicalChildren(tree: Tree, node: number, preformatted: boolean): string {
  return childrenOf(tree, node)
    .map((child) => canonicalNode(tree, child, preformatted))
    .join('');
}

function canonicalNode(tree: Tree, node: number, preformatted: boolean): string {
  if (isText(tree, node))
    return preformatted ? charactersOf(tree, node) : charactersOf(tree, node).replace(/\s+/g, ' ');
  const name = nameOf(tree, node);
  const inside = canonicalChildren(tree, node, preformatted || name === 'pre');
  if (['html', 'head', 'body', 'tbody', 'thead', 'div', 'span'].includes(name)) return inside;
  const attributes = SHOWN.map((attribute) => attributeOf(tree, node, attribute) ?? '').filter(
    (value) => value !== '' && value !== '1',
  );
  const text = `<${[name, ...attributes].join(' ')}>${BLOCKS.has(name) ? inside.trim() : inside}</${name}>`;
  return BLOCKS.has(name) || name === 'br' ? `\n${text}\n` : text;
}

function readExamples(file: string): readonly string[] {
  const rows: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return Array.isArray(rows) ? rows.map((row: unknown) => String(Object(row).html)) : [];
}

function resolve(reference: string): string {
  return reference.startsWith('http') ? reference : `http://h.example/${reference}`;
}

/** The references of the HTML as the resolver above makes them. */
function rooted(html: string): string {
  return html.replace(/(href|src)="(?!http|#)([^"]*)"/g, '$1="http://h.example/$2"');
}

test('the examples of the Markdown specifications survive the way to Markdown and back', () => {
  const file = join(process.env['QUERN_CORPUS'] ?? '', 'extraction/tables/md-roundtrip.json');
  if (process.env['QUERN_CORPUS'] === undefined || !existsSync(file)) return console.log('0 recordings');
  const reader = new MarkdownIt({ html: true });
  const examples = readExamples(file);
  const equal = examples.filter((html) => {
    const tree = parseHtml(html);
    const markdown = toMarkdown(viewOf(tree, new Uint8Array(tree.count).fill(1), resolve));
    return canonical(reader.render(markdown)) === canonical(rooted(html));
  });
  console.log(`${equal.length} of ${examples.length} equal`);
  assert.ok(equal.length >= FEWEST_EQUAL, `${equal.length} of ${examples.length}`);
});
