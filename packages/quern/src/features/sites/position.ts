import { z } from 'zod';
import type { EndpointCall } from '#features/schema/parameters.ts';

/** Where a list continues: a source, its own page token, and how many elements of that page were already returned. */
export type ListPosition = { readonly source: string; readonly token: string | null; readonly offset: number };

/** Cursors of one caller and one operation. */
export type BoundCursors = {
  readonly read: (filters: Readonly<Record<string, unknown>>, cursor: string | null) => string | null;
  readonly write: (filters: Readonly<Record<string, unknown>>, position: string) => string;
};

const WrittenPosition = z.tuple([z.string(), z.string().nullable(), z.int().min(0)]);

/**
 * Reads the position from the caller's cursor; null without a cursor. Throws `invalid_request` for a cursor of other
 * parameters.
 */
export function readPosition(asked: EndpointCall, cursors: BoundCursors): ListPosition | null {
  const text = cursors.read(getFilters(asked), asked.options.cursor ?? null);
  if (text === null) return null;
  const [source, token, offset] = WrittenPosition.parse(JSON.parse(text));
  return { source, token, offset };
}

export function writePosition(
  asked: EndpointCall,
  cursors: BoundCursors,
  { source, token, offset }: ListPosition,
): string {
  return cursors.write(getFilters(asked), JSON.stringify([source, token, offset]));
}

/**
 * Returns the endpoint's own parameters in a fixed order. Shared options may change from page to page, and `page` only
 * affects where the list starts.
 */
function getFilters({ input }: EndpointCall): Readonly<Record<string, unknown>> {
  const { page: _, ...filters } = input;
  return Object.fromEntries(Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
