import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import type { ServedEndpoint } from './endpoint.ts';
import type { BoundCursors, SiteCall } from './site-work.ts';
import { buildSourceRun, listTiers, type SourcedRecord, type SourceRun, trySource, trySources } from './try-source.ts';

/** The record of one call. */
export type FetchedRecord = {
  /** The pages that were read: for a list its pages in order, for a record its page and those that filled gaps. */
  readonly pages: readonly SourcedRecord[];
  readonly record: JsonObject;
  /** The cursor of the rest of a list; null if there is none. */
  readonly nextCursor: string | null;
};

/** The most site pages per response of a list. */
const MAX_PAGES = 10;

/** Where a list continues: a source, its own page token, and how many elements of that page were already returned. */
export type ListPosition = { readonly source: string; readonly token: string | null; readonly offset: number };

/**
 * Fetches one page of the site's list at a position; null for the first. Throws the combined error if all sources fail.
 */
export async function fetchListPage(
  endpoint: ServedEndpoint,
  endpointCall: EndpointCall,
  context: SiteCall,
  position: ListPosition | null,
): Promise<SourcedRecord> {
  return trySources(buildSourceRun(endpoint, endpointCall, context, position));
}

/** Reads further pages of a list until there are as many elements as requested. */
export async function followList(
  run: SourceRun,
  first: SourcedRecord,
  { list, offset }: { readonly list: string; readonly offset: number },
): Promise<FetchedRecord> {
  const { endpointCall, context, sources } = run;
  const limit = endpointCall.options.limit ?? null;
  const source = sources.find(({ name }) => name === first.source);
  const pages = [first];
  const elements: unknown[] = [];
  let position: ListPosition = { source: first.source, token: run.cursor, offset };
  let page = first;
  for (;;) {
    const pageElements = page.record[list];
    // Several parallel lists are paginated together.
    if (!Array.isArray(pageElements)) return { pages, record: first.record, nextCursor: writeNext(page) };
    const rest = pageElements.slice(position.offset);
    const taken = limit === null ? rest : rest.slice(0, limit - elements.length);
    elements.push(...taken);
    const isCut = taken.length < rest.length;
    // A site that returns the same token again would never end.
    if (!isCut && (page.next === null || page.next === position.token)) return toEnd(null);
    position = isCut
      ? { ...position, offset: position.offset + taken.length }
      : { ...position, token: page.next, offset: 0 };
    const isEnough = limit === null || elements.length >= limit || pages.length >= MAX_PAGES;
    if (isCut || isEnough || source === undefined) return toEnd(position);
    const tiers = listTiers(run, source);
    const end = await trySource({ ...run, cursor: position.token }, source, { tiers, shares: 2, after: null });
    // Return what was read so far; its cursor leads to the rest.
    if (!('record' in end)) return toEnd(position);
    pages.push(end);
    page = end;
  }

  function writeNext({ next }: SourcedRecord): string | null {
    if (next === null || next === position.token) return null;
    return writePosition(endpointCall, context.sites.cursors, { ...position, token: next, offset: 0 });
  }

  function toEnd(next: ListPosition | null): FetchedRecord {
    const nextCursor = next === null ? null : writePosition(endpointCall, context.sites.cursors, next);
    return { pages, record: { ...first.record, [list]: elements }, nextCursor };
  }
}

const WrittenPosition = z.tuple([z.string(), z.string().nullable(), z.int().min(0)]);

/**
 * Reads the position from the caller's cursor; null without a cursor. Throws `invalid_request` for a cursor of other
 * parameters.
 */
export function readPosition(endpointCall: EndpointCall, cursors: BoundCursors): ListPosition | null {
  const text = cursors.read(getFilters(endpointCall), endpointCall.options.cursor ?? null);
  if (text === null) return null;
  const [source, token, offset] = WrittenPosition.parse(JSON.parse(text));
  return { source, token, offset };
}

function writePosition(
  endpointCall: EndpointCall,
  cursors: BoundCursors,
  { source, token, offset }: ListPosition,
): string {
  return cursors.write(getFilters(endpointCall), JSON.stringify([source, token, offset]));
}

/**
 * Returns the endpoint's own parameters in a fixed order. Shared options may change from page to page, and `page` only
 * affects where the list starts.
 */
function getFilters({ input }: EndpointCall): Readonly<Record<string, unknown>> {
  const { page: _, ...filters } = input;
  return Object.fromEntries(Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
