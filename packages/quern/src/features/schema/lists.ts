import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { getSchemaName, nameSchema } from '#extract/schema/names.ts';

/** The parameters of every list. */
export const LIST_INPUT = {
  limit: wholeNumber(1, 1000).default(100).describe('Most rows of one page'),
  cursor: z.string().max(1000).optional().describe('next_cursor of the previous page'),
};

/** Builds the response schema of a list. */
export function buildListOutput<T extends z.ZodType>(row: T) {
  const list = z.object({ data: z.array(row).readonly(), next_cursor: z.string().nullable() });
  const name = getSchemaName(row);
  return name === undefined ? list : nameSchema(`${name}List`, list);
}

/** Builds a list page and the cursor of the next one. `rows` must have one row more than `limit`, if there are more. */
export function buildListPage<T>(
  rows: readonly T[],
  { limit, cursorOf }: { readonly limit: number; readonly cursorOf: (last: T) => string },
) {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, next_cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** The most bytes of JSON of one list page, unless a single row is longer. */
const MAX_PAGE_BYTES = 1024 * 1024;
/** Rows per read: first a few, then as many as probably fit. */
const FIRST_ROWS = 8;
const MAX_ROWS_PER_READ = 128;

export type ListPageRequest<T> = {
  readonly limit: number;
  /** The position of the last row of the previous page; null for the first page. */
  readonly after: string | null;
  /** Reads up to `limit` rows after a position. */
  readonly load: (after: string | null, limit: number) => Promise<readonly T[]>;
  readonly getPosition: (row: T) => string;
  readonly writeCursor: (position: string) => string;
};

/** Reads a list page and the cursor of the next one. Long rows make the page shorter. */
export async function readListPage<T>({ limit, after, load, getPosition, writeCursor }: ListPageRequest<T>) {
  const data: T[] = [];
  let bytes = 0;
  let last = after;
  for (let most = FIRST_ROWS; ; most = estimateRows(data.length, bytes)) {
    const wanted = Math.min(most, limit - data.length + 1);
    const rows = await load(last, wanted);
    for (const row of rows) {
      bytes += Buffer.byteLength(JSON.stringify(row));
      const isFull = data.length === limit || (data.length > 0 && bytes > MAX_PAGE_BYTES);
      if (isFull && last !== null) return { data, next_cursor: writeCursor(last) };
      data.push(row);
      last = getPosition(row);
    }
    if (rows.length < wanted) return { data, next_cursor: null };
    // Lets other work run between two reads.
    await setImmediate();
  }
}

function estimateRows(rows: number, bytes: number): number {
  return Math.max(1, Math.min(MAX_ROWS_PER_READ, Math.floor(((MAX_PAGE_BYTES - bytes) * rows) / bytes)));
}
