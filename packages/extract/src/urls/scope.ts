import { getDomain } from 'tldts';
import { getHost, toUrlParts, type UrlParts, removeWww } from './url-parts.ts';

/** How far a crawl goes beyond its seed, narrowest first. */
export const SCOPE_KINDS = ['path', 'host', 'subdomains', 'domain', 'any'] as const;

export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** The scope of a crawl; plain data. */
export type CrawlScope = {
  readonly kind: ScopeKind;
  /** Host and port of the seed, without `www.`. */
  readonly authority: string;
  /** The registrable domain; the host itself if it has none (IP addresses, local names, public suffixes). */
  readonly domain: string;
  /** The path prefix of a crawl with scope `path`, without a final slash. */
  readonly folder: string;
};

/**
 * Builds the scope of a crawl from the final URL of its seed. Null if the seed was redirected to another registrable domain,
 * unless every host is in scope.
 */
export function buildScope(kind: ScopeKind, requestedHref: string, finalHref: string): CrawlScope | null {
  const requested = toUrlParts(requestedHref);
  const final = toUrlParts(finalHref);
  if (requested === null || final === null) return null;
  const domain = getRegistrableDomain(final.authority);
  if (kind !== 'any' && getRegistrableDomain(requested.authority) !== domain) return null;
  return { kind, authority: removeWww(final.authority), domain, folder: getFolder(final.path) };
}

/**
 * Whether a URL is in scope. `path` and `host` require the same host and port, with or without `www.`, over http or
 * https. `subdomains` adds all subdomains of the host, `domain` all hosts of the registrable domain, with any port, and `any`
 * all hosts.
 */
export function isInScope(scope: CrawlScope, { authority, path }: UrlParts): boolean {
  if (scope.kind === 'any') return true;
  const same = authority === scope.authority || removeWww(authority) === scope.authority;
  if (scope.kind === 'path') return same && (path === scope.folder || path.startsWith(`${scope.folder}/`));
  if (same || scope.kind === 'host') return same;
  const host = getHost(authority);
  const base = getHost(scope.authority);
  if (scope.kind === 'subdomains') return host === base || host.endsWith(`.${base}`);
  if (host === scope.domain) return true;
  // The public suffix list may make a subdomain a site of its own.
  return host.endsWith(`.${scope.domain}`) && getRegistrableDomain(authority) === scope.domain;
}

/** The registrable domain by the public suffix list, including private suffixes such as `github.io`. */
function getRegistrableDomain(authority: string): string {
  const host = getHost(authority);
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/** The folder of the seed: `/docs` for `/docs/`, `/docs` and `/docs/intro.html`. */
function getFolder(path: string): string {
  const slash = path.lastIndexOf('/');
  const last = path.slice(slash + 1);
  return last === '' || /\.[a-z][a-z0-9]{1,4}$/i.test(last) ? path.slice(0, slash) : path;
}
