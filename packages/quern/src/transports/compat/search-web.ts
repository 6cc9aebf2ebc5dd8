import { z } from 'zod';
import { DAY_MS } from '#engine/identity/plans.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { CompatRequest } from './interface.ts';

const Result = z.looseObject({
  title: z.string(),
  url: z.string(),
  description: z.string(),
  published_at: z.string().nullable(),
  image_url: z.string().nullable().default(null),
  engines: z.array(z.string()),
});

/** A result of a search. `published_at` is ISO 8601, or null if the engine does not say it. */
export type FoundPage = z.output<typeof Result>;

const Found = z.looseObject({
  organic_results: z.array(Result),
  news_results: z.array(Result),
  meta_data: z.looseObject({
    engines: z.array(z.looseObject({ name: z.string(), status: z.string(), reason: z.string().nullable() })),
    total_estimate: z.number().nullable(),
    has_more: z.boolean(),
  }),
});

/** What to search for. */
export type SearchWish = {
  readonly search: string;
  /** The parameters country_code and language, if the caller sent them. */
  readonly place: JsonObject;
  readonly page: number;
  /** How many web results are wanted; more pages are searched until there are so many. */
  readonly count: number;
  /** Whether a result is wanted. */
  readonly accepts: (result: FoundPage) => boolean;
};

/** The results of a search, and how the engines of its first page did. */
export type WebResults = {
  readonly web: readonly FoundPage[];
  readonly news: readonly FoundPage[];
  readonly engines: z.output<typeof Found>['meta_data']['engines'];
  readonly total: number | null;
  readonly creditsUsed: number;
  readonly requestId: string;
};

/** The most pages of results for one call; each costs a search. */
const MAX_PAGES = 3;

/** Searches by `fast-search`. Throws `backend_unavailable` with the setting to change if no engine is configured. */
export async function searchWeb(
  request: CompatRequest,
  { search, place, page: first, count, accepts }: SearchWish,
): Promise<WebResults> {
  const web: FoundPage[] = [];
  for (let page = first, creditsUsed = 0; ; page += 1) {
    const { body, usage } = await request.run('fast-search', { search, ...place, page });
    const { organic_results: results, news_results: news, meta_data: meta } = Found.parse(body);
    creditsUsed += usage?.credits ?? 0;
    web.push(...results.filter(accepts));
    if (web.length < count && meta.has_more && page < first + MAX_PAGES - 1) continue;
    return {
      web,
      news: news.filter(accepts),
      engines: meta.engines,
      total: meta.total_estimate,
      creditsUsed,
      requestId: String(body['request_id']),
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

/** Whether a result may be of a period, ms since 1970. Most engines do not date results; those without a date pass. */
export function isPublishedWithin({ published_at: at }: FoundPage, from: number, to: number): boolean {
  const time = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) || (time >= from && time <= to);
}

/** The domains that a search is limited to, and those that it leaves out. */
export type SearchDomains = { readonly included: readonly string[]; readonly excluded: readonly string[] };

/** Whether a result is of the domains of a search, or of their subdomains. */
export function isOfDomains({ included, excluded }: SearchDomains, url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  const isOf = (domain: string): boolean => host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`);
  return (included.length === 0 || included.some(isOf)) && !excluded.some(isOf);
}
