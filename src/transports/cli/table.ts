import { styleText } from 'node:util';
import type { Terminal } from './parts.ts';

type Row = Readonly<Record<string, unknown>>;

/** Narrower columns are not cut. */
const LEAST_WIDTH = 8;
const GAP = '  ';

/** Prints rows as aligned columns, or as one JSON array. On a screen a row is one line: the widest columns are cut. */
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
  const widths = display === null ? full : fit(full, display.columns);
  const toLine = (row: readonly string[]): string =>
    row.map((cell, at) => cut(cell, widths[at] ?? 0).padEnd(widths[at] ?? 0)).join(GAP);
  const head = toLine(names).trimEnd();
  terminal.out(`${display?.hasColors === true ? styleText('bold', head, { validateStream: false }) : head}\n`);
  for (const row of cells) terminal.out(`${toLine(row).trimEnd()}\n`);
}

/** Widths that fit a line, made smaller from the widest on. */
function fit(full: readonly number[], columns: number): readonly number[] {
  const widths = [...full];
  const most = Math.max(columns - GAP.length * (full.length - 1), LEAST_WIDTH * full.length);
  for (let over = widths.reduce((sum, width) => sum + width, 0) - most; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
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
