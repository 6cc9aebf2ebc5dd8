import type { WorkCall } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { countryOf } from '#features/search/country.ts';
import { cutForEngine, cutWarnings, readLanguage, warningsMember } from '#features/search/search-input.ts';
import { begin } from '#features/search/web/run.ts';
import { toLists } from '#features/search/web/web-page.ts';
import type { WebQuery } from '#features/search/web/ways.ts';
import { admitEndpoint } from '#features/sites/running.ts';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';
import type { SiteWorkParts } from '#features/sites/site-work.ts';
import type { Warning } from '#kernel/warnings.ts';
import { type SerpInput, serpSearch } from './operation.ts';
import type { SerpEngine, SerpWay } from './engines.ts';

export type SerpParts = {
  readonly wayTo: (engine: SerpEngine) => SerpWay;
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

/** The option gate: country and time range must make sense for the engine before anything is set aside. */
export function admitSerp(input: SerpInput, facts: AdmissionFacts, { wayTo, siteParts }: SerpParts): Admission {
  const { page } = wayTo(input.engine);
  const { asked } = toQuery(input, page);
  return { ...admitEndpoint(page, asked, facts, siteParts), cheapest: serpSearch.price.base };
}

/** Asks one engine for one page. Throws what its ways together came to; no other engine stands in for it. */
export async function runSerp(input: SerpInput, call: WorkCall, { wayTo }: SerpParts) {
  const { page, ways } = wayTo(input.engine);
  const query = toQuery(input, page);
  const { way, first } = await begin(ways, query, call, `QUERN_SEARCH_FILE can name a backend for ${input.engine}`);
  const { organic, paid } = toLists([first]);
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
      ...warningsMember(query.warnings),
    },
  };
}

function toQuery(
  { search, country: given, language, page: number, safe, time_range: timeRange, ...options }: SerpInput,
  page: ServedEndpoint,
): WebQuery & { readonly warnings: readonly Warning[] } {
  const country = countryOf(given, 'country');
  const { tag, warnings } = readLanguage(language, 'language');
  const fitting = cutForEngine(search);
  const { input: asked } = page.read({
    search: fitting,
    ...(tag === null ? {} : { language: tag }),
    page: number,
    ...(country === null ? {} : { country }),
    ...(safe === undefined ? {} : { safe }),
    ...(timeRange === undefined ? {} : { time_range: timeRange }),
    ...(options.max_age_ms === undefined ? {} : { max_age_ms: options.max_age_ms }),
    ...(options.timeout_ms === undefined ? {} : { timeout_ms: options.timeout_ms }),
  });
  const query = { search: fitting, country, place: null, language: tag, page: number, safe, timeRange, asked };
  return { ...query, warnings: [...warnings, ...cutWarnings(search)] };
}
