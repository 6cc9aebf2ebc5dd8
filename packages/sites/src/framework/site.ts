import { getDomainWithoutSuffix } from 'tldts';
import { InvariantError } from '#extract/invariant-error.ts';
import type { SiteAnswer } from './answers.ts';
import type { SiteLocation, SiteRequest, SourcePage } from './request.ts';
import { SiteError } from './site-error.ts';

/** Actions of a browser before the page is captured. */
export type BrowserUse = {
  readonly scroll?: 'end';
  /** CSS selectors that are clicked in this order, each where it is there. */
  readonly click?: readonly string[];
  /** A CSS selector that must match before the page is taken. */
  readonly wait_for?: string;
  /** How `rounds` of a request load more: by going to the end of the page, or by a click on what a CSS selector finds. */
  readonly more?: 'end' | { readonly click: string };
};

/** A target site, as its author writes it. */
export type Site = {
  /** The neutral word: the first part of its paths and the `provider` of its answers. */
  readonly name: string;
  /** The kind of site in a few words: `code hosting: repositories and users`. */
  readonly about?: string;
  /** Default origins by name, `https://host` without a path; `web.de` is one of several that `web` stands for. */
  readonly origins: Readonly<Record<string, string>>;
  /** Further hosts of the format, each with the name of the origin that has the same paths. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** Credits of one call, 15 unless given; an endpoint may have its own. */
  readonly price?: number;
  /** Rotating constants with their defaults. */
  readonly constants?: Readonly<Record<string, string>>;
  /** The names of what the operator may give to be let in by the site's documented interface. */
  readonly credentials?: readonly string[];
  readonly needs?: 'browser';
  /** The login walls, consent pages and shells that all endpoints share; run before each `parse`, on any status. */
  readonly classify?: (page: SourcePage) => SiteAnswer | null;
};

/** The site of an operation, as what chooses among operations sees it. */
export function describeSite({ name, about = '', origins, hosts = {} }: Site) {
  const own = [...Object.values(origins).map((origin) => new URL(origin).hostname), ...Object.keys(hosts)];
  return {
    name,
    about,
    hosts: [...new Set(own.map((host) => getDomainWithoutSuffix(host) ?? host))],
    domains: toDomains(own),
  };
}

/** Hosts as people write them, each without those below it: `github.com` for that and `api.github.com`. */
function toDomains(hosts: readonly string[]): readonly string[] {
  const all = [...new Set(hosts.map((host) => host.replace(/^www\./, '')))];
  return all.filter((host) => !all.some((other) => host.endsWith(`.${other}`)));
}

/** The operator's settings for one site. */
export type SiteSettings = {
  /** Origins that stand in the place of the defaults, by name or by its part before the dot. */
  readonly origins: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  /** The only tiers that may be used, null for those of the plan. */
  readonly tiers: readonly string[] | null;
  readonly constants: Readonly<Record<string, string>>;
  /** How old a cached page may be where the caller does not say; 0 keeps none, null leaves it to the caller. */
  readonly cacheSeconds: number | null;
};

/** A site that nothing was settled for. */
export const NO_SETTINGS: SiteSettings = {
  origins: {},
  credentials: {},
  tiers: null,
  constants: {},
  cacheSeconds: null,
};

/** The origin that a name stands for: the operator's, that of the part before the dot, or the default. */
export function getOrigin(site: Site, { origins }: Pick<SiteSettings, 'origins'>, name: string): string {
  const [family = name] = name.split('.');
  const found = origins[name] ?? origins[family] ?? site.origins[name];
  if (found === undefined) throw new InvariantError(`${site.name} has no origin ${name}`);
  return found;
}

/** A part of a path that leads to another path, as URLs are read: it cannot be written in any other way. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * The URL that a request comes to: its origin as configured, its path and its query. Throws `not_found` for a path that a
 * name such as `..` would turn into that of another page.
 */
export function toUrl(site: Site, settings: Pick<SiteSettings, 'origins'>, request: SiteRequest): URL {
  const [path = ''] = request.path.replaceAll(/[\t\n\r]/g, '').split(/[?#]/);
  const dots = path.split(/[/\\]/).find((part) => DOT_SEGMENT.test(part));
  if (dots !== undefined) throw new SiteError('not_found', `no page of ${site.name} has the name ${dots}`);
  const origin = getOrigin(site, settings, request.origin);
  // Put together as text: a path such as `//elsewhere` stays one.
  const url = new URL(`${origin}${request.path.startsWith('/') ? '' : '/'}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && one !== undefined) url.searchParams.append(name, String(one));
  return url;
}

/** Where on a site a URL is; null when its host is neither one of the format nor configured. */
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

/** The first origin of those that a shorter name stands for. */
function findFirstOfFamily(site: Site, family: string): string | undefined {
  return Object.keys(site.origins).find((name) => name.startsWith(`${family}.`));
}

/** Throws `invalid_request` for a parameter that is no URL or id of its site. */
export function refuseParameter(parameter: string, why: string): never {
  throw new SiteError('invalid_request', `${parameter}: ${why}`);
}

/**
 * Throws for a parameter that refers to nothing of its site: `not_found` for an id or a name, since no page can have it,
 * and `invalid_request` for `url`, which is the address of something else.
 */
export function refuseReference(parameter: string, why: string): never {
  throw new SiteError(parameter === 'url' ? 'invalid_request' : 'not_found', `${parameter}: ${why}`);
}

/** What the paths of a site lead to, the narrower kinds first, each in words such as `a channel`. */
export type PathKinds = readonly (readonly [pattern: RegExp, words: string])[];

/** What a path leads to; null where nobody knows. */
export function findPathKind(kinds: PathKinds, path: string): string | null {
  return kinds.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

type LinkRefusal = {
  /** The parameter that holds the address. */
  readonly parameter: string;
  /** What the address leads to. */
  readonly kind: string | null;
  /** What it should lead to. */
  readonly wanted: string;
};

/** Refuses an address that leads to something else than is wanted, and says to what. Throws `invalid_request`. */
export function refuseLinkKind({ parameter, kind, wanted }: LinkRefusal): never {
  if (kind === null || kind === wanted) return refuseReference(parameter, `is no address of ${wanted} of this site`);
  return refuseParameter(parameter, `is the address of ${kind}, not of ${wanted}`);
}

type LinkCheck = {
  /** The parameter that holds the address. */
  readonly parameter: string;
  /** Null for an address of another site. */
  readonly place: SiteLocation | null;
  readonly kinds: PathKinds;
  /** What the address should lead to, such as `a job`. */
  readonly wanted: string;
};

/** Refuses an address that leads to something else than is wanted, by the kinds of its site. Throws `invalid_request`. */
export function refuseLink({ parameter, place, kinds, wanted }: LinkCheck): never {
  return refuseLinkKind({ parameter, kind: place === null ? null : findPathKind(kinds, place.path), wanted });
}
