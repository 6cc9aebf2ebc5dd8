import { checkPattern, compilePattern } from '#extract/select/patterns.ts';
import { pathAndQuery, type UrlParts } from './address.ts';
import { compileGlob, matchesGlob } from './globs.ts';

/** The include and exclude patterns of a crawl. */
export type Filter = {
  /** Whether an address passes; the seed needs no `include`, and is refused by `exclude` like any other. */
  readonly admits: (address: UrlParts, role: 'seed' | 'link') => boolean;
};

const REGEX_PREFIX = 're:';
const MAX_GLOB_LENGTH = 1000;

/** The fault of a pattern of `include` or `exclude`, or null. */
export function checkFilterPattern(pattern: string): string | null {
  if (pattern.startsWith(REGEX_PREFIX)) return checkPattern(pattern.slice(REGEX_PREFIX.length));
  if (pattern.length > MAX_GLOB_LENGTH) return `a glob has at most ${MAX_GLOB_LENGTH} characters`;
  if (!pattern.startsWith('/') && !pattern.startsWith('*')) {
    return 'a glob is matched against path and query, so it starts with / or *; re: starts a regular expression';
  }
  if (pattern.includes('?') || !/[=&]/.test(pattern)) return null;
  return `a glob is matched against the query only where it has a ?, so write ${addQuestionMark(pattern)}; re: takes a path that has = or & itself`;
}

/** A glob that names parameters, with the `?` before the first of them. */
function addQuestionMark(glob: string): string {
  const sign = glob.search(/[=&]/);
  const start = glob[sign] === '&' ? sign : Math.max(glob.lastIndexOf('/', sign), glob.lastIndexOf('*', sign)) + 1;
  const path = glob.slice(0, start);
  // What stands before a wildcard may be other parameters too.
  if (path.endsWith('*')) return `${path}?*${glob.slice(start)}`;
  return `${path}?${glob.slice(start).replace(/^&/, '')}`;
}

/**
 * Builds the filter of `include` and `exclude`: globs (`compileGlob`), or RE2 regular expressions after `re:`, which
 * may match anywhere in path and query. An address passes when no `exclude` matches it, and one `include` does or
 * there is none. Throws an Error for a pattern that `checkFilterPattern` refuses.
 */
export function compileFilter(include: readonly string[], exclude: readonly string[]): Filter {
  const wanted = compileMatchers(include);
  const refused = compileMatchers(exclude);
  return {
    admits(address, role) {
      if (refused.some((matches) => matches(address))) return false;
      return role === 'seed' || wanted.length === 0 || wanted.some((matches) => matches(address));
    },
  };
}

/** Whether an address matches a pattern. */
type Matcher = (address: UrlParts) => boolean;

/** The matchers of patterns, in their order. Throws an Error for a pattern that `checkFilterPattern` refuses. */
export function compileMatchers(patterns: readonly string[]): readonly Matcher[] {
  return patterns.map(compileMatcher);
}

function compileMatcher(pattern: string): Matcher {
  const fault = checkFilterPattern(pattern);
  if (fault !== null) throw new Error(fault);
  if (pattern.startsWith(REGEX_PREFIX)) {
    const { matches } = compilePattern(pattern.slice(REGEX_PREFIX.length));
    return (address) => matches(pathAndQuery(address));
  }
  const glob = compileGlob(pattern);
  return ({ path, query }) => matchesGlob(glob, path, query);
}
