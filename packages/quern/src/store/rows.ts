import type { z } from 'zod';
import type { Row } from './db.ts';

/** Parses rows with a schema; throws if a row does not match, which is a bug. */
export function readRows<T extends z.ZodType>(schema: T, rows: readonly Row[]): z.output<T>[] {
  return rows.map((row) => schema.parse(row));
}

/** Parses the first row; null if there is none. */
export function readRow<T extends z.ZodType>(schema: T, rows: readonly Row[]): z.output<T> | null {
  const row = rows[0];
  return row === undefined ? null : schema.parse(row);
}
