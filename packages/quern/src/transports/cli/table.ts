import { styleText } from 'node:util';
import type { Terminal } from './parts.ts';

type Row = Readonly<Record<string, unknown>>;

/** Narrower columns are not cut. */
const MIN_WIDTH = 8;
const GAP = '  ';
/** An id of the service, such as `job_…`, or a time: a part of one is useless. */
const UNCUT = /^(?:[a-z]{2,5}_[0-9a-z]{26}|\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?)$/;

/**
 * Prints rows as aligned columns, or as one JSON array. On a screen the widest columns are cut, so that a row is one line.
 * Columns that hold an id or a time are never cut: where they alone are wider than the screen, a row takes more lines.
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
  const cells = rows.map((row) => names.map((name) => toCell(row[name])));
  const full = names.map((name, at) => Math.max(name.length, ...cells.map((row) => (row[at] ?? '').length)));
  const isCut = names.map((_, at) => !cells.some((row) => UNCUT.test(row[at] ?? '')));
  const widths = display === null ? full : fit(full, isCut, display.columns);
  const toLine = (row: readonly string[]): string =>
    row.map((cell, at) => cut(cell, widths[at] ?? 0).padEnd(widths[at] ?? 0)).join(GAP);
  const head = toLine(names).trimEnd();
  terminal.out(`${display?.hasColors === true ? styleText('bold', head, { validateStream: false }) : head}\n`);
  for (const row of cells) terminal.out(`${toLine(row).trimEnd()}\n`);
}

/** Widths that fit a line where they can: of the columns that may be cut, the widest is made smaller first. */
function fit(full: readonly number[], isCut: readonly boolean[], columns: number): readonly number[] {
  const widths = [...full];
  let over = widths.reduce((sum, width) => sum + width, GAP.length * (full.length - 1)) - columns;
  for (; over > 0; over -= 1) {
    const widest = Math.max(...widths.filter((_, at) => isCut[at]));
    if (widest <= MIN_WIDTH) break;
    const at = widths.findIndex((width, one) => isCut[one] === true && width === widest);
    widths[at] = widest - 1;
  }
  return widths;
}

function cut(cell: string, width: number): string {
  return cell.length <= width ? cell : `${cell.slice(0, Math.max(0, width - 1))}…`;
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
