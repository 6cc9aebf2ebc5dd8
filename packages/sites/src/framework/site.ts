import { InvariantError } from '#extract/invariant-error.ts';
import { getDomainWithoutSuffix } from 'tldts';
import { SiteError } from './site-error.ts';
import type { SiteAnswer } from './answers.ts';
import type { SitePlace, SiteRequest, SourcePage } from './request.ts';

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
export function originOf(site: Site, { origins }: Pick<SiteSettings, 'origins'>, name: string): string {
  const [family = name] = name.split('.');
  const found = origins[name] ?? origins[family] ?? site.origins[name];
  if (found === undefined) throw new InvariantError(`${site.name} has no origin ${name}`);
  return found;
}

/** A part of a path that leads to another path, as URLs are read: it cannot be written in any other way. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

/**
 * The URL that a request comes to: its origin as configured, its path and its query. Throws `not_found` for a path that a
 * name such as `..` would turn into that of another page.
 */
export function toUrl(site: Site, settings: Pick<SiteSettings, 'origins'>, request: SiteRequest): URL {
  const [path = ''] = request.path.replaceAll(/[\t\n\r]/g, '').split(/[?#]/);
  const dots = path.split(/[/\\]/).find((part) => DOTS.test(part));
  if (dots !== undefined) throw new SiteError('not_found', `no page of ${site.name} has the name ${dots}`);
  const origin = originOf(site, settings, request.origin);
  // Put together as text: a path such as `//elsewhere` stays one.
  const url = new URL(`${origin}${request.path.startsWith('/') ? '' : '/'}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && one !== undefined) url.searchParams.append(name, String(one));
  return url;
}

/** Where on a site a URL is; null when its host is neither one of the format nor configured. */
export function locateOnSite(site: Site, settings: Pick<SiteSettings, 'origins'>, text: string): SitePlace | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const origin = nameOf(site, settings, url);
  return origin === null ? null : { origin, path: `${url.pathname}${url.search}` };
}

function nameOf(site: Site, { origins }: Pick<SiteSettings, 'origins'>, url: URL): string | null {
  const configured = nameAt(origins, url.host);
  if (configured !== undefined) return configured in site.origins ? configured : (familyOf(site, configured) ?? null);
  const own = nameAt(site.origins, url.host);
  if (own !== undefined) return own;
  const { hosts = {} } = site;
  return Object.hasOwn(hosts, url.host) ? (hosts[url.host] ?? null) : null;
}

function nameAt(origins: Site['origins'], host: string): string | undefined {
  return Object.entries(origins).find(([, origin]) => new URL(origin).host === host)?.[0];
}

/** The first origin of those that a shorter name stands for. */
function familyOf(site: Site, family: string): string | undefined {
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
