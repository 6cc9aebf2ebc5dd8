import type { WorkCall } from '#engine/call/operation.ts';
import { toParty } from '#engine/credits/billing.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { createBackendTurns, BackendBreaker } from '#features/search/backend/breaker.ts';
import {
  BackendFailure,
  type SearchBackend,
  type SearchQuery,
  type SearchResult,
} from '#features/search/backend/backend.ts';
import { parseResults } from '#features/search/backend/results.ts';
import { formatDisplayUrl } from '#features/search/searcher.ts';
import { PAGE_SOURCE, type SearchSettings } from '#features/search/settings.ts';
import { buildSending } from '#features/sites/source-request.ts';
import { type ServedEndpoint, mapSiteErrors } from '#features/sites/endpoint.ts';
import { fetchListPage } from '#features/sites/list-pages.ts';
import { observeReading } from '#features/sites/health.ts';
import type { SiteBook } from '#features/sites/settings.ts';
import { buildSiteWork, type SiteWorkParts } from '#features/sites/site-work.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type EngineFeatures, EngineRecord, type EngineResult } from '#sites/engines/shared.ts';
import { type SiteSettings, buildUrl } from '#sites/framework/site.ts';

/** A query for one result page: `search` for an API, `endpointCall` for the engine's own page. */
export type WebQuery = SearchQuery & { readonly place: string | null; readonly endpointCall: EndpointCall };

/** Something that has the result pages of an engine: its own site, or an API. */
export type ResultSource = {
  readonly name: string;
  /** Throws `ResultSourceError` if another source may still succeed, or the abort reason of the signal. */
  readonly fetchPage: (query: WebQuery, call: WorkCall) => Promise<ResultPage>;
};

/** A failed source, with the error for the caller if no other source succeeds. */
export class ResultSourceError extends Error {
  readonly failure: ServiceError;

  constructor(source: string, failure: ServiceError) {
    super(`${source}: ${failure.message}`, { cause: failure });
    this.failure = failure;
  }
}

export type ResultSourceParts = Omit<PageSourceParts, 'settings'> & {
  readonly backends: ReadonlyMap<string, SearchBackend>;
  readonly clock: Clock;
};

/** The sources that the settings list, in order. */
export function buildResultSources(
  { websearch }: Pick<SearchSettings, 'websearch'>,
  parts: ResultSourceParts,
): readonly ResultSource[] {
  return websearch.flatMap((name) => {
    if (name === PAGE_SOURCE) return buildPageSource(PAGE_SOURCE, parts);
    const backend = parts.backends.get(name);
    const { endpoint, siteParts, clock } = parts;
    const getUrl = ({ endpointCall }: WebQuery): string => buildEngineUrl(endpoint, endpointCall, siteParts.book);
    return backend === undefined ? [] : buildApiSource(backend, { getUrl, clock });
  });
}

type PageSourceParts = {
  readonly endpoint: ServedEndpoint;
  readonly siteParts: SiteWorkParts;
  /** Settings of its site; the operator's settings if absent. */
  readonly settings?: SiteSettings;
  readonly mayVisit: (url: string) => boolean;
};

/** The engine's own page, fetched through the access ladder by each source of its endpoint. */
export function buildPageSource(
  name: string,
  { endpoint, siteParts, settings, mayVisit }: PageSourceParts,
): ResultSource {
  const book = settings === undefined ? siteParts.book : { of: () => settings };
  const siteWorkOf = buildSiteWork({ ...siteParts, book });
  return {
    name,
    async fetchPage({ endpointCall, page }, call) {
      const sites = siteWorkOf(call);
      const read = async () => fetchListPage(endpoint, endpointCall, { ...call, sites }, null);
      try {
        const { record, url, tiers } = await observeReading(endpoint, sites, { read, canBeEmpty: page > 1 });
        const { results, features } = EngineRecord.parse(record);
        return { url, results: toWebResults(results, mayVisit).results, tier: tiers.at(-1) ?? 'http', features };
      } catch (error) {
        if (!(error instanceof ServiceError) || call.signal.aborted) throw error;
        throw new ResultSourceError(name, error);
      }
    },
  };
}

type ApiSourceParts = {
  /** The URL of the engine's own page for the same query. */
  readonly getUrl: (query: WebQuery) => string;
  readonly clock: Clock;
};

/** Time limit of one API call. */
const API_TIMEOUT_MS = 15_000;

/** An API of the operator that returns an engine's results; paid results come first. */
export function buildApiSource(backend: SearchBackend, { getUrl, clock }: ApiSourceParts): ResultSource {
  const breaker = new BackendBreaker(clock);
  const turns = createBackendTurns(clock);
  return {
    name: backend.name,
    async fetchPage(query, { account, signal }) {
      const asking = { tenant: account.tenant, query };
      if (breaker.restMs(account.tenant) > 0)
        throw toSourceError(backend, new BackendFailure('error', 'is paused after earlier failures'));
      const party = toParty(account);
      const leave = await turns.acquire(party, signal);
      const within = clock.deadline(API_TIMEOUT_MS, signal);
      try {
        const { organic, paid = [] } = await backend.search(query, { ...party, signal: within });
        breaker.succeed(account.tenant);
        const results = [
          ...paid.map((result) => toWebResult(result, true)),
          ...organic.map((result) => toWebResult(result, false)),
        ];
        return { url: getUrl(query), results, tier: 'http', features: null };
      } catch (error) {
        signal.throwIfAborted();
        const failure = error instanceof BackendFailure ? error : new BackendFailure('timeout', 'timed out');
        breaker.fail(asking, failure);
        throw toSourceError(backend, failure);
      } finally {
        leave();
      }
    },
  };
}

function toSourceError({ name }: Pick<SearchBackend, 'name'>, failure: BackendFailure): ResultSourceError {
  return new ResultSourceError(name, new ServiceError('backend_unavailable', failure.message, { cause: failure }));
}

/** The URL of the engine's result page for a query. */
export function buildEngineUrl(endpoint: ServedEndpoint, { input }: EndpointCall, book: SiteBook): string {
  const [source] = endpoint.sources;
  const settings = book.of(endpoint.about.name);
  const sending = buildSending(endpoint, settings, { cursor: null, limit: null, now: 0 });
  if (source === undefined) return '';
  const request = source.request(input, sending);
  return mapSiteErrors(() => buildUrl(endpoint.site, settings, request)).href;
}

function toWebResult(result: SearchResult, isPaid: boolean): WebResult {
  const { title, description, url } = result;
  return { title, description, url, url_shown: formatDisplayUrl(result), is_paid: isPaid };
}

/** One page of results, organic and paid, in the order of display. */
export type ResultPage = {
  readonly url: string;
  readonly results: readonly WebResult[];
  readonly tier: ServedTier;
  /** Side panels; null if the source does not report them. */
  readonly features: EngineFeatures | null;
};

type WebResult = Pick<EngineResult, 'title' | 'description' | 'url' | 'url_shown' | 'is_paid'>;

/** Drops results whose URL may not be visited, and counts them. */
function toWebResults(
  engineResults: readonly EngineResult[],
  mayVisit: (url: string) => boolean,
): { readonly results: readonly WebResult[]; readonly dropped: number } {
  const results = engineResults.flatMap(({ title, description, url, url_shown: shown, is_paid }) =>
    parseResults([{ title, description, url }], mayVisit).results.map((result) => ({
      title: result.title,
      description: result.description,
      url: result.url,
      url_shown: shown === '' ? formatDisplayUrl(result) : shown,
      is_paid,
    })),
  );
  return { results, dropped: engineResults.length - results.length };
}

type PositionedResult = Omit<WebResult, 'is_paid'> & { readonly position: number; readonly position_overall: number };

/** Splits the results of all pages into organic and paid, with the position in each list and overall. */
export function toResultLists(pages: readonly ResultPage[]): {
  readonly organic: readonly PositionedResult[];
  readonly paid: readonly PositionedResult[];
} {
  const organic: PositionedResult[] = [];
  const paid: PositionedResult[] = [];
  for (const [at, { is_paid: isPaid, ...result }] of pages.flatMap(({ results }) => results).entries()) {
    const list = isPaid ? paid : organic;
    list.push({ position: list.length + 1, position_overall: at + 1, ...result });
  }
  return { organic, paid };
}
