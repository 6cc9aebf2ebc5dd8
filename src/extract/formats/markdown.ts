import { codeLanguage, codeText, fenceFor, isGutter } from './code.ts';
import { escapeLineStarts, toDestination } from './escape.ts';
import { contains, gridOf } from './grid.ts';
import type { Grid, Place } from './grid.ts';
import { takeRun, writeChildren, writeInline } from './inline.ts';
import type { Render } from './inline.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { byTag, tagSet } from '#extract/html/tags.ts';
import { firstChildOf, isText, knownAttribute, nextOf, parentOf, tagOf, WHITESPACE } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { isBlock, isUnseen } from '#extract/content/view.ts';
import type { View } from '#extract/content/view.ts';
import { finished, newWriter, writeBlock, writePrefixed } from './writer.ts';
import type { Dialect } from './writer.ts';

/** The kept part of a page as GitHub flavoured Markdown: absolute URLs, page text escaped so that none of it is markup. */
export function toMarkdown(view: View): string {
  return render(view, 'markdown');
}

/** The plain text of exactly what {@link toMarkdown} shows, or of one element: a line a block, without marks. */
export function toText(view: View, root = 0): string {
  return render(view, 'text', root);
}

function render(view: View, dialect: Dialect, root = 0): string {
  const r: Render = {
    view,
    writer: newWriter(dialect),
    plain: dialect === 'text',
    parts: [],
    spaced: true,
    inCell: false,
    inLine: false,
    inLink: false,
    open: new Set(),
    pendingLink: null,
  };
  writeBlocks(r, root);
  return finished(r.writer);
}

type Visit = (r: Render, node: number) => void;

const VISITS: readonly Visit[] = byTag<Visit>(writeBlocks, [
  ['h1 h2 h3 h4 h5 h6', writeHeading],
  ['hr', writeRule],
  ['ul ol menu dir', writeList],
  ['li', writeLooseItem],
  ['pre listing xmp plaintext', writeCode],
  ['blockquote', writeQuote],
  ['table', writeTable],
  ['dl', writeBlocks],
  ['dt summary', writeTerm],
  ['dd', writeDefinition],
]);

/** The content of a node as blocks: runs of inline content become paragraphs. */
function writeBlocks(r: Render, parent: number): void {
  const { tree, kept, holdsBlock } = r.view;
  for (let node = firstChildOf(tree, parent); node !== 0; node = nextOf(tree, node)) {
    if (kept[node] !== 1) continue;
    const tag = tagOf(tree, node);
    if (isUnseen(tag)) continue;
    if (isBlock(tree, node) && tag !== TAG.iframe) {
      flushRun(r);
      (VISITS[tag] ?? writeBlocks)(r, node);
    } else if (holdsBlock[node] === 1 && !isText(tree, node) && tag !== TAG.math && tag !== TAG.svg) {
      flushRun(r);
      if (tag === TAG.a) writeLinkedBlocks(r, node);
      else writeBlocks(r, node);
    } else writeInline(r, node);
  }
  flushRun(r);
}

/** A link around blocks: the first run of text inside it carries the link. */
function writeLinkedBlocks(r: Render, node: number): void {
  const reference = knownAttribute(r.view.tree, node, ATTRIBUTE.href);
  const outer = r.pendingLink;
  r.pendingLink = reference === null || /^\s*#/.test(reference) ? outer : r.view.resolve(reference);
  writeBlocks(r, node);
  r.pendingLink = r.pendingLink === null ? null : outer;
}

/** Writes the run as paragraphs; two line breaks in it part them. */
function flushRun(r: Render): void {
  if (r.parts.length === 0) return;
  const run = takeRun(r);
  if (!run.includes('\n')) return writeParagraph(r, run.trim());
  for (const paragraph of run.split(/\n[ \n]*\n/)) writeParagraph(r, paragraph.trim().replace(/ *\n */g, '\n'));
}

function writeParagraph(r: Render, lines: string): void {
  if (lines === '') return;
  if (r.plain) return writeBlock(r.writer, lines);
  writeBlock(r.writer, linked(r, escapeLineStarts(lines)).replaceAll('\n', '  \n'));
}

/** The text inside the link that is waiting for one, if there is. */
function linked(r: Render, text: string): string {
  const url = r.pendingLink;
  if (url === null || r.plain || /\]\(/.test(text.replace(/!\[[^\]]*\]\([^)]*\)/g, ''))) return text;
  r.pendingLink = null;
  return `[${text.replaceAll('\n', ' ')}](${toDestination(url)})`;
}

/** The inline content of a node as one line. */
function lineOf(r: Render, node: number): string {
  const outer = r.inLine;
  r.inLine = true;
  writeChildren(r, node);
  r.inLine = outer;
  return takeRun(r)
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

function writeHeading(r: Render, node: number): void {
  const line = lineOf(r, node);
  if (line === '') return;
  if (r.plain) return writeBlock(r.writer, line);
  const level = tagOf(r.view.tree, node) - TAG.h1 + 1;
  // Hashes at the end would be read as the end of the heading.
  writeBlock(r.writer, `${'#'.repeat(level)} ${linked(r, line.replace(/(^|\s)(#+)$/, '$1\\$2'))}`);
}

function writeRule(r: Render): void {
  // As the first thing of a list item, dashes would run together with its mark.
  if (!r.plain) writeBlock(r.writer, r.writer.prefixes.length > 0 ? '***' : '---');
}

function writeCode(r: Render, node: number): void {
  const code = codeText(r.view, node).replace(/^\n+/, '').trimEnd();
  if (code === '') return;
  if (r.plain) return writeBlock(r.writer, code);
  const fence = fenceFor(code, '```');
  writeBlock(r.writer, `${fence}${codeLanguage(r.view.tree, node)}\n${code}\n${fence}`);
}

function writeQuote(r: Render, node: number): void {
  writePrefixed(r.writer, { first: '> ', rest: '> ' }, () => writeBlocks(r, node));
}

function writeTerm(r: Render, node: number): void {
  if (r.view.holdsBlock[node] === 1) return writeBlocks(r, node);
  r.open.add('strong');
  const line = lineOf(r, node);
  r.open.delete('strong');
  if (line !== '') writeBlock(r.writer, r.plain ? line : `**${line}**`);
}

function writeDefinition(r: Render, node: number): void {
  writePrefixed(r.writer, { first: ': ', rest: '  ' }, () => writeBlocks(r, node));
}

const LISTS = tagSet('ul ol menu dir');
const PARAGRAPHS = tagSet('p pre blockquote table dl h1 h2 h3 h4 h5 h6 figure');

function writeList(r: Render, list: number): void {
  const { tree, kept } = r.view;
  const ordered = tagOf(tree, list) === TAG.ol;
  const gap = isLoose(r.view, list) ? 'blank' : 'line';
  if (tagOf(tree, parentOf(tree, list)) === TAG.li) r.writer.gap = 'line';
  let number = ordered ? startOf(knownAttribute(tree, list, ATTRIBUTE.start)) : 0;
  let first = true;
  for (let node = firstChildOf(tree, list); node !== 0; node = nextOf(tree, node)) {
    const blank = isText(tree, node) && ((tree.flags[node] ?? 0) & WHITESPACE) !== 0;
    if (kept[node] !== 1 || blank || isUnseen(tagOf(tree, node))) continue;
    if (!first) r.writer.gap = gap;
    // Only a list that starts at one may follow a paragraph without a blank line.
    else if (ordered && number !== 1) r.writer.gap = 'blank';
    const before = r.writer.parts.length;
    const mark = ordered ? `${number}. ` : '- ';
    const rest = ' '.repeat(mark.length);
    const stray = LISTS[tagOf(tree, node)] === 1;
    // A list directly inside a list belongs to the item before it.
    if (stray && first) writeList(r, node);
    else if (stray) writePrefixed(r.writer, { first: rest, rest }, () => writeList(r, node));
    else writePrefixed(r.writer, { first: mark, rest }, () => writeItem(r, node));
    if (ordered && !stray) number = Math.min(number + 1, 999_999_999);
    if (r.writer.parts.length > before) first = false;
  }
  r.writer.gap = 'blank';
}

function startOf(value: string | null): number {
  const start = Number.parseInt(value ?? '1', 10);
  return start >= 0 && start <= 999_999_999 ? start : 1;
}

function writeItem(r: Render, item: number): void {
  if (tagOf(r.view.tree, item) === TAG.li) return writeBlocks(r, item);
  if (isBlock(r.view.tree, item)) return (VISITS[tagOf(r.view.tree, item)] ?? writeBlocks)(r, item);
  writeInline(r, item);
  flushRun(r);
}

/** An item outside any list. */
function writeLooseItem(r: Render, node: number): void {
  writePrefixed(r.writer, { first: '- ', rest: '  ' }, () => writeItem(r, node));
}

/** Whether items are set apart by blank lines: one of them holds more than one paragraph. */
function isLoose({ tree, kept }: View, list: number): boolean {
  for (let item = firstChildOf(tree, list); item !== 0; item = nextOf(tree, item)) {
    if (kept[item] !== 1) continue;
    let paragraphs = 0;
    for (let node = firstChildOf(tree, item); node !== 0; node = nextOf(tree, node)) {
      if (PARAGRAPHS[tagOf(tree, node)] === 1 && ++paragraphs > 1) return true;
    }
  }
  return false;
}

/** A table as a GFM table, or as its blocks when it only lays out: one column, tables inside, or code beside a gutter. */
function writeTable(r: Render, table: number): void {
  const { tree } = r.view;
  const grid = gridOf(tree, table);
  // Without cells in rows, as at the depth limit, what is there is read in order.
  if (grid.width === 0) return writeBlocks(r, table);
  if (grid.caption !== 0) writeBlocks(r, grid.caption);
  const code = grid.rows.length <= 3 && contains(tree, table, TAG.pre);
  if (code || (grid.width < 2 && !hasHeader(r.view.tree, grid)) || contains(tree, table, TAG.table))
    return writeLayout(r, grid, code);
  const rows = grid.rows
    .map((row) => row.map((place) => cellText(r, place)))
    .filter((row) => row.some((cell) => cell !== ''));
  const [head, ...body] = rows;
  if (head === undefined) return;
  if (r.plain) return writeBlock(r.writer, rows.map((row) => row.filter((cell) => cell !== '').join('\t')).join('\n'));
  const lines = [
    // The delimiter row counts the cells of the head.
    toRow(head) + ' |'.repeat(grid.width - head.length),
    `|${' --- |'.repeat(grid.width)}`,
    ...body.map((row) => toRow(row)),
  ];
  writeBlock(r.writer, lines.join('\n'));
}

function hasHeader(tree: Tree, grid: Grid): boolean {
  return grid.rows.some((row) => row.some(({ cell }) => tagOf(tree, cell) === TAG.th));
}

/** A row; what it lacks at its end is empty in GFM. */
function toRow(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`;
}

function cellText(r: Render, { cell, spanned }: Place): string {
  if (spanned || r.view.kept[cell] !== 1) return '';
  r.inCell = true;
  const line = lineOf(r, cell);
  r.inCell = false;
  return line.replace(/^(?:\s|<br>)+|(?:\s|<br>)+$/g, '');
}

function writeLayout(r: Render, grid: Grid, code: boolean): void {
  const { kept } = r.view;
  for (const row of grid.rows) {
    for (const { cell, spanned } of row) {
      if (spanned || kept[cell] !== 1 || (code && isNumbers(r.view, cell))) continue;
      writeBlocks(r, cell);
    }
  }
}

/** Whether a cell holds the line numbers of the code beside it. */
function isNumbers(view: View, cell: number): boolean {
  return isGutter(view.tree, cell) || /^[\d\s]+$/.test(codeText(view, cell));
}
