import { hasTag, type Grid, buildGrid, type GridSlot } from './table-grid.ts';
import type { PageTable } from '#extract/reading.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { isText, getParent, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';
import { isFormula, mayHaveFormulas } from '#extract/view/formula-nodes.ts';
import { readShownText } from '#extract/view/hidden-elements.ts';
import type { View } from '#extract/view/view.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { toPlainText } from './markdown.ts';

const MAX_CELL_LENGTH = 10_000;
/** The most characters that spans may repeat in all tables of a page. */
const MAX_REPEATED_LENGTH = 1_000_000;
const MAX_PADDED_SLOTS = 10_000;

/**
 * Lists the data tables of the included part of a page, with spans expanded. Layout tables and tables that contain
 * tables are skipped.
 */
export function listTables(view: View): readonly PageTable[] {
  const { tree, kept } = view;
  const textOfCell = createCellReader(view);
  const tables: PageTable[] = [];
  const repeated = { left: MAX_REPEATED_LENGTH };
  for (let node = 1; node < tree.count; node++) {
    if (kept[node] !== 1 || getTag(tree, node) !== TAG.table || hasTag(tree, node, TAG.table)) continue;
    const table = toTable(tree, buildGrid(tree, node), { repeated, textOfCell });
    if (table !== null) tables.push(table);
  }
  return tables;
}

type CellContext = { readonly repeated: { left: number }; readonly textOfCell: (cell: number) => string };

function toTable(tree: Tree, grid: Grid, reading: CellContext): PageTable | null {
  const header = countHeaderRows(tree, grid);
  if (grid.width < 2 && header === 0) return null;
  const width = computePaddedWidth(grid);
  const rows = toTexts(grid, reading).map((row) => padRow(row, width));
  const headers = Array.from({ length: header === 0 ? 0 : grid.width }, (_, column) =>
    [...new Set(rows.slice(0, header).map((row) => row[column] ?? ''))].filter((text) => text !== '').join(' '),
  );
  const body = rows.slice(header).filter((row) => row.some((text) => text !== ''));
  if (body.length === 0 && headers.every((text) => text === '')) return null;
  const caption = grid.caption === 0 ? '' : readShownText(tree, grid.caption, MAX_CELL_LENGTH);
  return { caption: caption === '' ? null : caption, headers, rows: body };
}

/** Creates a function that reads a cell as one line; formulas look as in the text output. */
function createCellReader(view: View): (cell: number) => string {
  const { tree } = view;
  const mayHold = mayHaveFormulas(tree);
  return (cell) =>
    mayHold && hasFormula(tree, cell)
      ? collapseSpace(toPlainText(view, cell))
      : readShownText(tree, cell, MAX_CELL_LENGTH);
}

function hasFormula(tree: Tree, cell: number): boolean {
  const end = getSubtreeEnd(tree, cell);
  for (let node = cell + 1; node < end; node++) if (!isText(tree, node) && isFormula(tree, node)) return true;
  return false;
}

/** The number of rows at the top that name the columns: those of the `thead`, or one row of header cells. */
function countHeaderRows(tree: Tree, { rows }: Grid): number {
  const inHead = rows.findIndex((row) => row.some((place) => !isInHead(tree, place)));
  if (inHead > 0) return inHead;
  const [first = []] = rows;
  const named = first.length > 0 && first.every(({ cell }) => getTag(tree, cell) === TAG.th);
  return named ? 1 : 0;
}

function isInHead(tree: Tree, { cell }: GridSlot): boolean {
  return getTag(tree, getParent(tree, getParent(tree, cell))) === TAG.thead;
}

function toTexts(grid: Grid, { repeated, textOfCell }: CellContext): readonly (readonly string[])[] {
  const texts = new Map<number, string>();
  return grid.rows.map((row) =>
    row.map(({ cell }) => {
      const known = texts.get(cell);
      if (known !== undefined) {
        repeated.left -= known.length;
        return repeated.left < 0 ? '' : known;
      }
      const text = textOfCell(cell).slice(0, MAX_CELL_LENGTH);
      texts.set(cell, text);
      return text;
    }),
  );
}

/** The width to which rows are padded; 0 for no padding if few rows are that wide, as with accumulated spans. */
function computePaddedWidth({ rows, width }: Grid): number {
  const places = rows.reduce((sum, row) => sum + row.length, 0);
  return rows.length * width <= places * 10 + MAX_PADDED_SLOTS ? width : 0;
}

function padRow(row: readonly string[], width: number): readonly string[] {
  return row.length >= width ? row : [...row, ...Array<string>(width - row.length).fill('')];
}
