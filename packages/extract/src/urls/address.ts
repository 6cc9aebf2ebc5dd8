import { hashRouteIn } from './hash-routes.ts';

/** The parts of an http or https URL, cut out of its text as the URL standard serialises it. */
export type UrlParts = {
  /** Host and a port that is not the scheme's, lower case, without a dot at its end. */
  readonly authority: string;
  /** Starts with a slash, no query. */
  readonly path: string;
  /** Without the question mark; `''` for none. */
  readonly query: string;
};

/** The parts of a URL as patterns read them: a hash route is the end of its path, or of its query where it has one. */
export function toRoutedParts(href: string): UrlParts | null {
  const parts = toUrlParts(href);
  const route = hashRouteIn(href);
  if (parts === null || route === '') return parts;
  const { path, query } = parts;
  return query === '' ? { ...parts, path: path + route } : { ...parts, query: query + route };
}

/** Takes an http or https href apart; null for another scheme or a user name in it. */
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
    authority: authority.includes('.') ? authority.replace(/\.(?=$|:)/, '') : authority,
    path: href.slice(slash, pathEnd),
    query: pathEnd === end ? '' : href.slice(pathEnd + 1, end),
  };
}

/** Path and query as robots.txt and filters read them. */
export function pathAndQuery({ path, query }: UrlParts): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The host of an authority, without its port. */
export function getHost(authority: string): string {
  return authority.replace(/:\d+$/, '');
}

/** `www.` in front of a domain names the same site; `www.com` is a domain itself. */
export function removeWww(authority: string): string {
  return /^www\.[^.]+\./.test(authority) ? authority.slice(4) : authority;
}
