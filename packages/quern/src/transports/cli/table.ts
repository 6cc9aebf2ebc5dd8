import { styleText } from 'node:util';
import type { Terminal } from './context.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns are never cut below this width. */
const MIN_CUT_COLUMNS = 8;
const GAP = '  ';
/** An id such as `job_…`, or a time: cut values of these are useless. */
const NEVER_CUT = /^(?:[a-z]{2,5}_[0-9a-z]{26}|\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?)$/;

/**
 * Prints rows as aligned columns, or as one JSON array. On a terminal, the widest columns are cut so that a row fits one
 * line. Columns with ids or times are never cut, so a row may take several lines.
 */
export function printTable(
  rows: readonly Row[],
  { terminal, json }: { readonly terminal: Terminal; readonly json: boolean },
): void {
  if (json) {
    terminal.out(`${JSON.stringify(rows)}\n`);
    return;
  }
  const { display } = terminal;
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => formatCell(row[name])));
  const full = names.map((name, at) => Math.max(name.length, ...cells.map((row) => (row[at] ?? '').length)));
  const isCut = names.map((_, at) => !cells.some((row) => NEVER_CUT.test(row[at] ?? '')));
  const widths = display === null ? full : fitWidths(full, isCut, display.columns);
  const toLine = (row: readonly string[]): string =>
    row.map((cell, at) => cutCell(cell, widths[at] ?? 0).padEnd(widths[at] ?? 0)).join(GAP);
  const head = toLine(names).trimEnd();
  terminal.out(`${display?.hasColors === true ? styleText('bold', head, { validateStream: false }) : head}\n`);
  for (const row of cells) terminal.out(`${toLine(row).trimEnd()}\n`);
}

/** Computes column widths that fit a line, if possible, by narrowing the widest column that may be cut. */
function fitWidths(full: readonly number[], isCut: readonly boolean[], columns: number): readonly number[] {
  const widths = [...full];
  let over = widths.reduce((sum, width) => sum + width, GAP.length * (full.length - 1)) - columns;
  for (; over > 0; over -= 1) {
    const widest = Math.max(...widths.filter((_, at) => isCut[at]));
    if (widest <= MIN_CUT_COLUMNS) break;
    const at = widths.findIndex((width, one) => isCut[one] === true && width === widest);
    widths[at] = widest - 1;
  }
  return widths;
}

function cutCell(cell: string, width: number): string {
  return cell.length <= width ? cell : `${cell.slice(0, Math.max(0, width - 1))}…`;
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
