import { readCodeText, isGutter } from './code.ts';
import { hasTag, type Grid, buildGrid, type GridSlot } from './table-grid.ts';
import { renderInlineLine } from './inline.ts';
import type { BlockWriters } from './lists.ts';
import type { RenderState } from './inline-run.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import {
  getAttribute,
  readCharacters,
  isText,
  getKnownAttribute,
  getNextSibling,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { computeRowLevels } from '#extract/view/row-levels.ts';
import { writeBlock, writePrefixed } from './writer.ts';

/** The functions that write blocks, including fenced code. */
export type TableWriters = BlockWriters & { readonly code: (r: RenderState, text: string, node: number) => void };

/**
 * Writes a table as a GFM table; as code if it numbers lines of code; as blocks if it is for layout only: a single
 * column, one text cell per row, nested tables, cells with lists and paragraphs but no header, or code next to a
 * gutter.
 */
export function writeTable(r: RenderState, table: number, blocks: TableWriters): void {
  const { tree } = r.view;
  const grid = buildGrid(tree, table);
  // Cells outside of rows, as at the depth limit, are read in order.
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
    // The delimiter row must have as many cells as the header.
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
 * The delimiter of a column. GFM aligns a column like its header cell: by `style`, as Markdown renderers write it, or
 * by `align`.
 */
function getDelimiter(tree: Tree, { cell }: GridSlot): string {
  const styled = /(?:^|[;\s])text-align:\s*(\w+)/i.exec(getKnownAttribute(tree, cell, ATTRIBUTE.style) ?? '')?.[1];
  const side = styled ?? getAttribute(tree, cell, 'align') ?? '';
  return DELIMITERS.get(side.toLowerCase()) ?? ' --- |';
}

/** Whether a table of at most three rows contains code with line numbers, or a single row of code. */
function isListing(r: RenderState, { rows }: Grid): boolean {
  if (rows.length > 3) return false;
  return rows.length === 1 || rows.some((row) => row.some(({ cell }) => isLineNumbers(r, cell)));
}

/** The code of a table with a line number and a line of code in each row; null for any other table. */
function readNumberedLines(r: RenderState, { rows, width }: Grid): string | null {
  const { tree } = r.view;
  if (width < 2) return null;
  const lines: string[] = [];
  let numbered = 0;
  for (const row of rows) {
    const isNumber = (cell: number) => isGutter(tree, cell) || getAttribute(tree, cell, 'data-line-number') !== null;
    const cells = row.filter(({ cell, spanned }) => !spanned && !isNumber(cell));
    if (row.some(({ cell, spanned }) => !spanned && isNumber(cell))) numbered += 1;
    // In a side-by-side diff, a line that one side lacks has no number there.
    const filled = cells.filter(({ cell }) => getSubtreeEnd(tree, cell) > cell + 1);
    const [code, ...others] = filled.length === 0 ? cells : filled;
    if (code === undefined || others.length > 0 || row.length < 2) return null;
    lines.push(readCodeText(r.view, code.cell).replace(/^\n+/, '').trimEnd());
  }
  // Empty cells also occur in tables that center an equation or indent a row.
  return numbered * 2 < rows.length || numbered === 0 ? null : lines.join('\n');
}

const BREAK = '<br>';
const STRUCTURE_TAGS = buildTagSet('h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre hr figure');

function isLayout(r: RenderState, table: number, grid: Grid): boolean {
  const { tree, kept } = r.view;
  if (hasTag(tree, table, TAG.table) && !isDataTable(tree, grid)) return true;
  // A table around the title of an admonition only places it next to the text.
  if (grid.rows.some((row) => row.some(({ cell }) => r.written.has(cell)))) return true;
  if (hasHeader(tree, grid)) return false;
  if (grid.width < 2 || /^(?:presentation|none)$/i.test(getKnownAttribute(tree, table, ATTRIBUTE.role) ?? ''))
    return true;
  let cells = 0;
  let structured = 0;
  let widest = 0;
  for (const row of grid.rows) {
    let worded = 0;
    for (const { cell, spanned } of row) {
      if (spanned || kept[cell] !== 1 || getSubtreeEnd(tree, cell) <= cell + 1) continue;
      cells++;
      if (hasStructure(tree, cell)) structured++;
      if (hasText(r, cell)) worded++;
    }
    widest = Math.max(widest, worded);
  }
  return widest < 2 || (structured > 0 && structured * 2 >= cells);
}

/** Whether the first row of a table names all of its columns. */
function isDataTable(tree: Tree, { rows, width }: Grid): boolean {
  const [first = []] = rows;
  return (
    width > 1 && rows.length > 1 && first.length === width && first.every(({ cell }) => getTag(tree, cell) === TAG.th)
  );
}

function hasHeader(tree: Tree, grid: Grid): boolean {
  return grid.rows.some((row) => row.some(({ cell }) => getTag(tree, cell) === TAG.th));
}

/** Whether a cell has text other than white space. */
function hasText({ view: { tree, kept } }: RenderState, cell: number): boolean {
  const end = getSubtreeEnd(tree, cell);
  for (let node = cell + 1; node < end; node++) {
    if (kept[node] === 1 && isText(tree, node) && readCharacters(tree, node).trim() !== '') return true;
  }
  return false;
}

/** Whether a cell has more than lines of text: a list, a heading, two paragraphs. */
function hasStructure(tree: Tree, cell: number): boolean {
  const end = getSubtreeEnd(tree, cell);
  for (let node = cell + 1; node < end; node++) {
    const tag = getTag(tree, node);
    if (STRUCTURE_TAGS[tag] === 1) return true;
    if (tag !== TAG.p) continue;
    let next = getNextSibling(tree, node);
    if (isText(tree, next) && ((tree.flags[next] ?? 0) & WHITESPACE) !== 0) next = getNextSibling(tree, next);
    if (getTag(tree, next) === TAG.p) return true;
  }
  return false;
}

/** Renders a row; GFM treats missing cells at its end as empty. */
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

/** Removes line breaks and white space at both ends. */
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
    : computeRowLevels(
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

/** Writes what `write` writes as a quote of the given depth, so that a reply is nested in what it replies to. */
function writeQuoted(r: RenderState, depth: number, write: () => void): void {
  if (depth === 0) return write();
  writePrefixed(r.writer, { first: '> ', rest: '> ' }, () => writeQuoted(r, depth - 1, write));
}

/** Whether a cell has the line numbers of the code next to it. */
function isLineNumbers({ view }: RenderState, cell: number): boolean {
  return isGutter(view.tree, cell) || /^\s*\d[\d\s]*$/.test(readCodeText(view, cell));
}
