import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { givenName, named } from '#extract/schema/names.ts';

/** The members that every list takes. */
export const LIST_INPUT = {
  limit: wholeNumber(1, 1000).default(100).describe('Rows of one page'),
  cursor: z.string().max(1000).optional().describe('next_cursor of the page before'),
};

/** What every list answers; `request_id` is the gate's. */
export function listOutput<T extends z.ZodType>(row: T) {
  const list = z.object({ data: z.array(row).readonly(), next_cursor: z.string().nullable() });
  const name = givenName(row);
  return name === undefined ? list : named(`${name}List`, list);
}

/** A page of short rows and the cursor of the next, from one row more than was asked for. */
export function buildListPage<T>(
  rows: readonly T[],
  { limit, cursorOf }: { readonly limit: number; readonly cursorOf: (last: T) => string },
) {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, next_cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** Bytes of JSON that the rows of one page have at most, if they are more than one. */
const MAX_PAGE_BYTES = 1024 * 1024;
/** Rows that are read at once: the first few, and then as many as are likely to fit. */
const FIRST_ROWS = 8;
const MAX_ROWS_PER_READ = 128;

export type ListPageRequest<T> = {
  readonly limit: number;
  /** Where the page before has ended, null for the first page. */
  readonly after: string | null;
  /** Reads so many rows behind a position. */
  readonly load: (after: string | null, limit: number) => Promise<readonly T[]>;
  readonly positionOf: (row: T) => string;
  readonly cursorOf: (position: string) => string;
};

/** A page of rows and the cursor of the next; long rows make a shorter page. */
export async function readListPage<T>({ limit, after, load, positionOf, cursorOf }: ListPageRequest<T>) {
  const data: T[] = [];
  let bytes = 0;
  let last = after;
  for (let most = FIRST_ROWS; ; most = estimateRows(data.length, bytes)) {
    const wanted = Math.min(most, limit - data.length + 1);
    const rows = await load(last, wanted);
    for (const row of rows) {
      bytes += Buffer.byteLength(JSON.stringify(row));
      const isFull = data.length === limit || (data.length > 0 && bytes > MAX_PAGE_BYTES);
      if (isFull && last !== null) return { data, next_cursor: cursorOf(last) };
      data.push(row);
      last = positionOf(row);
    }
    if (rows.length < wanted) return { data, next_cursor: null };
    // What else waits has its turn between two readings.
    await setImmediate();
  }
}

function estimateRows(rows: number, bytes: number): number {
  return Math.max(1, Math.min(MAX_ROWS_PER_READ, Math.floor(((MAX_PAGE_BYTES - bytes) * rows) / bytes)));
}
