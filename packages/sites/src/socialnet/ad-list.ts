import { z } from 'zod';
import { blocked, more, pageOf, partly, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer, SiteRecord } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { at, list, natural } from '#extract/values/raw.ts';
import { Ad } from './ad-record.ts';
import { toAd } from './ad.ts';
import { MORE_ADS, toldBy } from './ad-library.ts';
import { absent } from './site.ts';

export const AdList = z.object({
  total_count: z.int().min(0).nullable().describe('How many the library says there are'),
  ads: z.array(Ad).readonly(),
});

type AdList = z.input<typeof AdList>;

/** The page holds so many at least, and each round of scrolling brings so many more. */
const FIRST = 20;
const EACH = 10;
/** As many as one visit loads. */
const MOST = 300;
/** About one answer in four comes without its results; it is asked for so often. */
const MOST_TRIES = 3;

/** The number of advertisements that were given before this page, and how often it must be scrolled to hold more. */
export function reachFor({ cursor, limit }: Pick<SiteView, 'cursor' | 'limit'>) {
  const given = Number(/\d+$/.exec(cursor ?? '')?.[0] ?? 0);
  const wanted = Math.min(MOST, given + (limit ?? FIRST));
  return { given, rounds: Math.max(0, Math.ceil((wanted - FIRST) / EACH)) };
}

/** The library says that there are none. */
export const NONE: SiteRecord<AdList> = pageOf({ total_count: 0, ads: [] }, null);

type AdReading = {
  readonly given: number;
  readonly request: SiteRequest;
  /** The number of the only page whose advertisements count. */
  readonly pageId?: string;
  /** What begins the token of the next page. */
  readonly prefix: string;
  /** The answer where there are none. */
  readonly none?: (parsed: ParsedPage) => SiteRecord<AdList> | SiteAnswer;
};

/** Reads the results that a page of the library held and loaded, without those that were given before. */
export function readAds(page: SourcePage, reading: AdReading): SiteRecord<AdList> | SiteAnswer {
  const { given, request, pageId, prefix, none = () => NONE } = reading;
  if (!new URL(page.url).pathname.startsWith('/ads/library')) return absent(page, 'the page of the library');
  const parsed = parsePage(page.body, page.url);
  const found = toldBy(page, parsed, { rule: MORE_ADS.name, members: ['search_results_connection'] }).map(
    (one) => one['search_results_connection'],
  );
  const carried = isJsonObject(page.carry) ? page.carry : {};
  const tries = natural(carried['tries']) ?? 1;
  if (found.length === 0 && tries < MOST_TRIES && isLibrary(page))
    return more(request, { ...carried, tries: tries + 1 });
  if (found.length === 0) return absent(page, 'the results of a search');
  const results = found.flatMap((one) =>
    list(at(one, 'edges')).flatMap((edge) => list(at(edge, 'node', 'collated_results'))),
  );
  const ads = results.flatMap((one) => toAd(one) ?? []).filter((ad) => pageId === undefined || ad.page.id === pageId);
  const all = [...new Map(ads.map((ad) => [ad.id, ad])).values()];
  const [count = null] = found.flatMap((one) => natural(at(one, 'count')) ?? []);
  if (all.length === 0) {
    if (results.length > 0) return unusable('an advertisement of the results');
    // The library holds its results back from those whom it does not trust.
    return count === 0 ? none(parsed) : blocked('results_withheld');
  }
  const hasMore = at(found.at(-1), 'page_info', 'has_next_page') === true;
  if (all.length <= given && hasMore) return unusable(`advertisements after the first ${given}`);
  // The site fills its count later than its list.
  const total = count === null ? null : Math.max(count, all.length);
  const record = { total_count: total, ads: all.slice(given) };
  if (hasMore && all.length >= MOST)
    return partly(pageOf(record, null), `one visit loads no more than ${MOST} of them`);
  return pageOf(record, hasMore ? `${prefix}${all.length}` : null);
}

/** Whether a page is that of the library, and not one that asks for something else first. */
function isLibrary({ body }: SourcePage): boolean {
  return /ad_library_main|AdLibrary/.test(body);
}
