import { z } from 'zod';
import { type Tier, TIERS } from '#access/page.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { UntypedSource } from '#sites/framework/endpoint.ts';
import { fillNulls, hasMissingValues } from '#sites/framework/answers.ts';
import { listUsableSources, type SourcedRecord, trySource, listTiersFor } from './try-source.ts';
import type { ServedEndpoint } from './endpoint.ts';
import type { BoundCursors, SiteCall } from './site-work.ts';
import { createFailureError, listTiersAfter, type SourceFailure, toOutcome } from './source-failures.ts';

export type FetchedRecord = {
  /** The pages that were read: for a list its pages in order, for a record its page and those that filled gaps. */
  readonly found: readonly SourcedRecord[];
  readonly record: JsonObject;
  readonly nextCursor: string | null;
};

/** The most site pages per response of a list. */
const MAX_PAGES = 10;
/** The longest time of one source while others wait. */
const MAX_SHARE_MS = 20_000;

/** Fetches the record of one call, or as much of a list as requested. Throws the combined error if all sources fail. */
export async function fetchRecord(
  endpoint: ServedEndpoint,
  asked: EndpointCall,
  context: SiteCall,
): Promise<FetchedRecord> {
  const position = readPosition(asked, context.sites.cursors);
  const sources = listSources(endpoint, asked, { position, context });
  const run: SourceRun = { endpoint, asked, context, sources, cursor: position?.token ?? null };
  const first = await trySources(run);
  if (endpoint.list === null) return fillGaps(run, first);
  return followList(run, first, { list: endpoint.list, offset: position?.offset ?? 0 });
}

/**
 * Fetches one page of the site's list at a position; null for the first. Throws the combined error if all sources fail.
 */
export async function fetchListPage(
  endpoint: ServedEndpoint,
  asked: EndpointCall,
  context: SiteCall,
  position: ListPosition | null,
): Promise<SourcedRecord> {
  const sources = listSources(endpoint, asked, { position, context });
  return trySources({ endpoint, asked, context, sources, cursor: position?.token ?? null });
}

type SourceRun = {
  readonly endpoint: ServedEndpoint;
  readonly asked: EndpointCall;
  readonly context: SiteCall;
  readonly sources: readonly UntypedSource[];
  readonly cursor: string | null;
};

/** Lists the usable sources. With a cursor only its own source, because its token means nothing to others. */
function listSources(
  endpoint: ServedEndpoint,
  asked: EndpointCall,
  { position, context }: { readonly position: ListPosition | null; readonly context: SiteCall },
) {
  const usable = listUsableSources(endpoint, asked, context.sites.of(endpoint.site.name), context.sites.now());
  if (usable.length === 0) {
    const message = `QUERN_SITES_FILE: ${endpoint.site.name} needs credentials for this endpoint`;
    throw new ServiceError('backend_unavailable', message, { retryable: false });
  }
  if (position === null) return usable;
  const same = usable.filter(({ name }) => name === position.source);
  if (same.length > 0) return same;
  throw new ServiceError('invalid_request', 'cursor: its source is no longer available; start again without it');
}

/** Tries the sources with the cheapest tier of each, then those that stronger tiers may help. */
async function trySources(run: SourceRun): Promise<SourcedRecord> {
  const { endpoint, sources, context } = run;
  const failures: SourceFailure[] = [];
  const [only, ...others] = sources;
  if (only !== undefined && others.length === 0) {
    const end = await tryOne(run, only, { tiers: listTiers(run, only), shares: 1, after: null });
    if ('record' in end) return end;
    throw createFailureError(endpoint, [end]);
  }
  for (const [at, source] of sources.entries()) {
    const tiers = listTiers(run, source).slice(0, 1);
    const end = await tryOne(run, source, { tiers, shares: sources.length - at + 1, after: null });
    if ('record' in end) return end;
    failures.push(end);
    if (end.verdict?.kind === 'not_found' && end.verdict.isFinal) throw createFailureError(endpoint, failures);
  }
  for (const [at, source] of sources.entries()) {
    const earlier = failures[at];
    const after = earlier === undefined ? null : toOutcome(earlier);
    const tiers = listTiersAfter(after, listTiers(run, source).slice(1));
    if (tiers.length === 0) continue;
    context.sites.signal.throwIfAborted();
    const end = await tryOne(run, source, { tiers, shares: sources.length - at, after });
    if ('record' in end) return end;
    // A missing tier is less informative than the failure of the cheaper one.
    if (end.error?.code !== 'backend_unavailable') failures[at] = end;
  }
  throw createFailureError(endpoint, failures);
}

type SourceTurn = {
  readonly tiers: readonly Tier[];
  /** Into how many shares the remaining time is divided. */
  readonly shares: number;
  readonly after: ReturnType<typeof toOutcome>;
};

async function tryOne({ endpoint, asked, context, cursor }: SourceRun, source: UntypedSource, turn: SourceTurn) {
  const { tiers, shares, after } = turn;
  const withinMs = shares === 1 ? null : Math.min(MAX_SHARE_MS, context.sites.leftMs() / shares);
  return trySource(endpoint, asked, { source, cursor, tiers, withinMs, after, context });
}

function listTiers({ endpoint, context }: SourceRun, source: UntypedSource): readonly Tier[] {
  return listTiersFor(endpoint, source, context.sites.of(endpoint.site.name), TIERS);
}

/** Fills gaps of the record from the following sources, if the endpoint allows it. */
async function fillGaps(run: SourceRun, first: SourcedRecord): Promise<FetchedRecord> {
  const { endpoint, sources } = run;
  const found = [first];
  let record = first.record;
  const later = endpoint.canFill ? sources.slice(sources.findIndex(({ name }) => name === first.source) + 1) : [];
  for (const [at, source] of later.entries()) {
    if (!hasMissingValues(record, endpoint.expected)) break;
    const tiers = listTiers(run, source).slice(0, 1);
    const end = await tryOne(run, source, { tiers, shares: later.length - at + 1, after: null });
    if (!('record' in end)) continue;
    record = fillNulls(record, end.record);
    found.push({ ...end, lacks: [] });
  }
  return { found, record, nextCursor: null };
}

/** Reads further pages of a list until there are as many elements as requested. */
async function followList(
  run: SourceRun,
  first: SourcedRecord,
  { list, offset }: { readonly list: string; readonly offset: number },
): Promise<FetchedRecord> {
  const { asked, context, sources } = run;
  const limit = asked.options.limit ?? null;
  const source = sources.find(({ name }) => name === first.source);
  const found = [first];
  const elements: unknown[] = [];
  let here: ListPosition = { source: first.source, token: run.cursor, offset };
  let page = first;
  for (;;) {
    const given = page.record[list];
    // Several parallel lists are paginated together.
    if (!Array.isArray(given)) return { found, record: first.record, nextCursor: nextOf(page) };
    const rest = given.slice(here.offset);
    const taken = limit === null ? rest : rest.slice(0, limit - elements.length);
    elements.push(...taken);
    const isCut = taken.length < rest.length;
    // A site that returns the same token again would never end.
    if (!isCut && (page.next === null || page.next === here.token)) return toEnd(null);
    here = isCut ? { ...here, offset: here.offset + taken.length } : { ...here, token: page.next, offset: 0 };
    const isEnough = limit === null || elements.length >= limit || found.length >= MAX_PAGES;
    if (isCut || isEnough || source === undefined) return toEnd(here);
    const tiers = listTiers(run, source);
    const end = await tryOne({ ...run, cursor: here.token }, source, { tiers, shares: 2, after: null });
    // Return what was read so far; its cursor leads to the rest.
    if (!('record' in end)) return toEnd(here);
    found.push(end);
    page = end;
  }

  function nextOf({ next }: SourcedRecord): string | null {
    if (next === null || next === here.token) return null;
    return writePosition(asked, context.sites.cursors, { ...here, token: next, offset: 0 });
  }

  function toEnd(next: ListPosition | null): FetchedRecord {
    const nextCursor = next === null ? null : writePosition(asked, context.sites.cursors, next);
    return { found, record: { ...first.record, [list]: elements }, nextCursor };
  }
}

/** Where a list continues: a source, its own page token, and how many elements of that page were already returned. */
type ListPosition = { readonly source: string; readonly token: string | null; readonly offset: number };

const WrittenPosition = z.tuple([z.string(), z.string().nullable(), z.int().min(0)]);

/**
 * Reads the position from the caller's cursor; null without a cursor. Throws `invalid_request` for a cursor of other
 * parameters.
 */
function readPosition(asked: EndpointCall, cursors: BoundCursors): ListPosition | null {
  const text = cursors.read(getFilters(asked), asked.options.cursor ?? null);
  if (text === null) return null;
  const [source, token, offset] = WrittenPosition.parse(JSON.parse(text));
  return { source, token, offset };
}

function writePosition(asked: EndpointCall, cursors: BoundCursors, { source, token, offset }: ListPosition): string {
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
