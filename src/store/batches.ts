import { setImmediate as turn } from 'node:timers/promises';
import type { Db, Value } from './db.ts';

/** Rows that one statement changes at most: no lock lasts, and the embedded store keeps nobody waiting for long. */
export const BATCH = 50;

/**
 * Repeats a batch until one says that nothing is left, so that no table grows faster than its round empties it. Between
 * two the event loop has its turn, since a promise of the embedded store alone never lets a request in.
 */
export async function untilEmpty(batch: () => Promise<'more' | 'empty'>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted === true || (await batch()) === 'empty') return;
    await turn();
  }
}

/** Repeats a statement that answers a row for each that it changed, of which its last parameter is the most. */
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
