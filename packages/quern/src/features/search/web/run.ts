import type { WorkCall } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { type ServedTier, sumUsage } from '#engine/credits/prices.ts';
import {
  parseCountry,
  truncateForEngine,
  listTruncationWarnings,
  parseEngineDomain,
  parseLanguage,
  buildWarningsField,
} from '#features/search/search-input.ts';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';
import { admitEndpoint } from '#features/sites/run-endpoint.ts';
import type { SiteWorkParts } from '#features/sites/site-work.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import { WEBSEARCH_PRICE, type WebsearchInput } from './operation.ts';
import {
  toResultLists,
  type ResultPage,
  ResultSourceError,
  type WebQuery,
  type ResultSource,
} from './result-sources.ts';

export type WebsearchParts = {
  /** The endpoint of the engine's own result page. */
  readonly endpoint: ServedEndpoint;
  readonly sources: readonly ResultSource[];
  readonly siteParts: Pick<SiteWorkParts, 'book' | 'clock'>;
};

/** A valid search, and the query for its first page. */
export type WebsearchCall = { readonly input: WebsearchInput; readonly query: ParsedQuery };

/** Builds the query for the first page. Throws `invalid_request` if the country, domain or URL is not valid. */
export function prepareWebsearch(input: WebsearchInput, { endpoint }: Pick<WebsearchParts, 'endpoint'>): WebsearchCall {
  return { input, query: toWebQuery(input, endpoint, input.page) };
}

export function admitWebsearch(
  { input, query }: WebsearchCall,
  facts: AdmissionFacts,
  { endpoint, siteParts }: Pick<WebsearchParts, 'endpoint' | 'siteParts'>,
): Admission {
  const admission = admitEndpoint(endpoint, query.endpointCall, facts, siteParts);
  return { ...admission, cheapest: WEBSEARCH_PRICE.base * input.pages };
}

/** Runs one search. The source that serves the first page serves all. Throws an error with the failures of all sources. */
export async function runWebsearch(
  { input, query }: WebsearchCall,
  call: WorkCall,
  { endpoint, sources }: WebsearchParts,
) {
  const { way, first } = await fetchFirstPage(sources, query, call, SETUP_HINT);
  const pages: ResultPage[] = [first];
  while (pages.length < input.pages && (pages.at(-1)?.results.length ?? 0) > 0) {
    const following = toWebQuery(input, endpoint, input.page + pages.length);
    const next = await way.fetchPage(following, call).catch((error: unknown) => {
      throw error instanceof ResultSourceError ? error.failure : error;
    });
    // An empty page means that the previous one was the last; it is not charged.
    if (next.results.length === 0) break;
    pages.push(next);
  }
  const { organic, paid } = toResultLists(pages);
  const { country, place, language, domain, warnings } = query;
  const usage = sumUsage(WEBSEARCH_PRICE, countTiers(pages));
  return {
    tier: usage.tier,
    charge: { usage, paid: 0 },
    source: way.name,
    body: {
      provider: 'websearch',
      query_context: {
        search: input.search,
        geo: place ?? country ?? '',
        locale: language ?? '',
        domain,
        page: input.page,
      },
      meta_data: { page: input.page, url: first.url },
      organic_results: organic,
      paid_results: paid,
      ...buildWarningsField(warnings),
    },
  };
}

/** Tries the sources in order for the first page. Throws an error with all failures and `hint`, the setting to change. */
export async function fetchFirstPage(ways: readonly ResultSource[], query: WebQuery, call: WorkCall, hint: string) {
  const failures: ResultSourceError[] = [];
  for (const way of ways) {
    call.signal.throwIfAborted();
    try {
      return { way, first: await way.fetchPage(query, call) };
    } catch (error) {
      if (!(error instanceof ResultSourceError)) throw error;
      failures.push(error);
    }
  }
  throw toServiceError(failures, hint);
}

const SETUP_HINT = 'list an API that returns the results of this engine under websearch in QUERN_SEARCH_FILE';

/** Builds the error of the last source, with the messages of all. */
function toServiceError(failures: readonly ResultSourceError[], hint: string): ServiceError {
  const last = failures.at(-1)?.failure;
  const said = failures.map(({ message }) => message).join('; ');
  return new ServiceError(last?.code ?? 'backend_unavailable', said === '' ? hint : `${said}; ${hint}`, {
    cause: last,
    ...(last === undefined ? {} : { retryable: last.retryable }),
    ...(last?.retryAfterSeconds == null ? {} : { retryAfterSeconds: last.retryAfterSeconds }),
  });
}

/** A query with the warnings about adjusted input. */
type ParsedQuery = WebQuery & { readonly domain: string; readonly warnings: readonly Warning[] };

function toWebQuery(
  { search, geo, locale, ...options }: WebsearchInput,
  page: ServedEndpoint,
  number: number,
): ParsedQuery {
  const country = parseCountry(geo, 'geo');
  // A place more precise than a country is passed to the engine unchanged.
  const place = geo?.includes(',') === true ? geo.trim() : null;
  const { tag, warnings } = parseLanguage(locale, 'locale');
  const domain = parseEngineDomain(options.domain);
  const truncated = truncateForEngine(search);
  const endpointCall = page.read({
    search: truncated,
    ...(tag === null ? {} : { language: tag }),
    domain,
    page: number,
    ...(country === null ? {} : { country }),
    ...(place === null ? {} : { place }),
    ...(options.max_age_ms === undefined ? {} : { max_age_ms: options.max_age_ms }),
    ...(options.timeout_ms === undefined ? {} : { timeout_ms: options.timeout_ms }),
  });
  const query = { search: truncated, country, place, language: tag, page: number, endpointCall };
  return { ...query, domain, warnings: [...warnings, ...listTruncationWarnings(search)] };
}

function countTiers(pages: readonly ResultPage[]): Readonly<Partial<Record<ServedTier, number>>> {
  const tiers: Partial<Record<ServedTier, number>> = {};
  for (const { tier } of pages) tiers[tier] = (tiers[tier] ?? 0) + 1;
  return tiers;
}
