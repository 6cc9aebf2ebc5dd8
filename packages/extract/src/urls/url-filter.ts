import { InvariantError } from '#extract/invariant-error.ts';
import { checkPattern, compilePattern } from '#extract/select/patterns.ts';
import { getPathAndQuery, getWholeUrl, type UrlParts } from './url-parts.ts';

/** The compiled include and exclude patterns of a crawl. */
export type UrlFilter = {
  /** Whether a URL passes. The seed does not need to match `include`, but `exclude` applies to it too. */
  readonly admits: (address: UrlParts, role: 'seed' | 'link') => boolean;
};

/** What a regular expression after each prefix is matched with. */
const REGEX_TEXTS = { 're:': getPathAndQuery, 'url:': getWholeUrl } as const;
const MAX_GLOB_LENGTH = 1000;

/** The problem of an `include` or `exclude` pattern; null if it is valid. */
export function checkFilterPattern(pattern: string): string | null {
  const regex = readRegex(pattern);
  if (regex !== null) return checkPattern(regex.source);
  if (pattern.length > MAX_GLOB_LENGTH) return `a glob must have at most ${MAX_GLOB_LENGTH} characters`;
  if (!pattern.startsWith('/') && !pattern.startsWith('*')) {
    return 'a glob matches path and query, so it must start with / or *; prefix a regular expression with re:, or with url: to match the whole URL';
  }
  if (pattern.includes('?') || !/[=&]/.test(pattern)) return null;
  return `a glob matches the query only if it contains a ?, so write ${addQuestionMark(pattern)}; for a path that contains = or &, use re:`;
}

/** A glob with the missing `?` inserted before its first parameter. */
function addQuestionMark(glob: string): string {
  const sign = glob.search(/[=&]/);
  const start = glob[sign] === '&' ? sign : Math.max(glob.lastIndexOf('/', sign), glob.lastIndexOf('*', sign)) + 1;
  const path = glob.slice(0, start);
  // Other parameters may come before a wildcard.
  if (path.endsWith('*')) return `${path}?*${glob.slice(start)}`;
  return `${path}?${glob.slice(start).replace(/^&/, '')}`;
}

/**
 * Compiles `include` and `exclude`: globs (`compileGlob`), or RE2 regular expressions after `re:`, which may match
 * anywhere in path and query, or after `url:`, which may match anywhere in the whole URL. A URL passes if no `exclude` pattern matches and either an `include` pattern does or
 * there is none. Patterns must have passed `checkFilterPattern`.
 */
export function compileFilter(include: readonly string[], exclude: readonly string[]): UrlFilter {
  const wanted = compileMatchers(include);
  const refused = compileMatchers(exclude);
  return {
    admits(address, role) {
      if (refused.some((matches) => matches(address))) return false;
      return role === 'seed' || wanted.length === 0 || wanted.some((matches) => matches(address));
    },
  };
}

/** Whether a URL matches a pattern. */
type Matcher = (address: UrlParts) => boolean;

/** Compiles patterns, in their order. They must have passed `checkFilterPattern`. */
export function compileMatchers(patterns: readonly string[]): readonly Matcher[] {
  return patterns.map(compileMatcher);
}

function compileMatcher(pattern: string): Matcher {
  const fault = checkFilterPattern(pattern);
  if (fault !== null) throw new InvariantError(fault);
  const regex = readRegex(pattern);
  if (regex !== null) {
    const { matches } = compilePattern(regex.source);
    return (address) => matches(regex.getText(address));
  }
  const glob = compileGlob(pattern);
  return ({ path, query }) => matchesGlob(glob, path, query);
}

/** Reads a regular expression and what it is matched with; null for a glob. */
function readRegex(
  pattern: string,
): { readonly source: string; readonly getText: (address: UrlParts) => string } | null {
  const found = Object.entries(REGEX_TEXTS).find(([prefix]) => pattern.startsWith(prefix));
  return found === undefined ? null : { source: pattern.slice(found[0].length), getText: found[1] };
}

/** A compiled glob: character codes, with wildcards as negative numbers. */
type Glob = { readonly codes: Int32Array; readonly prefix: string; readonly hasQuery: boolean };

const WITHIN_SEGMENT = -1;
const ACROSS_SEGMENTS = -2;
const SLASH = 47;
const QUESTION = 63;

/**
 * Compiles a glob for path and query: `*` matches any characters within a path segment or query, `**` any characters at
 * all, as does a `*` at the start (`*.pdf`). `?` marks the start of the query. All other characters match themselves;
 * non-ASCII ones match their percent escapes.
 */
function compileGlob(pattern: string): Glob {
  const text = pattern.toWellFormed().replace(/[^\x21-\x7e]+/g, (characters) => encodeURIComponent(characters));
  const tokens = text.match(/\*+|[^*]/g) ?? [];
  const codes = Int32Array.from(tokens, (token, at) => {
    if (token.startsWith('*')) return token.length === 1 && at > 0 ? WITHIN_SEGMENT : ACROSS_SEGMENTS;
    return token.charCodeAt(0);
  });
  return { codes, prefix: text.split('*', 1)[0] ?? '', hasQuery: text.includes('?') };
}

/** Whether a glob matches the whole path, and the query if the glob contains one. A final slash of the path is optional. */
function matchesGlob(glob: Glob, path: string, query: string): boolean {
  if (!path.startsWith(glob.hasQuery ? (glob.prefix.split('?', 1)[0] ?? '') : glob.prefix)) return false;
  const text = glob.hasQuery && query !== '' ? `${path}?${query}` : path;
  if (matchesToEnd(glob.codes, text)) return true;
  return !text.includes('?') && path.length > 1 && path.endsWith('/') && matchesToEnd(glob.codes, path.slice(0, -1));
}

/**
 * Runs the glob as a nondeterministic automaton: keeps the set of positions that the text read so far can reach. Linear
 * in the text.
 */
function matchesToEnd(codes: Int32Array, text: string): boolean {
  let reached = new Uint8Array(codes.length + 1);
  let next = new Uint8Array(codes.length + 1);
  markReached(codes, reached, 0);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    next.fill(0);
    let any = false;
    for (let place = 0; place < codes.length; place++) {
      if (reached[place] === 0) continue;
      const wanted = codes[place];
      if (wanted === code) markReached(codes, next, place + 1);
      else if (wanted === ACROSS_SEGMENTS || (wanted === WITHIN_SEGMENT && code !== SLASH && code !== QUESTION))
        markReached(codes, next, place);
      else continue;
      any = true;
    }
    if (!any) return false;
    [reached, next] = [next, reached];
  }
  return reached[codes.length] === 1;
}

/** A wildcard may match nothing, so the position after it is reached as well. */
function markReached(codes: Int32Array, places: Uint8Array, from: number): void {
  let place = from;
  places[place] = 1;
  while ((codes[place] ?? 0) < 0) places[++place] = 1;
}
