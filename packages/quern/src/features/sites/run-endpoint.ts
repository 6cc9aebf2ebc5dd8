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
import { buildSending, listUsableSources, type SourcedRecord, listTiersFor } from './try-source.ts';
import { type ServedEndpoint, mapSiteErrors } from './endpoint.ts';
import { fetchRecord, type FetchedRecord } from './fetch-record.ts';
import { observeReading } from './health.ts';
import type { SiteCall, SiteWorkParts } from './site-work.ts';

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
  const settings = book.of(endpoint.site.name);
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
  asked: EndpointCall,
  context: SiteCall,
): Promise<WorkResult<JsonObject>> {
  const { found, record, nextCursor } = await observeReading(endpoint, context.sites, {
    canBeEmpty: false,
    isCanary: Object.entries(endpoint.canary).every(([name, value]) => isDeepStrictEqual(asked.input[name], value)),
    async read() {
      const gathered = await fetchRecord(endpoint, asked, context);
      return { ...gathered, source: gathered.found[0]?.source ?? '' };
    },
  });
  return { body: buildBody(endpoint, { found, record, nextCursor }), tier: findCostliestTier(found) };
}

function buildBody({ site, shape, list }: ServedEndpoint, { found, record, nextCursor }: FetchedRecord): JsonObject {
  const body = { provider: site.name, ...record };
  if (shape !== 'open') return body;
  const [first] = found;
  const lacks = [...new Set(found.flatMap((one) => one.lacks))];
  return {
    ...body,
    ...(list === null ? {} : { next_cursor: nextCursor }),
    source_url: first?.url ?? '',
    fetched_at: toTimestamp(Math.min(...found.map(({ at }) => at))),
    ...toPartial(lacks),
  };
}

/** Returns the most expensive tier of all pages. */
function findCostliestTier(found: readonly SourcedRecord[]): ServedTier {
  return SERVED_TIERS.findLast((tier) => found.some((one) => one.tiers.includes(tier))) ?? 'http';
}

/** Builds the response fields that report missing parts, each as a warning. */
export function toPartial(lacks: readonly string[]) {
  const warnings: readonly Warning[] = lacks.map((message) => ({ code: 'partial', message }));
  return { partial: lacks.length > 0, ...(warnings.length === 0 ? {} : { warnings }) };
}
