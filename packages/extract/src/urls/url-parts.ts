/** The parts of a normalized http or https URL, sliced from its text. */
export type UrlParts = {
  readonly scheme: 'http' | 'https';
  /** Host and non-default port, in lower case, without a final dot. */
  readonly authority: string;
  /** Starts with a slash; without the query. */
  readonly path: string;
  /** Without the question mark; `''` if there is none. */
  readonly query: string;
};

/** The parts of a URL for pattern matching: a hash route is appended to its query, or to its path if it has no query. */
export function toRoutedParts(href: string): UrlParts | null {
  const parts = toUrlParts(href);
  const route = findHashRoute(href);
  if (parts === null || route === '') return parts;
  const { path, query } = parts;
  return query === '' ? { ...parts, path: path + route } : { ...parts, query: query + route };
}

/** Splits an http or https URL; null for another scheme or if it has credentials. */
export function toUrlParts(href: string): UrlParts | null {
  const start = href.startsWith('https://') ? 8 : href.startsWith('http://') ? 7 : 0;
  const slash = href.indexOf('/', start);
  if (start === 0 || slash < 0) return null;
  const authority = href.slice(start, slash);
  if (authority.includes('@')) return null;
  const hash = href.indexOf('#', slash);
  const end = hash < 0 ? href.length : hash;
  const mark = href.indexOf('?', slash);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  return {
    scheme: start === 8 ? 'https' : 'http',
    authority: authority.includes('.') ? authority.replace(/\.(?=$|:)/, '') : authority,
    path: href.slice(slash, pathEnd),
    query: pathEnd === end ? '' : href.slice(pathEnd + 1, end),
  };
}

/** Path and query, as robots.txt rules and filters match them. */
export function getPathAndQuery({ path, query }: UrlParts): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The whole URL, without a fragment that is no hash route. */
export function getWholeUrl(parts: UrlParts): string {
  return `${parts.scheme}://${parts.authority}${getPathAndQuery(parts)}`;
}

/** The host of an authority, without the port. */
export function getHost(authority: string): string {
  return authority.replace(/:\d+$/, '');
}

/** Removes `www.` from a domain, since it usually names the same site. `www.com` is a domain of its own. */
export function removeWww(authority: string): string {
  return /^www\.[^.]+\./.test(authority) ? authority.slice(4) : authority;
}

/** The decoded segments of a path; query and fragment are ignored. */
export function splitPath(path: string | undefined): readonly string[] {
  const [plain = ''] = (path ?? '').split(/[?#]/);
  return plain.split('/').filter(Boolean).map(decodePart);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const SLASH = 47;
const EXCLAMATION = 33;
/** A fragment that only names the page itself; `#!` is often the target of a button. */
const ROOT = /^#!?\/*$/;

/**
 * The fragment of a URL if the page's script treats it as a route (`#/shop/42`, `#!shop`), including the `#`; else
 * `''`. An ordinary anchor (`#section`) is not a route.
 */
export function findHashRoute(href: string): string {
  const at = href.indexOf('#');
  if (at < 0) return '';
  const first = href.charCodeAt(at + 1);
  if (first !== SLASH && first !== EXCLAMATION) return '';
  const fragment = href.slice(at);
  return ROOT.test(fragment) ? '' : fragment;
}

/** Removes the fragment of a URL, unless it is a hash route. */
export function removeAnchor(href: string): string {
  return removeFragment(href) + findHashRoute(href);
}

/** Removes the fragment of a URL. */
export function removeFragment(href: string): string {
  const at = href.indexOf('#');
  return at < 0 ? href : href.slice(0, at);
}
