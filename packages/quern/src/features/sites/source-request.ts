import {
  DEFAULT_RENDER_OPTIONS,
  type LoadMore,
  type PageRequest,
  RENDERING_TIERS,
  type RenderOptions,
  type Tier,
} from '#access/page.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import type { UntypedSource } from '#sites/framework/endpoint.ts';
import { formatPostBody, type RequestContext, type SiteRequest } from '#sites/framework/request.ts';
import { type BrowserActions, buildUrl, type SiteSettings } from '#sites/framework/site.ts';
import { buildSiteContext } from '#sites/framework/source-reader.ts';
import { mapSiteErrors, type ServedEndpoint } from './endpoint.ts';

/** Lists the sources that the operator's settings and the parameters allow. */
export function listUsableSources(
  endpoint: Pick<ServedEndpoint, 'site' | 'sources'>,
  { input }: Pick<EndpointCall, 'input'>,
  settings: SiteSettings,
  now: number,
): readonly UntypedSource[] {
  const sending = buildSending(endpoint, settings, { cursor: null, limit: null, now });
  return endpoint.sources.filter((source) => source.isUsable(sending, input));
}

/** Builds the site facts and secrets that requests may use. */
export function buildSending(
  { site }: Pick<ServedEndpoint, 'site'>,
  settings: SiteSettings,
  { cursor, limit, now }: Pick<RequestContext, 'cursor' | 'limit' | 'now'>,
): RequestContext {
  return { ...buildSiteContext(site, { settings, cursor, limit }), credentials: settings.credentials, now };
}

/** Excludes browsers for POST requests, which they cannot open. */
export function excludeBrowsers({ post }: SiteRequest, tiers: readonly Tier[]): readonly Tier[] {
  return post === undefined ? tiers : tiers.filter((tier) => tier === 'http' || tier === 'proxy');
}

/** Lists those of `tiers` that a source may use. */
export function listTiersFor(
  { site }: Pick<ServedEndpoint, 'site'>,
  source: UntypedSource,
  { tiers: allowed }: SiteSettings,
  tiers: readonly Tier[],
): readonly Tier[] {
  const needsBrowser = source.needs === 'browser' || site.needs === 'browser' || source.captures.length > 0;
  return tiers.filter(
    (tier) => (allowed === null || allowed.includes(tier)) && (!needsBrowser || RENDERING_TIERS.has(tier)),
  );
}

/** Builds the page request of a site request. */
export function buildPageRequest(
  { site }: Pick<ServedEndpoint, 'site'>,
  source: UntypedSource,
  { request, settings }: { readonly request: SiteRequest; readonly settings: SiteSettings },
): PageRequest {
  const { scroll, click = [], wait_for: waitFor = null } = source.browser;
  const more = buildLoadMore(source.browser, request);
  const { device = 'desktop', language = null, cookies = {}, headers = {}, post } = request;
  const url = mapSiteErrors(() => buildUrl(site, settings, request));
  const body = formatPostBody(request);
  const isAsShown = scroll === undefined && click.length === 0 && waitFor === null && more === null;
  const isPlain = device === 'desktop' && language === null && isAsShown;
  const browser: RenderOptions = {
    ...DEFAULT_RENDER_OPTIONS,
    waitForSelector: waitFor,
    scroll: scroll !== undefined,
    click,
    ...(more === null ? {} : { more }),
    device,
    locale: language,
  };
  return {
    url,
    headers,
    cookies: Object.entries(cookies).map(([name, value]) => ({ name, value })),
    ...(isPlain ? {} : { browser }),
    ...(post === undefined
      ? {}
      : { submission: { method: 'POST', body, contentType: toContentType(post), once: null } }),
    ...(source.captures.length === 0 ? {} : { captures: source.captures }),
  };
}

/** Limits pages that load more content without end. */
const MAX_LOAD_ROUNDS = 30;

function buildLoadMore({ more }: BrowserActions, { rounds = 0 }: SiteRequest): LoadMore | null {
  if (more === undefined || rounds < 1) return null;
  return { rounds: Math.min(rounds, MAX_LOAD_ROUNDS), click: more === 'end' ? null : more.click };
}

function toContentType(post: NonNullable<SiteRequest['post']>): string {
  return 'json' in post ? 'application/json' : 'application/x-www-form-urlencoded';
}
