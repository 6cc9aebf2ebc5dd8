import type { UrlParts } from './address.ts';

/** Names that a directory may have; whatever else lies in it is one of many. */
const MAX_NAMES = 30;
/** And those of all directories together. */
const MAX_ALL_NAMES = 5_000;
const MAX_PATTERNS = 100_000;
/** A name that counts, or is made of words, names one of many. */
const ITEM_NAME = /[\d-]|^.{25}/;
const ANY_NAME = '/*';

/** Counts the addresses of a crawl by the pattern of their path. */
export type PatternCounter = {
  /** Counts one address that the crawl had not known; answers its pattern where that has no room, null where it has. */
  readonly overflow: (address: UrlParts) => string | null;
};

/**
 * Bounds what one directory can spread over, such as `/maze/*`: a site that makes up pages as they are asked for has no
 * end, and its pages need not be alike. Sections keep their names in the pattern, items of a section do not, and
 * directories of items are one pattern with them, however deep. Addresses with a query have bounds of their own.
 */
export function buildPatternCounts(most: number): PatternCounter {
  const namesOf = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  let known = 0;

  function isName(directory: string, segment: string): boolean {
    if (ITEM_NAME.test(segment)) return false;
    const names = namesOf.get(directory) ?? new Set();
    if (names.has(segment)) return true;
    if (names.size >= MAX_NAMES || known >= MAX_ALL_NAMES) return false;
    namesOf.set(directory, names.add(segment));
    known += 1;
    return true;
  }

  function patternOf({ authority, path }: UrlParts): string {
    let pattern = authority;
    for (const segment of path.split('/')) {
      if (segment === '') continue;
      if (isName(pattern, segment)) pattern += `/${segment}`;
      else if (!pattern.endsWith(ANY_NAME)) pattern += ANY_NAME;
    }
    return pattern;
  }

  return {
    overflow(address) {
      if (address.query !== '') return null;
      const pattern = patternOf(address);
      const count = (counts.get(pattern) ?? 0) + 1;
      if (count > 1 || counts.size < MAX_PATTERNS) counts.set(pattern, count);
      return count > most ? pattern : null;
    },
  };
}
