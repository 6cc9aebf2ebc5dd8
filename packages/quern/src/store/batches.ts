import { setImmediate as turn } from 'node:timers/promises';
import type { Db, Value } from './db.ts';

/** Rows that one statement changes at most, so that locks are short and the embedded store serves others in between. */
export const BATCH = 50;

/**
 * Repeats a batch until nothing is left, so that no table grows faster than it is emptied. Yields to the event loop
 * between batches, since a promise of the embedded store alone never does.
 */
export async function untilEmpty(batch: () => Promise<'more' | 'empty'>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted === true || (await batch()) === 'empty') return;
    await turn();
  }
}

/** Repeats a statement that returns the rows that it changed; its last parameter is the most of them. */
export async function changeInBatches(
  db: Db,
  { sql, values }: { readonly sql: string; readonly values: readonly Value[] },
  signal?: AbortSignal,
): Promise<void> {
  await untilEmpty(async () => moreOf(await db.query(sql, [...values, BATCH])), signal);
}

/** Whether a batch of rows was a full one. */
export function moreOf(rows: readonly unknown[]): 'more' | 'empty' {
  return rows.length < BATCH ? 'empty' : 'more';
}
