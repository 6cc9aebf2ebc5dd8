import { getDomainWithoutSuffix } from 'tldts';
import { InvariantError } from '#extract/invariant-error.ts';
import type { SiteAnswer } from './answers.ts';
import type { SiteLocation, SiteRequest, SourcePage } from './request.ts';

/** Actions of the browser before it captures the page. */
export type BrowserActions = {
  readonly scroll?: 'end';
  /** CSS selectors of elements to click, in this order. Elements that do not exist are skipped. */
  readonly click?: readonly string[];
  /** A CSS selector that must match before the page is captured. */
  readonly wait_for?: string;
  /** How each of the request's `rounds` loads more: by scrolling to the end, or by a click on the element of a CSS selector. */
  readonly more?: 'end' | { readonly click: string };
};

/** The declaration of a site. */
export type Site = {
  /** The neutral name: the first segment of the endpoints' paths, and `provider` in responses. */
  readonly name: string;
  /** The kind of site in a few words: `code hosting: repositories and users`. */
  readonly about?: string;
  /** Default origins by name, as `https://host` without a path. The operator's setting `web` also applies to `web.de`. */
  readonly origins: Readonly<Record<string, string>>;
  /** Further hosts of the site, each with the name of the origin that has the same paths. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** Credits per call, by default 15. An endpoint may have its own price. */
  readonly price?: number;
  /** Constants that the site changes from time to time, with their defaults. The operator can override them. */
  readonly constants?: Readonly<Record<string, string>>;
  /** The names of credentials for the site's documented API, which the operator may configure. */
  readonly credentials?: readonly string[];
  readonly needs?: 'browser';
  /** Recognizes login walls, consent pages and challenges. Runs before each `parse`, for any status. Null for other pages. */
  readonly classify?: (page: SourcePage) => SiteAnswer | null;
};

/** A site as the search among operations finds it. */
export type SiteDescription = {
  readonly name: string;
  /** The kind of site in a few words; may be empty. */
  readonly about: string;
  /** The names of its hosts without suffix, such as `github`. */
  readonly hosts: readonly string[];
  readonly domains: readonly string[];
};

/** Describes a site. */
export function describeSite({ name, about = '', origins, hosts = {} }: Site): SiteDescription {
  const own = [...Object.values(origins).map((origin) => new URL(origin).hostname), ...Object.keys(hosts)];
  return {
    name,
    about,
    hosts: [...new Set(own.map((host) => getDomainWithoutSuffix(host) ?? host))],
    domains: toDomains(own),
  };
}

/** Removes `www.` from hosts, and drops subdomains of other hosts: `api.github.com` if there is `github.com`. */
function toDomains(hosts: readonly string[]): readonly string[] {
  const all = [...new Set(hosts.map((host) => host.replace(/^www\./, '')))];
  return all.filter((host) => !all.some((other) => host.endsWith(`.${other}`)));
}

/** The operator's settings for one site. */
export type SiteSettings = {
  /** Origins that replace the defaults, by name or by the part of the name before the dot. */
  readonly origins: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  /** The only tiers that may be used; null for those of the plan. */
  readonly tiers: readonly string[] | null;
  readonly constants: Readonly<Record<string, string>>;
  /** The maximum age of a cached page if the caller sets none. 0 disables the cache; null uses the general default. */
  readonly cacheSeconds: number | null;
};

/** The settings of a site that the operator did not configure. */
export const NO_SETTINGS: SiteSettings = {
  origins: {},
  credentials: {},
  tiers: null,
  constants: {},
  cacheSeconds: null,
};

/** Returns the origin with a name: the operator's, the operator's for the part before the dot, or the default. */
export function getOrigin(site: Site, { origins }: Pick<SiteSettings, 'origins'>, name: string): string {
  const [family = name] = name.split('.');
  const found = origins[name] ?? origins[family] ?? site.origins[name];
  if (found === undefined) throw new InvariantError(`${site.name} has no origin ${name}`);
  return found;
}

/** A path segment that URL parsers resolve. No percent-encoding of it is safe, so that such an id cannot be requested. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * Builds the URL of a request from the configured origin, the path and the query. Throws `not_found` if the path has a
 * segment such as `..`, which would lead to another page.
 */
export function buildUrl(site: Site, settings: Pick<SiteSettings, 'origins'>, request: SiteRequest): URL {
  const [path = ''] = request.path.replaceAll(/[\t\n\r]/g, '').split(/[?#]/);
  const dots = path.split(/[/\\]/).find((part) => DOT_SEGMENT.test(part));
  if (dots !== undefined) throw new SiteError('not_found', `${site.name} has no page with the name ${dots}`);
  const origin = getOrigin(site, settings, request.origin);
  // Concatenated as text, so that a path such as `//elsewhere` does not change the host.
  const url = new URL(`${origin}${request.path.startsWith('/') ? '' : '/'}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && one !== undefined) url.searchParams.append(name, String(one));
  return url;
}

/** Converts a URL to its origin and path. Null if its host is neither declared by the site nor configured. */
export function locateOnSite(site: Site, settings: Pick<SiteSettings, 'origins'>, text: string): SiteLocation | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const origin = findOriginName(site, settings, url);
  return origin === null ? null : { origin, path: `${url.pathname}${url.search}` };
}

function findOriginName(site: Site, { origins }: Pick<SiteSettings, 'origins'>, url: URL): string | null {
  const configured = findNameByHost(origins, url.host);
  if (configured !== undefined)
    return configured in site.origins ? configured : (findFirstOfFamily(site, configured) ?? null);
  const own = findNameByHost(site.origins, url.host);
  if (own !== undefined) return own;
  const { hosts = {} } = site;
  return Object.hasOwn(hosts, url.host) ? (hosts[url.host] ?? null) : null;
}

function findNameByHost(origins: Site['origins'], host: string): string | undefined {
  return Object.entries(origins).find(([, origin]) => new URL(origin).host === host)?.[0];
}

/** Finds the first origin whose name has this part before the dot. */
function findFirstOfFamily(site: Site, family: string): string | undefined {
  return Object.keys(site.origins).find((name) => name.startsWith(`${family}.`));
}

/** Throws `invalid_request` for a parameter. `why` completes the sentence that begins with the parameter's name. */
export function refuseParameter(parameter: string, why: string): never {
  throw new SiteError('invalid_request', `${parameter}: ${why}`);
}

/**
 * Throws for a parameter that cannot refer to anything on the site: `not_found` for an id or a name, and `invalid_request`
 * for `url`, because that is the address of something else.
 */
export function refuseReference(parameter: string, why: string): never {
  throw new SiteError(parameter === 'url' ? 'invalid_request' : 'not_found', `${parameter}: ${why}`);
}

/** The kinds of a site's pages by their paths, for error messages: `a channel`. The first matching pattern applies. */
export type PathKinds = readonly (readonly [pattern: RegExp, words: string])[];

/** Finds the kind of page at a path; null if no pattern matches. */
export function findPathKind(kinds: PathKinds, path: string): string | null {
  return kinds.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

type LinkRefusal = {
  /** The parameter that contains the address. */
  readonly parameter: string;
  /** The kind of page at the address; null if unknown. */
  readonly kind: string | null;
  /** The kind of page that the endpoint needs. */
  readonly wanted: string;
};

/** Throws `invalid_request` for the address of another kind of page. The message names both kinds. */
export function refuseLinkKind({ parameter, kind, wanted }: LinkRefusal): never {
  if (kind === null || kind === wanted) return refuseReference(parameter, `is no address of ${wanted} of this site`);
  return refuseParameter(parameter, `is the address of ${kind}, not of ${wanted}`);
}

type LinkCheck = {
  /** The parameter that contains the address. */
  readonly parameter: string;
  /** Null for an address of another site. */
  readonly place: SiteLocation | null;
  readonly kinds: PathKinds;
  /** The kind of page that the endpoint needs, such as `a job`. */
  readonly wanted: string;
};

/** Throws `invalid_request` for the address of another kind of page, which `kinds` determines. */
export function refuseLink({ parameter, place, kinds, wanted }: LinkCheck): never {
  return refuseLinkKind({ parameter, kind: place === null ? null : findPathKind(kinds, place.path), wanted });
}

/** Thrown for a parameter that is invalid for its site, or that refers to something that cannot exist there. */
export class SiteError extends Error {
  readonly code: 'invalid_request' | 'not_found';

  constructor(code: SiteError['code'], message: string) {
    super(message);
    this.name = 'SiteError';
    this.code = code;
  }
}
