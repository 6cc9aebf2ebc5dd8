import { setImmediate as turn } from 'node:timers/promises';
import type { Db, SqlValue } from './db.ts';

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
