import { isDeepStrictEqual } from 'node:util';
import { TIERS } from '#access/page.ts';
import type { WorkResult } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { SERVED_TIERS, type ServedTier } from '#engine/credits/prices.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { toTimestamp } from '#kernel/clock.ts';
import type { Warning } from '#kernel/warnings.ts';
import { buildUrl } from '#sites/framework/site.ts';
import { fillNulls, hasMissingValues } from '#sites/framework/answers.ts';
import { type ServedEndpoint, mapSiteErrors } from './endpoint.ts';
import { observeReading } from './health.ts';
import { type FetchedRecord, followList, readPosition } from './list-pages.ts';
import type { SiteCall, SiteWorkParts } from './site-work.ts';
import { buildSending, listTiersFor, listUsableSources } from './source-request.ts';
import { buildSourceRun, listTiers, type SourcedRecord, type SourceRun, trySource, trySources } from './try-source.ts';

/**
 * Admits a call of an endpoint. Its request is built first, so that invalid parameters are reported before credits are
 * reserved.
 */
export function admitEndpoint(
  endpoint: ServedEndpoint,
  call: EndpointCall,
  { plan, readTarget }: AdmissionFacts,
  { book, clock }: Pick<SiteWorkParts, 'book' | 'clock'>,
): Admission {
  const settings = book.of(endpoint.about.name);
  const now = clock.now();
  const usable = listUsableSources(endpoint, call, settings, now);
  const [first] = usable;
  if (first !== undefined) {
    const sending = buildSending(endpoint, settings, { cursor: null, limit: call.options.limit ?? null, now });
    const request = first.request(call.input, sending);
    const url = mapSiteErrors(() => buildUrl(endpoint.site, settings, request));
    readTarget(url.href);
  }
  return {
    timeoutMs: call.options.timeout_ms ?? plan.inline_timeout_ms,
    tiers: TIERS.filter((tier) =>
      usable.some((source) => listTiersFor(endpoint, source, settings, TIERS).includes(tier)),
    ),
    cheapest: endpoint.operation.price.base,
    maxCredits: null,
  };
}

/**
 * Runs one call of an endpoint: tries the sources with escalating tiers, and reads list pages up to the limit. Throws
 * `not_found`, `target_rate_limited`, `target_blocked`, `unusable_response`, `backend_unavailable` or `timeout`.
 */
export async function runEndpoint(
  endpoint: ServedEndpoint,
  endpointCall: EndpointCall,
  context: SiteCall,
): Promise<WorkResult<JsonObject>> {
  const { pages, record, nextCursor } = await observeReading(endpoint, context.sites, {
    canBeEmpty: false,
    isCanary: Object.entries(endpoint.canary).every(([name, value]) =>
      isDeepStrictEqual(endpointCall.input[name], value),
    ),
    async read() {
      const fetched = await fetchRecord(endpoint, endpointCall, context);
      return { ...fetched, source: fetched.pages[0]?.source ?? '' };
    },
  });
  return { body: buildBody(endpoint, { pages, record, nextCursor }), tier: findCostliestTier(pages) };
}

/** Fetches the record of one call, or as much of a list as requested. Throws the combined error if all sources fail. */
async function fetchRecord(
  endpoint: ServedEndpoint,
  endpointCall: EndpointCall,
  context: SiteCall,
): Promise<FetchedRecord> {
  const position = readPosition(endpointCall, context.sites.cursors);
  const run = buildSourceRun(endpoint, endpointCall, context, position);
  const first = await trySources(run);
  if (endpoint.list === null) return fillGaps(run, first);
  return followList(run, first, { list: endpoint.list, offset: position?.offset ?? 0 });
}

/** Fills gaps of the record from the following sources, if the endpoint allows it. */
async function fillGaps(run: SourceRun, first: SourcedRecord): Promise<FetchedRecord> {
  const { endpoint, sources } = run;
  const pages = [first];
  let record = first.record;
  const later = endpoint.canFill ? sources.slice(sources.findIndex(({ name }) => name === first.source) + 1) : [];
  for (const [at, source] of later.entries()) {
    if (!hasMissingValues(record, endpoint.expected)) break;
    const tiers = listTiers(run, source).slice(0, 1);
    const end = await trySource(run, source, { tiers, shares: later.length - at + 1, after: null });
    if (!('record' in end)) continue;
    record = fillNulls(record, end.record);
    pages.push({ ...end, lacks: [] });
  }
  return { pages, record, nextCursor: null };
}

function buildBody({ site, shape, list }: ServedEndpoint, { pages, record, nextCursor }: FetchedRecord): JsonObject {
  const body = { provider: site.name, ...record };
  if (shape !== 'open') return body;
  const [first] = pages;
  const lacks = [...new Set(pages.flatMap((page) => page.lacks))];
  return {
    ...body,
    ...(list === null ? {} : { next_cursor: nextCursor }),
    source_url: first?.url ?? '',
    fetched_at: toTimestamp(Math.min(...pages.map(({ at }) => at))),
    ...toPartial(lacks),
  };
}

/** Returns the most expensive tier of all pages. */
function findCostliestTier(pages: readonly SourcedRecord[]): ServedTier {
  return SERVED_TIERS.findLast((tier) => pages.some((page) => page.tiers.includes(tier))) ?? 'http';
}

/** Builds the response fields that report missing parts, each as a warning. */
export function toPartial(lacks: readonly string[]) {
  const warnings: readonly Warning[] = lacks.map((message) => ({ code: 'partial', message }));
  return { partial: lacks.length > 0, ...(warnings.length === 0 ? {} : { warnings }) };
}
