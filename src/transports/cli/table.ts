import type { Terminal } from './parts.ts';

/** Prints rows as aligned columns, or as one JSON array. */
export function printTable(
  rows: readonly Readonly<Record<string, unknown>>[],
  { terminal, json }: { readonly terminal: Terminal; readonly json: boolean },
): void {
  if (json) {
    terminal.out(`${JSON.stringify(rows)}\n`);
    return;
  }
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => toCell(row[name])));
  const widths = names.map((name, at) => Math.max(name.length, ...cells.map((row) => (row[at] ?? '').length)));
  const toLine = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  for (const row of [names, ...cells]) terminal.out(`${toLine(row).trimEnd()}\n`);
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
