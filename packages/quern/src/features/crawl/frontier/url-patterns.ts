import { toRoutedParts, toUrlParts } from '#extract/urls/url-parts.ts';
import { compileMatchers } from '#extract/urls/url-filter.ts';
import { createPatternCounter } from '#extract/urls/pattern-counter.ts';
import { createShapeCounter } from '#extract/urls/traps.ts';
import type { FoundUrl, PageEnd } from '#features/crawl/crawl-page.ts';

/** The patterns of `include` and `exclude`. */
export type FilterPatterns = { readonly include: readonly string[]; readonly exclude: readonly string[] };

/** Indexes of the patterns of `include` and `exclude` that have matched a URL. */
export type MatchedPatterns = { readonly include: readonly number[]; readonly exclude: readonly number[] };

/** URLs of a commit: new ones, and final URLs that a filter may have rejected. */
type CommitUrls = { readonly added: readonly Pick<FoundUrl, 'url' | 'skip'>[]; readonly ends: readonly PageEnd[] };

/**
 * Builds the function that adds the patterns which match new URLs. It only tests patterns that have matched no URL yet.
 */
export function buildPatternMatcher({ include, exclude }: FilterPatterns) {
  const matchers = { include: compileMatchers(include), exclude: compileMatchers(exclude) };

  return (before: MatchedPatterns, { added, ends }: CommitUrls): MatchedPatterns => {
    const open = {
      include: listIndexes(include).filter((at) => !before.include.includes(at)),
      exclude: listIndexes(exclude).filter((at) => !before.exclude.includes(at)),
    };
    if (open.include.length + open.exclude.length === 0) return before;
    const urls = [
      ...added.filter(({ skip }) => skip !== 'scope' && skip !== 'invalid').map(({ url }) => url),
      ...ends.map(({ fate }) => (fate.kind === 'skipped' ? fate.filteredUrl : undefined)),
    ];
    const addresses = urls.map((url) => toRoutedParts(url ?? '')).filter((address) => address !== null);
    const listMatched = (name: keyof MatchedPatterns): readonly number[] => [
      ...before[name],
      ...open[name].filter((at) => addresses.some((address) => matchers[name][at]?.(address))),
    ];
    return { include: listMatched('include'), exclude: listMatched('exclude') };
  };
}

function listIndexes(patterns: readonly string[]): readonly number[] {
  return patterns.map((_, at) => at);
}

/** A URL, and its path pattern if it was skipped because the pattern reached its limit. */
export type LimitedUrl<T> = T & { readonly overPattern?: string };

/**
 * Creates a filter that marks links as skipped if their shape looks like a crawler trap, or if more than
 * `maxPerPattern` have the same path pattern. Pass each URL only once. URLs of sitemaps and feeds are not limited,
 * because no page generates those endlessly.
 */
export function createPatternLimit(
  mostPerPattern: number,
): <T extends FoundUrl>(urls: readonly T[]) => readonly LimitedUrl<T>[] {
  const shapes = createShapeCounter();
  const patterns = createPatternCounter(mostPerPattern);
  return (urls) =>
    urls.map((one) => {
      const parts = one.skip === null && one.source === 'links' ? toUrlParts(one.url) : null;
      if (parts === null) return one;
      if (!shapes.admits(parts)) return { ...one, skip: 'limit' };
      const overPattern = patterns.overflow(parts);
      return overPattern === null ? one : { ...one, skip: 'limit', overPattern };
    });
}
