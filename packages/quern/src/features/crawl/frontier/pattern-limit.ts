import type { FoundUrl } from '#features/crawl/crawl-page.ts';
import { toUrlParts } from '#extract/urls/address.ts';
import { buildPatternCounts } from '#extract/urls/patterns.ts';
import { buildShapeCounts } from '#extract/urls/traps.ts';

/** A URL with the path pattern that is full, where that is why the URL is left out. */
export type Limited<T> = T & { readonly overPattern?: string };

/**
 * Leaves out links that look like a crawler trap by their shape, or are more than `mostPerPattern` of one path pattern;
 * give it each URL once. URLs of sitemaps and feeds are not limited, because no page generates those endlessly.
 */
export function buildPatternLimit(
  mostPerPattern: number,
): <T extends FoundUrl>(found: readonly T[]) => readonly Limited<T>[] {
  const shapes = buildShapeCounts();
  const patterns = buildPatternCounts(mostPerPattern);
  return (found) =>
    found.map((one) => {
      const parts = one.skip === null && one.source === 'links' ? toUrlParts(one.url) : null;
      if (parts === null) return one;
      if (!shapes.admits(parts)) return { ...one, skip: 'limit' };
      const overPattern = patterns.overflow(parts);
      return overPattern === null ? one : { ...one, skip: 'limit', overPattern };
    });
}
