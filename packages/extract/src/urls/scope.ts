import { getDomain } from 'tldts';
import { getHost, toUrlParts, type UrlParts, removeWww } from './address.ts';

/** How far a crawl goes from its seed, narrowest first. */
export const SCOPE_KINDS = ['path', 'host', 'subdomains', 'domain'] as const;

export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** The scope of a crawl; plain data. */
export type CrawlScope = {
  readonly kind: ScopeKind;
  /** Host and port of the seed, without `www.`. */
  readonly authority: string;
  /** The registrable domain, or the host where there is none (an address, a local name, a public suffix). */
  readonly domain: string;
  /** The path below which everything belongs to a crawl of `path`; no slash at its end. */
  readonly folder: string;
};

/**
 * The scope of a crawl, taken from where its seed ended (`finalHref`). Null when the seed left the registrable domain
 * that it was asked for: what it came to is another site.
 */
export function scopeOf(kind: ScopeKind, requestedHref: string, finalHref: string): CrawlScope | null {
  const requested = toUrlParts(requestedHref);
  const final = toUrlParts(finalHref);
  if (requested === null || final === null) return null;
  const domain = getRegistrableDomain(final.authority);
  if (getRegistrableDomain(requested.authority) !== domain) return null;
  return { kind, authority: removeWww(final.authority), domain, folder: getFolder(final.path) };
}

/**
 * Whether an address belongs to the scope. `path` and `host` mean the same host and port, with or without `www.`, by
 * http or https; `subdomains` adds every host below it and `domain` every host of the registrable domain, any port.
 */
export function isInScope(scope: CrawlScope, { authority, path }: UrlParts): boolean {
  const same = authority === scope.authority || removeWww(authority) === scope.authority;
  if (scope.kind === 'path') return same && (path === scope.folder || path.startsWith(`${scope.folder}/`));
  if (same || scope.kind === 'host') return same;
  const host = getHost(authority);
  const base = getHost(scope.authority);
  if (scope.kind === 'subdomains') return host === base || host.endsWith(`.${base}`);
  if (host === scope.domain) return true;
  // A host below the domain may be a site of its own by the list.
  return host.endsWith(`.${scope.domain}`) && getRegistrableDomain(authority) === scope.domain;
}

/** The registrable domain by the public suffix list, hosting suffixes such as `github.io` included. */
function getRegistrableDomain(authority: string): string {
  const host = getHost(authority);
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/** The seed's folder: `/docs/` and `/docs` open what lies below `/docs`, `/docs/intro.html` its siblings too. */
function getFolder(path: string): string {
  const slash = path.lastIndexOf('/');
  const last = path.slice(slash + 1);
  return last === '' || /\.[a-z][a-z0-9]{1,4}$/i.test(last) ? path.slice(0, slash) : path;
}
