import { pageOf, partly, type SiteAnswer, type SiteRecord, unusable } from './answers.ts';
import type { SiteContext } from './request.ts';

/** Each round of scrolling brings so many more at least. */
const ELEMENTS_PER_ROUND = 12;
/** As many as one visit loads. */
const MAX_ELEMENTS = 300;

/** The number of elements that were given before this page, which is the token of a list that a browser scrolls. */
export function parseOffset({ cursor }: Pick<SiteContext, 'cursor'>): number {
  return cursor !== null && /^\d{1,4}$/.test(cursor) ? Number(cursor) : 0;
}

/** How often a page must be scrolled to hold what is wanted. */
export function countScrollRounds(site: Pick<SiteContext, 'cursor' | 'limit'>): number {
  const wanted = Math.min(MAX_ELEMENTS, parseOffset(site) + (site.limit ?? ELEMENTS_PER_ROUND));
  return Math.max(0, Math.ceil((wanted - ELEMENTS_PER_ROUND) / ELEMENTS_PER_ROUND));
}

/** One page of what a visit loaded: without what was given before. `toRecord` makes the record of the elements. */
export function buildScrolledPage<T, R extends object>(
  all: readonly T[],
  { hasMore, given }: { readonly hasMore: boolean; readonly given: number },
  toRecord: (elements: readonly T[]) => R,
): SiteRecord<R> | SiteAnswer {
  if (all.length <= given && hasMore) return unusable(`what comes after the first ${given}`);
  const record = toRecord(all.slice(given));
  if (!hasMore) return pageOf(record, null);
  return all.length < MAX_ELEMENTS
    ? pageOf(record, String(all.length))
    : partly(pageOf(record, null), `one visit loads no more than ${MAX_ELEMENTS} of them`);
}
