import type { UrlParts } from './url-parts.ts';

/** The most names per directory that are kept in patterns; further names are generalized. */
const MAX_NAMES = 30;
/** The most names in all directories. */
const MAX_ALL_NAMES = 5_000;
const MAX_PATTERNS = 100_000;
/** A segment with digits, hyphens or many characters is an item, not a section. */
const ITEM_NAME = /[\d-]|^.{25}/;
const ANY_NAME = '/*';

/** Counts the URLs of a crawl by the pattern of their path. */
export type PatternCounter = {
  /** Counts a new URL. Returns its pattern if that has reached its limit, else null. */
  readonly overflow: (address: UrlParts) => string | null;
};

/**
 * Limits how many URLs a crawl takes from one directory, such as `/maze/*`: a crawler trap generates pages on request,
 * which need not be similar. Patterns keep the names of sections; items, and directories of items at any depth, become
 * `*`. URLs with a query have their own limits.
 */
export function createPatternCounter(most: number): PatternCounter {
  const namesByDirectory = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  let known = 0;

  function isName(directory: string, segment: string): boolean {
    if (ITEM_NAME.test(segment)) return false;
    const names = namesByDirectory.get(directory) ?? new Set();
    if (names.has(segment)) return true;
    if (names.size >= MAX_NAMES || known >= MAX_ALL_NAMES) return false;
    namesByDirectory.set(directory, names.add(segment));
    known += 1;
    return true;
  }

  function toPattern({ authority, path }: UrlParts): string {
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
      const pattern = toPattern(address);
      const count = (counts.get(pattern) ?? 0) + 1;
      if (count > 1 || counts.size < MAX_PATTERNS) counts.set(pattern, count);
      return count > most ? pattern : null;
    },
  };
}
