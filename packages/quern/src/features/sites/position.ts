import { z } from 'zod';
import type { EndpointCall } from '#features/schema/parameters.ts';

/** Where a list goes on: the site's own token for one of its sources, and how much of that page was given already. */
export type ListPosition = { readonly source: string; readonly token: string | null; readonly offset: number };

/** Cursors of one caller and one operation. */
export type BoundCursors = {
  readonly read: (filters: Readonly<Record<string, unknown>>, cursor: string | null) => string | null;
  readonly write: (filters: Readonly<Record<string, unknown>>, position: string) => string;
};

const WrittenPosition = z.tuple([z.string(), z.string().nullable(), z.int().min(0)]);

/** Where the caller's cursor leads, null without one; throws `invalid_request` for one of other parameters. */
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
 * The endpoint's own parameters in one order, however they were sent; its options may change from page to page, and
 * `page` says only where the list began.
 */
function getFilters({ input }: EndpointCall): Readonly<Record<string, unknown>> {
  const { page: _, ...filters } = input;
  return Object.fromEntries(Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
