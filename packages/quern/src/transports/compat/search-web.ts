import type { z } from 'zod';
import { DAY_MS } from '#engine/identity/plans.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { fastSearch } from '#features/search/fast/operation.ts';
import type { CompatRequest } from './interface.ts';
import { runToEnd } from './run-to-end.ts';

type Results = z.output<typeof fastSearch.output>;

/** A result of a search. `published_at` is ISO 8601, or null if the engine does not say it. */
export type WebResult = Results['organic_results'][number];
export type NewsResult = Results['news_results'][number];

/** What to search for. */
export type SearchWish = {
  readonly search: string;
  /** The domains that results must be of, and those that they must not be of. */
  readonly domains?: SearchDomains;
  /** When results were published, ms since 1970. Most engines do not date results; those without a date are kept. */
  readonly period?: { readonly from: number; readonly to: number };
  /** Further parameters of `fast-search`; `missing` is how many results are still wanted. */
  readonly options?: (missing: number) => JsonObject;
  /** The first page of results. */
  readonly page?: number;
  /** How many web results are wanted; more pages are searched until there are so many. */
  readonly count: number;
  /** The most pages of results to search; each costs a search. Default 3. */
  readonly maxPages?: number;
};

/** The results of a search, and how the engines of its first page did. */
export type FoundResults = {
  readonly web: readonly WebResult[];
  readonly news: readonly NewsResult[];
  readonly engines: Results['meta_data']['engines'];
  readonly total: number | null;
  readonly creditsUsed: number;
  readonly requestId: string;
};

/** Searches by `fast-search`. Throws `backend_unavailable` with the setting to change if no engine is configured. */
export async function searchWeb(
  request: CompatRequest,
  { search: terms, domains = {}, period, options = () => ({}), page: first = 1, count, maxPages = 3 }: SearchWish,
): Promise<FoundResults> {
  const web: WebResult[] = [];
  const search = buildQuery(terms, domains);
  const accepts = ({ url, published_at: at }: WebResult | NewsResult): boolean => {
    const time = at === null || period === undefined ? Number.NaN : Date.parse(at);
    const isInTime = period === undefined || Number.isNaN(time) || (time >= period.from && time <= period.to);
    return isInTime && isOfDomains(domains, url);
  };
  for (let page = first, creditsUsed = 0; ; page += 1) {
    const ended = await runToEnd(request, 'fast-search', { search, ...options(count - web.length), page });
    const { organic_results: results, news_results: news, meta_data: meta } = fastSearch.output.parse(ended.body);
    creditsUsed += ended.creditsUsed;
    web.push(...results.filter(accepts));
    const isLast = page === first + maxPages - 1 || !meta.has_more || results.length === 0;
    if (web.length < count && !isLast) continue;
    return {
      web,
      news: news.filter(accepts),
      engines: meta.engines,
      total: meta.total_estimate,
      creditsUsed,
      requestId: String(ended.body['request_id']),
    };
  }
}

/** The lengths of the time ranges that search interfaces share, ms. */
const RANGE_DAYS = { day: 1, week: 7, month: 31, year: 366 } as const;

export const TIME_RANGES = ['day', 'week', 'month', 'year'] as const;

/** The start of a time range, ms since 1970. */
export function toRangeStart(range: (typeof TIME_RANGES)[number], now: number): number {
  return now - RANGE_DAYS[range] * DAY_MS;
}

type SearchDomains = {
  readonly included?: readonly string[] | undefined;
  readonly excluded?: readonly string[] | undefined;
};

/** The most domains of each kind in a query. */
const MAX_DOMAIN_TERMS = 10;

/** Adds domains to a query as operators that engines understand. Filter results too, since not all engines do. */
function buildQuery(terms: string, { included = [], excluded = [] }: SearchDomains): string {
  const wanted = included.slice(0, MAX_DOMAIN_TERMS).map((domain) => `site:${domain}`);
  const unwanted = excluded.slice(0, MAX_DOMAIN_TERMS).map((domain) => `-site:${domain}`);
  const group = wanted.length > 1 ? [`(${wanted.join(' OR ')})`] : wanted;
  return [terms, ...group, ...unwanted].join(' ');
}

/** Whether a result is of the domains of a search, or of their subdomains. */
function isOfDomains({ included = [], excluded = [] }: SearchDomains, url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  const isOf = (domain: string): boolean => host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`);
  return (included.length === 0 || included.some(isOf)) && !excluded.some(isOf);
}
