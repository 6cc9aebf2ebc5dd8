import type { z } from 'zod';
import type { Row } from './db.ts';

/** Reads rows by a schema; a row that does not match is a bug and throws. */
export function readRows<T extends z.ZodType>(schema: T, rows: readonly Row[]): z.output<T>[] {
  return rows.map((row) => schema.parse(row));
}

/** Reads the first row, null when there is none. */
export function readRow<T extends z.ZodType>(schema: T, rows: readonly Row[]): z.output<T> | null {
  const row = rows[0];
  return row === undefined ? null : schema.parse(row);
}
