import { contains, type Grid, gridOf, type GridSlot } from './grid.ts';
import type { PageTable } from '#extract/reading.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { isText, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { isFormula, mayHoldFormulas } from '#extract/view/formula-nodes.ts';
import { shownText } from '#extract/view/shown-text.ts';
import type { View } from '#extract/view/view.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { toPlainText } from './markdown.ts';

const MAX_CELL_LENGTH = 10_000;
/** Characters that spans may repeat in all tables of a page. */
const MAX_REPEATED = 1_000_000;
const MAX_PADDED = 10_000;

/** The data tables of the kept part of a page: spans spelt out, layout tables and nested tables' frames left out. */
export function tablesOf(view: View): readonly PageTable[] {
  const { tree, kept } = view;
  const textOfCell = cellReader(view);
  const tables: PageTable[] = [];
  const repeated = { left: MAX_REPEATED };
  for (let node = 1; node < tree.count; node++) {
    if (kept[node] !== 1 || tagOf(tree, node) !== TAG.table || contains(tree, node, TAG.table)) continue;
    const table = toTable(tree, gridOf(tree, node), { repeated, textOfCell });
    if (table !== null) tables.push(table);
  }
  return tables;
}

type CellReading = { readonly repeated: { left: number }; readonly textOfCell: (cell: number) => string };

function toTable(tree: Tree, grid: Grid, reading: CellReading): PageTable | null {
  const header = headerRows(tree, grid);
  if (grid.width < 2 && header === 0) return null;
  const width = paddedWidth(grid);
  const rows = toTexts(grid, reading).map((row) => padded(row, width));
  const headers = Array.from({ length: header === 0 ? 0 : grid.width }, (_, column) =>
    [...new Set(rows.slice(0, header).map((row) => row[column] ?? ''))].filter((text) => text !== '').join(' '),
  );
  const body = rows.slice(header).filter((row) => row.some((text) => text !== ''));
  if (body.length === 0 && headers.every((text) => text === '')) return null;
  const caption = grid.caption === 0 ? '' : shownText(tree, grid.caption, MAX_CELL_LENGTH);
  return { caption: caption === '' ? null : caption, headers, rows: body };
}

/** Reads cells as one line each: formulas as the text output has them. */
function cellReader(view: View): (cell: number) => string {
  const { tree } = view;
  const mayHold = mayHoldFormulas(tree);
  return (cell) =>
    mayHold && holdsFormula(tree, cell)
      ? collapseSpace(toPlainText(view, cell))
      : shownText(tree, cell, MAX_CELL_LENGTH);
}

function holdsFormula(tree: Tree, cell: number): boolean {
  const end = subtreeEndOf(tree, cell);
  for (let node = cell + 1; node < end; node++) if (!isText(tree, node) && isFormula(tree, node)) return true;
  return false;
}

/** Rows at the top that name the columns: those of the thead, or one of header cells only. */
function headerRows(tree: Tree, { rows }: Grid): number {
  const inHead = rows.findIndex((row) => row.some((place) => !isInHead(tree, place)));
  if (inHead > 0) return inHead;
  const [first = []] = rows;
  const named = first.length > 0 && first.every(({ cell }) => tagOf(tree, cell) === TAG.th);
  return named ? 1 : 0;
}

function isInHead(tree: Tree, { cell }: GridSlot): boolean {
  return tagOf(tree, parentOf(tree, parentOf(tree, cell))) === TAG.thead;
}

function toTexts(grid: Grid, { repeated, textOfCell }: CellReading): readonly (readonly string[])[] {
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

/** Rows are filled up to the widest unless hardly any is that wide, as where spans pile up. */
function paddedWidth({ rows, width }: Grid): number {
  const places = rows.reduce((sum, row) => sum + row.length, 0);
  return rows.length * width <= places * 10 + MAX_PADDED ? width : 0;
}

function padded(row: readonly string[], width: number): readonly string[] {
  return row.length >= width ? row : [...row, ...Array<string>(width - row.length).fill('')];
}
