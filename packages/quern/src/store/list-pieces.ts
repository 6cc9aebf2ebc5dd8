import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { Db, StoreKind, Value } from './db.ts';
import { readRow } from './rows.ts';

/** Rows that one statement looks at, since the embedded store serves nothing else meanwhile. */
const PIECE_ROWS: Readonly<Record<StoreKind, number>> = { sqlite: 2000, postgres: 100_000 };
/** Sorts after every id. */
export const FIRST_PAGE = '~';

const Id = z.object({ id: z.string() });

export type ListQuery<T> = {
  /** The statement for the id that is N rows (the last parameter) before a given id (the second last), among those of `values`. */
  readonly edge: string;
  readonly values: readonly Value[];
  /** Rows wanted in all. */
  readonly limit: number;
  /** The id of the last row of the previous page, null for the first page. */
  readonly after: string | null;
  /** The filtered rows from the id `from` to below the id `below`, newest first. */
  readonly read: (span: {
    readonly below: string;
    readonly from: string;
    readonly most: number;
  }) => Promise<readonly T[]>;
};

/**
 * A page of a list, newest first, by a filter without an index: rows are read a piece at a time, so that other statements
 * run in between however few rows match.
 */
export async function readInPieces<T>(
  db: Db,
  { edge, values, limit, after, read }: ListQuery<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let below = after ?? FIRST_PAGE;
  // If the filter drops nothing, the first piece is the page.
  for (let size = limit; ; size = PIECE_ROWS[db.kind]) {
    const from = readRow(Id, await db.query(edge, [...values, below, size - 1]))?.id ?? '';
    found.push(...(await read({ below, from, most: limit - found.length })));
    if (found.length >= limit || from === '') return found;
    below = from;
    await turn();
  }
}
