import { type PdfCell, type PdfLine, type TextRun, getRunsText } from './pdf-lines.ts';

/** The cells of a table by row and column, with empty cells as empty lists, and the index of the line after the table. */
export type PdfTable = { readonly rows: readonly (readonly (readonly TextRun[])[])[]; readonly end: number };

/** The lines of text columns that the PDF draws line by line across the page, and the index of the line after them. */
export type PdfColumns = { readonly lines: readonly PdfLine[]; readonly end: number };

type Span = { readonly left: number; readonly right: number };

const MAX_COLUMNS = 40;
/** More lines than any page has. Each line may be tried as the start of a table, so the search must be bounded. */
const MAX_LINES = 400;
/** The largest distance between table rows, and between the lines of one cell, in font sizes. */
const MAX_ROW_GAP = 3.2;
const MAX_LINE_GAP = 1.35;
/** The mean length of cells above which a table is text in columns. */
const MIN_PROSE_LENGTH = 30;

/** Finds the table that starts at a line: at least two rows with cells in the same columns. Null if there is none. */
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

/** Finds columns of prose that start at a line, and puts one after the other; null if there are none. */
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
  /** The line being checked. One with a single cell belongs to the table only if another row follows it. */
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

/** Extends the table by a line that continues the last cell. */
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

/** Overlapping cells form one column. If a wide cell spans several columns, the rows with the most cells decide. */
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

/** The column that overlaps most with a cell. */
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

/** Whether a line continues the row above: it is close to it, and its first cell is empty. */
function continuesRow(row: readonly (readonly TextRun[])[], line: PdfLine, before: PdfLine | undefined): boolean {
  return row[0]?.length === 0 && before !== undefined && isBelow(line, before, MAX_LINE_GAP);
}

function appendRuns(cell: TextRun[] | undefined, runs: readonly TextRun[]): void {
  if (cell === undefined || runs.length === 0) return;
  if (cell.length > 0) cell.push({ text: ' ', url: null });
  cell.push(...runs);
}
