import { readCodeText, isGutter } from './code.ts';
import { hasTag, type Grid, buildGrid, type GridSlot } from './table-grid.ts';
import { renderInlineLine } from './inline.ts';
import type { BlockWriters } from './lists.ts';
import type { RenderState } from './inline-run.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import {
  attributeOf,
  charactersOf,
  isText,
  knownAttribute,
  nextOf,
  subtreeEndOf,
  tagOf,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { rowLevels } from '#extract/view/row-levels.ts';
import { writeBlock, writePrefixed } from './writer.ts';

/** A table of blocks as a fenced block of code. */
export type TableWriters = BlockWriters & { readonly code: (r: RenderState, text: string, node: number) => void };

/**
 * A table as a GFM table; as code when it numbers the lines of some; as its blocks when it only lays out: one column, or
 * one cell of words a row, tables inside, cells of lists and paragraphs without a header, or code beside a gutter.
 */
export function writeTable(r: RenderState, table: number, blocks: TableWriters): void {
  const { tree } = r.view;
  const grid = buildGrid(tree, table);
  // Without cells in rows, as at the depth limit, what is there is read in order.
  if (grid.width === 0) return blocks.inside(r, table);
  const preformatted = hasTag(tree, table, TAG.pre);
  const lines = preformatted ? null : readNumberedLines(r, grid);
  if (lines !== null) return blocks.code(r, lines, table);
  if (grid.caption !== 0) blocks.inside(r, grid.caption);
  const code = preformatted && isListing(r, grid);
  if (code || isLayout(r, table, grid)) return writeLayout(r, grid, { blocks, code });
  const rows = grid.rows
    .map((places) => ({ places, cells: places.map((place) => renderCell(r, place)) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const [head, ...body] = rows;
  if (head === undefined) return;
  if (r.plain)
    return writeBlock(r.writer, rows.map(({ cells }) => cells.filter((cell) => cell !== '').join('\t')).join('\n'));
  const missing = grid.width - head.cells.length;
  const written = [
    // The delimiter row counts the cells of the head.
    renderRow(head.cells) + ' |'.repeat(missing),
    `|${head.places.map((place) => getDelimiter(tree, place)).join('')}${' --- |'.repeat(missing)}`,
    ...body.map(({ cells }) => renderRow(cells)),
  ];
  writeBlock(r.writer, written.join('\n'));
}

const DELIMITERS = new Map([
  ['left', ' :--- |'],
  ['center', ' :---: |'],
  ['right', ' ---: |'],
]);

/**
 * The delimiter of a column, which GFM aligns as its cell in the head is: by `align`, or by `style` as readers of Markdown
 * write it.
 */
function getDelimiter(tree: Tree, { cell }: GridSlot): string {
  const styled = /(?:^|[;\s])text-align:\s*(\w+)/i.exec(knownAttribute(tree, cell, ATTRIBUTE.style) ?? '')?.[1];
  const side = styled ?? attributeOf(tree, cell, 'align') ?? '';
  return DELIMITERS.get(side.toLowerCase()) ?? ' --- |';
}

/** Whether a table of few rows holds code and the numbers of its lines, or code alone. */
function isListing(r: RenderState, { rows }: Grid): boolean {
  if (rows.length > 3) return false;
  return rows.length === 1 || rows.some((row) => row.some(({ cell }) => isLineNumbers(r, cell)));
}

/** The code of a table with a line in each row beside its number; null for any other table. */
function readNumberedLines(r: RenderState, { rows, width }: Grid): string | null {
  const { tree } = r.view;
  if (width < 2) return null;
  const lines: string[] = [];
  let numbered = 0;
  for (const row of rows) {
    const isNumber = (cell: number) => isGutter(tree, cell) || attributeOf(tree, cell, 'data-line-number') !== null;
    const cells = row.filter(({ cell, spanned }) => !spanned && !isNumber(cell));
    if (row.some(({ cell, spanned }) => !spanned && isNumber(cell))) numbered += 1;
    // A line that one side of a difference lacks has no number there.
    const filled = cells.filter(({ cell }) => subtreeEndOf(tree, cell) > cell + 1);
    const [code, ...others] = filled.length === 0 ? cells : filled;
    if (code === undefined || others.length > 0 || row.length < 2) return null;
    lines.push(readCodeText(r.view, code.cell).replace(/^\n+/, '').trimEnd());
  }
  // Cells that only centre an equation or set a row in are empty too.
  return numbered * 2 < rows.length || numbered === 0 ? null : lines.join('\n');
}

const BREAK = '<br>';
const STRUCTURE_TAGS = tagSet('h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre hr figure');

function isLayout(r: RenderState, table: number, grid: Grid): boolean {
  const { tree, kept } = r.view;
  if (hasTag(tree, table, TAG.table) && !isDataTable(tree, grid)) return true;
  // What the title of a remark stands in only sets it beside its text.
  if (grid.rows.some((row) => row.some(({ cell }) => r.written.has(cell)))) return true;
  if (hasHeader(tree, grid)) return false;
  if (grid.width < 2 || /^(?:presentation|none)$/i.test(knownAttribute(tree, table, ATTRIBUTE.role) ?? '')) return true;
  let cells = 0;
  let structured = 0;
  let widest = 0;
  for (const row of grid.rows) {
    let worded = 0;
    for (const { cell, spanned } of row) {
      if (spanned || kept[cell] !== 1 || subtreeEndOf(tree, cell) <= cell + 1) continue;
      cells++;
      if (hasStructure(tree, cell)) structured++;
      if (hasText(r, cell)) worded++;
    }
    widest = Math.max(widest, worded);
  }
  return widest < 2 || (structured > 0 && structured * 2 >= cells);
}

/** Whether the first row of a table of several columns names all of them. */
function isDataTable(tree: Tree, { rows, width }: Grid): boolean {
  const [first = []] = rows;
  return (
    width > 1 && rows.length > 1 && first.length === width && first.every(({ cell }) => tagOf(tree, cell) === TAG.th)
  );
}

function hasHeader(tree: Tree, grid: Grid): boolean {
  return grid.rows.some((row) => row.some(({ cell }) => tagOf(tree, cell) === TAG.th));
}

/** Whether a cell holds more than pictures and spaces, hard ones included. */
function hasText({ view: { tree, kept } }: RenderState, cell: number): boolean {
  const end = subtreeEndOf(tree, cell);
  for (let node = cell + 1; node < end; node++) {
    if (kept[node] === 1 && isText(tree, node) && charactersOf(tree, node).trim() !== '') return true;
  }
  return false;
}

/** Whether a cell holds more than lines: a list, a heading, two paragraphs. */
function hasStructure(tree: Tree, cell: number): boolean {
  const end = subtreeEndOf(tree, cell);
  for (let node = cell + 1; node < end; node++) {
    const tag = tagOf(tree, node);
    if (STRUCTURE_TAGS[tag] === 1) return true;
    if (tag !== TAG.p) continue;
    let next = nextOf(tree, node);
    if (isText(tree, next) && ((tree.flags[next] ?? 0) & WHITESPACE) !== 0) next = nextOf(tree, next);
    if (tagOf(tree, next) === TAG.p) return true;
  }
  return false;
}

/** A row; what it lacks at its end is empty in GFM. */
function renderRow(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`;
}

function renderCell(r: RenderState, { cell, spanned }: GridSlot): string {
  if (spanned || r.view.kept[cell] !== 1) return '';
  r.inCell = true;
  const line = renderInlineLine(r, cell);
  r.inCell = false;
  return trimBreaks(line);
}

/** A line without the breaks and white space at its ends. */
function trimBreaks(line: string): string {
  let text = line.trim();
  while (text.startsWith(BREAK)) text = text.slice(BREAK.length).trimStart();
  while (text.endsWith(BREAK)) text = text.slice(0, -BREAK.length).trimEnd();
  return text;
}

function writeLayout(r: RenderState, grid: Grid, { blocks, code }: { blocks: BlockWriters; code: boolean }): void {
  const { kept } = r.view;
  const levels = code
    ? null
    : rowLevels(
        r.view.tree,
        grid.rows.map(([first]) => first?.cell ?? 0),
      );
  for (const [at, row] of grid.rows.entries()) {
    writeQuoted(r, levels?.[at] ?? 0, () => {
      for (const { cell, spanned } of row) {
        if (spanned || kept[cell] !== 1 || r.written.has(cell) || (code && isLineNumbers(r, cell))) continue;
        blocks.inside(r, cell);
      }
    });
  }
}

/** What `write` writes as a quote of that depth, so that an answer stands within what it answers. */
function writeQuoted(r: RenderState, depth: number, write: () => void): void {
  if (depth === 0) return write();
  writePrefixed(r.writer, { first: '> ', rest: '> ' }, () => writeQuoted(r, depth - 1, write));
}

/** Whether a cell holds the line numbers of the code beside it. */
function isLineNumbers({ view }: RenderState, cell: number): boolean {
  return isGutter(view.tree, cell) || /^\s*\d[\d\s]*$/.test(readCodeText(view, cell));
}
