import type { WorkCall } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import {
  parseCountry,
  truncateForEngine,
  listTruncationWarnings,
  parseLanguage,
  buildWarningsField,
} from '#features/search/search-input.ts';
import { fetchFirstPage } from '#features/search/web/run.ts';
import { toResultLists, type WebQuery } from '#features/search/web/result-sources.ts';
import { admitEndpoint } from '#features/sites/run-endpoint.ts';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';
import type { SiteWorkParts } from '#features/sites/site-work.ts';
import type { Warning } from '#kernel/warnings.ts';
import { type SerpInput, serpSearch } from './operation.ts';
import type { SerpEngine, SerpEngineSources } from './engine-sources.ts';

export type SerpParts = {
  readonly getEngineSources: (engine: SerpEngine) => SerpEngineSources;
  readonly siteParts: Pick<SiteWorkParts, 'book' | 'clock'>;
};

const NO_FEATURES = {
  people_also_ask: null,
  related_searches: null,
  knowledge_panel: null,
  top_stories: null,
  videos: null,
  local_results: null,
  ai_overview: null,
};

/** A valid search, its query, and the engine that it asks. */
export type SerpCall = SerpEngineSources & { readonly input: SerpInput; readonly query: ParsedQuery };

/** Builds the query. Throws `invalid_request` if the country or time range is not valid for the engine. */
export function prepareSerp(input: SerpInput, { getEngineSources }: Pick<SerpParts, 'getEngineSources'>): SerpCall {
  const engine = getEngineSources(input.engine);
  return { ...engine, input, query: toWebQuery(input, engine.endpoint) };
}

export function admitSerp(
  { endpoint, query }: SerpCall,
  facts: AdmissionFacts,
  { siteParts }: Pick<SerpParts, 'siteParts'>,
): Admission {
  return { ...admitEndpoint(endpoint, query.endpointCall, facts, siteParts), cheapest: serpSearch.price.base };
}

/** Fetches one result page of one engine. Throws an error with the failures of all its sources; other engines are not tried. */
export async function runSerp({ input, query, sources }: SerpCall, call: WorkCall) {
  const { way, first } = await fetchFirstPage(
    sources,
    query,
    call,
    `configure a backend for ${input.engine} in QUERN_SEARCH_FILE`,
  );
  const { organic, paid } = toResultLists([first]);
  return {
    tier: first.tier,
    source: way.name,
    body: {
      provider: 'serp',
      query_context: {
        engine: input.engine,
        search: input.search,
        country: query.country ?? '',
        language: query.language ?? '',
        page: input.page,
      },
      meta_data: { page: input.page, url: first.url },
      organic_results: organic,
      paid_results: paid,
      features: first.features ?? NO_FEATURES,
      ...buildWarningsField(query.warnings),
    },
  };
}

/** A query with the warnings about adjusted input. */
type ParsedQuery = WebQuery & { readonly warnings: readonly Warning[] };

function toWebQuery(
  { search, country: given, language, page: number, safe, time_range: timeRange, ...options }: SerpInput,
  page: ServedEndpoint,
): ParsedQuery {
  const country = parseCountry(given, 'country');
  const { tag, warnings } = parseLanguage(language, 'language');
  const truncated = truncateForEngine(search);
  const endpointCall = page.read({
    search: truncated,
    ...(tag === null ? {} : { language: tag }),
    page: number,
    ...(country === null ? {} : { country }),
    ...(safe === undefined ? {} : { safe }),
    ...(timeRange === undefined ? {} : { time_range: timeRange }),
    ...(options.max_age_ms === undefined ? {} : { max_age_ms: options.max_age_ms }),
    ...(options.timeout_ms === undefined ? {} : { timeout_ms: options.timeout_ms }),
  });
  const query = { search: truncated, country, place: null, language: tag, page: number, safe, timeRange, endpointCall };
  return { ...query, warnings: [...warnings, ...listTruncationWarnings(search)] };
}
