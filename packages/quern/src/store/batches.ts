import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { Db, SqlValue, StoreKind } from './db.ts';
import { readRow } from './rows.ts';

/** Maximum rows that one statement changes, so that locks are short and the embedded store serves others in between. */
export const MAX_BATCH_ROWS = 50;

/**
 * Repeats a batch until it returns `empty`. Yields to the event loop between batches, because awaiting the embedded store
 * alone does not.
 */
export async function repeatUntilEmpty(batch: () => Promise<'more' | 'empty'>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted === true || (await batch()) === 'empty') return;
    await turn();
  }
}

/** Repeats a statement that returns the rows it changed, until it changes no full batch. Its last parameter is the row limit. */
export async function changeInBatches(
  db: Db,
  { sql, values }: { readonly sql: string; readonly values: readonly SqlValue[] },
  signal?: AbortSignal,
): Promise<void> {
  await repeatUntilEmpty(async () => toBatchResult(await db.query(sql, [...values, MAX_BATCH_ROWS])), signal);
}

/** `more` if the batch was full, so that there may be more rows. */
export function toBatchResult(rows: readonly unknown[]): 'more' | 'empty' {
  return rows.length < MAX_BATCH_ROWS ? 'empty' : 'more';
}

/** Maximum rows that one statement scans: the embedded store blocks other statements meanwhile. */
const PIECE_ROWS: Readonly<Record<StoreKind, number>> = { sqlite: 2000, postgres: 100_000 };
/** Sorts after every id. */
export const AFTER_ALL_IDS = '~';

const Id = z.object({ id: z.string() });

type ListQuery<T> = {
  /** SQL for the id that is N rows (last parameter) before a given id (second last parameter); `values` come first. */
  readonly edge: string;
  readonly values: readonly SqlValue[];
  /** Maximum number of rows of the page. */
  readonly limit: number;
  /** The id of the last row of the previous page, null for the first page. */
  readonly after: string | null;
  /** Reads the matching rows with `from` <= id < `below`, newest first. */
  readonly read: (span: {
    readonly below: string;
    readonly from: string;
    readonly most: number;
  }) => Promise<readonly T[]>;
};

/**
 * Reads a page of a list, newest first, with a filter that has no index. It scans a limited number of rows at a time, so that
 * other statements can run in between even if few rows match.
 */
export async function listInPieces<T>(
  db: Db,
  { edge, values, limit, after, read }: ListQuery<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  let below = after ?? AFTER_ALL_IDS;
  // If all rows match, the first piece is the whole page.
  for (let size = limit; ; size = PIECE_ROWS[db.kind]) {
    const from = readRow(Id, await db.query(edge, [...values, below, size - 1]))?.id ?? '';
    results.push(...(await read({ below, from, most: limit - results.length })));
    if (results.length >= limit || from === '') return results;
    below = from;
    await turn();
  }
}
