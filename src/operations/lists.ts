import { z } from 'zod';
import { wholeNumber } from '#kernel/numbers.ts';

/** The members that every list takes. */
export const LIST_INPUT = {
  limit: wholeNumber(1, 1000).default(100).describe('Rows of one page'),
  cursor: z.string().max(1000).optional().describe('next_cursor of the page before'),
};

/** What every list answers; `request_id` is the gate's. */
export function listOutput<T extends z.ZodType>(row: T) {
  return z.object({ data: z.array(row).readonly(), next_cursor: z.string().nullable() });
}

/** A page of rows and the cursor of the next, from one row more than was asked for. */
export function toPage<T>(
  rows: readonly T[],
  { limit, cursorOf }: { readonly limit: number; readonly cursorOf: (last: T) => string },
) {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, next_cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
