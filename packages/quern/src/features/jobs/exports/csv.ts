import { stringify } from 'csv-stringify/sync';
import type { JsonObject } from '#extract/values/json-object.ts';
import { findColumns, readCell } from './columns.ts';

/** Rows written at once. */
const BATCH = 100;

/**
 * Writes a list as CSV (RFC 4180) with a line of names. The list is read twice, since the names come first. Cells are not
 * changed: one that begins with `=` is a formula to a spreadsheet program.
 */
export async function* writeCsv(list: () => AsyncIterable<JsonObject>): AsyncGenerator<string, void> {
  const columns = await findColumns(list());
  yield format([columns.map(({ name }) => name.toWellFormed())]);
  let rows: string[][] = [];
  for await (const element of list()) {
    rows.push(columns.map((column) => String(readCell(element, column) ?? '')));
    if (rows.length < BATCH) continue;
    yield format(rows);
    rows = [];
  }
  if (rows.length > 0) yield format(rows);
}

function format(rows: string[][]): string {
  return stringify(rows, { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}
