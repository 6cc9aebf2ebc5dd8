import type { WorkCall } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { type ServedTier, sumOf } from '#engine/credits/prices.ts';
import { countryOf } from '#features/search/country.ts';
import {
  cutForEngine,
  cutWarnings,
  readEngineDomain,
  readLanguage,
  warningsMember,
} from '#features/search/search-input.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';
import { admitEndpoint } from '#features/sites/running.ts';
import type { SiteWorkParts } from '#features/sites/site-work.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import { WEBSEARCH_PRICE, type WebsearchInput } from './operation.ts';
import { toLists, type WebPage } from './web-page.ts';
import { WayFailed, type WebQuery, type WebWay } from './ways.ts';

export type WebsearchParts = {
  /** The engine's own page of results. */
  readonly page: ServedEndpoint;
  readonly ways: readonly WebWay[];
  readonly siteParts: Pick<SiteWorkParts, 'book' | 'clock'>;
};

/** The option gate: country, domain and address must make sense before anything is set aside. */
export function admitWebsearch(
  input: WebsearchInput,
  facts: AdmissionFacts,
  { page, siteParts }: Pick<WebsearchParts, 'page' | 'siteParts'>,
): Admission {
  const { asked } = toQuery(input, page, input.page);
  const admission = admitEndpoint(page, asked, facts, siteParts);
  return { ...admission, cheapest: WEBSEARCH_PRICE.base * input.pages };
}

/** Runs one search: the first way that serves the first page serves all. Throws what the ways together came to. */
export async function runWebsearch(input: WebsearchInput, call: WorkCall, { page, ways }: WebsearchParts) {
  const queryOf = (at: number): ReadQuery => toQuery(input, page, input.page + at);
  const query = queryOf(0);
  const { way, first } = await begin(ways, query, call, HINT);
  const pages: WebPage[] = [first];
  while (pages.length < input.pages && (pages.at(-1)?.results.length ?? 0) > 0) {
    const next = await way.page(queryOf(pages.length), call).catch((error: unknown) => {
      throw error instanceof WayFailed ? error.failure : error;
    });
    // That there is nothing beyond the last page is the end, and no page.
    if (next.results.length === 0) break;
    pages.push(next);
  }
  const { organic, paid } = toLists(pages);
  const { country, place, language, domain, warnings } = query;
  const usage = sumOf(WEBSEARCH_PRICE, countTiers(pages));
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
      ...warningsMember(warnings),
    },
  };
}

/** Asks the ways in their order for a page. Throws what they together came to, and what can be set. */
export async function begin(ways: readonly WebWay[], query: WebQuery, call: WorkCall, hint: string) {
  const failures: WayFailed[] = [];
  for (const way of ways) {
    call.signal.throwIfAborted();
    try {
      return { way, first: await way.page(query, call) };
    } catch (error) {
      if (!(error instanceof WayFailed)) throw error;
      failures.push(error);
    }
  }
  throw defeatOf(failures, hint);
}

const HINT = 'QUERN_SEARCH_FILE can name an API that answers with its results under websearch';

/** The error of the last way, and what all came to. */
function defeatOf(failures: readonly WayFailed[], hint: string): ServiceError {
  const last = failures.at(-1)?.failure;
  const said = failures.map(({ message }) => message).join('; ');
  return new ServiceError(last?.code ?? 'backend_unavailable', said === '' ? hint : `${said}; ${hint}`, {
    cause: last,
    ...(last === undefined ? {} : { retryable: last.retryable }),
    ...(last?.retryAfterSeconds == null ? {} : { retryAfterSeconds: last.retryAfterSeconds }),
  });
}

/** A query, and what was changed of what the caller gave. */
type ReadQuery = WebQuery & { readonly domain: string; readonly warnings: readonly Warning[] };

function toQuery({ search, geo, locale, ...options }: WebsearchInput, page: ServedEndpoint, number: number): ReadQuery {
  const country = countryOf(geo, 'geo');
  // A finer place than a country is told to the engine as it is.
  const place = geo?.includes(',') === true ? geo.trim() : null;
  const { tag, warnings } = readLanguage(locale, 'locale');
  const domain = readEngineDomain(options.domain);
  const fitting = cutForEngine(search);
  const asked: EndpointCall = page.read({
    search: fitting,
    ...(tag === null ? {} : { language: tag }),
    domain,
    page: number,
    ...(country === null ? {} : { country }),
    ...(place === null ? {} : { place }),
    ...(options.max_age_ms === undefined ? {} : { max_age_ms: options.max_age_ms }),
    ...(options.timeout_ms === undefined ? {} : { timeout_ms: options.timeout_ms }),
  }).input;
  const query = { search: fitting, country, place, language: tag, page: number, asked };
  return { ...query, domain, warnings: [...warnings, ...cutWarnings(search)] };
}

function countTiers(pages: readonly WebPage[]): Readonly<Partial<Record<ServedTier, number>>> {
  const tiers: Partial<Record<ServedTier, number>> = {};
  for (const { tier } of pages) tiers[tier] = (tiers[tier] ?? 0) + 1;
  return tiers;
}
