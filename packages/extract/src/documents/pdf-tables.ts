import { type PdfCell, type PdfLine, type TextRun, getRunsText } from './pdf-lines.ts';

/** Cells by row and column, empty where nothing stands; and the line that follows the table. */
export type PdfTable = { readonly rows: readonly (readonly (readonly TextRun[])[])[]; readonly end: number };

/** Columns of text that a program wrote line by line across the page, and the line that follows them. */
export type PdfColumns = { readonly lines: readonly PdfLine[]; readonly end: number };

type Span = { readonly left: number; readonly right: number };

const MAX_COLUMNS = 40;
/** No page is higher; each line of what is no table is looked at as the start of one. */
const MAX_LINES = 400;
/** Distances in heights of the letters: from row to row, and from line to line of one cell. */
const MAX_ROW_GAP = 3.2;
const MAX_LINE_GAP = 1.35;
/** Mean length of the cells of a table; text in columns has longer ones. */
const MIN_PROSE_LENGTH = 30;

/** The table that begins at a line: at least two lines whose cells stand in the same columns; null for none. */
export function findTable(lines: readonly PdfLine[], start: number): PdfTable | null {
  const { end, columns, isProse } = findGrid(lines, start);
  if (columns.length < 2 || isProse) return null;
  const rows: TextRun[][][] = [];
  for (let at = start; at < end; at++) {
    const line = lines[at];
    if (line === undefined) break;
    const row: TextRun[][] = columns.map(() => []);
    for (const cell of line.cells) appendRuns(row[findColumn(cell, columns)], cell.runs);
    const before = rows.at(-1);
    if (before !== undefined && continuesRow(row, line, lines[at - 1])) {
      for (const [column, runs] of row.entries()) appendRuns(before[column], runs);
    } else rows.push(row);
  }
  return rows.length < 2 ? null : { rows, end };
}

/** Columns of prose that begin at a line, set one below the other; null where there are none. */
export function findColumns(lines: readonly PdfLine[], start: number): PdfColumns | null {
  const { end, columns, isProse } = findGrid(lines, start);
  if (columns.length < 2 || !isProse) return null;
  const apart = columns.flatMap((_, column) =>
    lines.slice(start, end).flatMap((line) =>
      line.cells
        .filter((cell) => findColumn(cell, columns) === column)
        .map(({ runs, left, right }) => ({
          ...line,
          cells: [{ runs, left, right }],
          text: getRunsText(runs),
          left,
          right,
        })),
    ),
  );
  return { lines: apart, end };
}

type Grid = { readonly end: number; readonly columns: readonly Span[]; readonly isProse: boolean };

function findGrid(lines: readonly PdfLine[], start: number): Grid {
  const none = { end: start, columns: [], isProse: false };
  const first = lines[start];
  if (first === undefined || first.cells.length < 2) return none;
  let end = start + 1;
  /** A line of one cell belongs to the table only where another row follows it. */
  let checked = start + 1;
  for (; checked < Math.min(lines.length, start + MAX_LINES); checked++) {
    const line = lines[checked];
    const before = lines[checked - 1];
    if (line === undefined || before === undefined || !isBelow(line, before, MAX_ROW_GAP)) break;
    if (line.cells.length > 1) end = checked + 1;
    else if (!isBelow(line, before, MAX_LINE_GAP) || checked - end > 3) break;
  }
  const rows = lines.slice(start, end).filter((line) => line.cells.length > 1);
  const columns = findColumnSpans(rows);
  const lengths = rows.flatMap((line) => line.cells.map((cell) => getRunsText(cell.runs).length));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  if (rows.length < 2 || columns.length < 2 || columns.length > MAX_COLUMNS) return none;
  const isProse = columns.length < 4 && mean > MIN_PROSE_LENGTH && rows.length > 3;
  return mean > MIN_PROSE_LENGTH && rows.length < 3 ? none : { end: extendEnd(lines, end), columns, isProse };
}

/** The last cell may go on below the last row. */
function extendEnd(lines: readonly PdfLine[], end: number): number {
  const last = lines[end - 1];
  const next = lines[end];
  if (last === undefined || next === undefined) return end;
  const isCell = isBelow(next, last, MAX_LINE_GAP) && next.left > last.left + last.size;
  return isCell ? end + 1 : end;
}

function isBelow(line: PdfLine, before: PdfLine, most: number): boolean {
  const distance = line.base - before.base;
  return distance > 0 && distance <= Math.max(line.size, before.size) * most;
}

/** Cells that overlap stand in one column. Where a wide one bridges all, the lines with most cells decide. */
function findColumnSpans(rows: readonly PdfLine[]): readonly Span[] {
  const all = joinSpans(rows.flatMap((line) => line.cells));
  const most = Math.max(...rows.map((line) => line.cells.length));
  if (all.length >= most) return all;
  const full = rows.filter((line) => line.cells.length === most);
  return full.length * 2 >= rows.length ? joinSpans(full.flatMap((line) => line.cells)) : all;
}

function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const { left, right } of spans.toSorted((one, other) => one.left - other.left)) {
    const last = joined.at(-1);
    if (last !== undefined && left < last.right) {
      joined[joined.length - 1] = { left: last.left, right: Math.max(last.right, right) };
    } else joined.push({ left, right });
  }
  return joined;
}

/** The column that a cell has most in common with. */
function findColumn(cell: PdfCell, columns: readonly Span[]): number {
  let best = 0;
  let most = -Infinity;
  for (const [column, { left, right }] of columns.entries()) {
    const shared = Math.min(cell.right, right) - Math.max(cell.left, left);
    if (shared > most) {
      most = shared;
      best = column;
    }
  }
  return best;
}

/** A line close below another whose first cell is empty goes on with the row above. */
function continuesRow(row: readonly (readonly TextRun[])[], line: PdfLine, before: PdfLine | undefined): boolean {
  return row[0]?.length === 0 && before !== undefined && isBelow(line, before, MAX_LINE_GAP);
}

function appendRuns(cell: TextRun[] | undefined, runs: readonly TextRun[]): void {
  if (cell === undefined || runs.length === 0) return;
  if (cell.length > 0) cell.push({ text: ' ', url: null });
  cell.push(...runs);
}
