import { buildPage, markPartial, type SiteAnswer, type SiteRecord, unusable } from './answers.ts';
import type { SiteContext } from './request.ts';

/** The minimum number of elements that each round of scrolling loads. */
const ELEMENTS_PER_ROUND = 12;
/** The maximum number of elements that one visit loads. */
const MAX_ELEMENTS = 300;

/** Parses the cursor of a scrolled list: the number of elements on previous pages. */
export function parseOffset({ cursor }: Pick<SiteContext, 'cursor'>): number {
  return cursor !== null && /^\d{1,4}$/.test(cursor) ? Number(cursor) : 0;
}

/** Counts the rounds of scrolling that load the requested elements. */
export function countScrollRounds(site: Pick<SiteContext, 'cursor' | 'limit'>): number {
  const wanted = Math.min(MAX_ELEMENTS, parseOffset(site) + (site.limit ?? ELEMENTS_PER_ROUND));
  return Math.max(0, Math.ceil((wanted - ELEMENTS_PER_ROUND) / ELEMENTS_PER_ROUND));
}

/** Builds one page from all loaded elements, without those of previous pages. `toRecord` builds the record. */
export function buildScrolledPage<T, R extends object>(
  all: readonly T[],
  { hasMore, given }: { readonly hasMore: boolean; readonly given: number },
  toRecord: (elements: readonly T[]) => R,
): SiteRecord<R> | SiteAnswer {
  if (all.length <= given && hasMore) return unusable(`elements after the first ${given}`);
  const record = toRecord(all.slice(given));
  if (!hasMore) return buildPage(record, null);
  return all.length < MAX_ELEMENTS
    ? buildPage(record, String(all.length))
    : markPartial(buildPage(record, null), `the page loads at most ${MAX_ELEMENTS} elements`);
}
