import { mapSiteErrors } from './request-errors.ts';
import {
  DEFAULT_RENDER_OPTIONS,
  type Classification,
  type LoadMore,
  type Page,
  type PageRequest,
  type RenderOptions,
  RENDERING_TIERS,
  type Tier,
} from '#access/page.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import type { UntypedSource } from '#sites/framework/endpoint.ts';
import type { ServedEndpoint } from './endpoint.ts';
import { formatPostBody, type SiteRequest } from '#sites/framework/request.ts';
import { type BrowserActions, type SiteSettings, buildUrl } from '#sites/framework/site.ts';

/** Lists those of `tiers` that a source may use. */
export function listTiersFor(
  { site }: Pick<ServedEndpoint, 'site'>,
  source: UntypedSource,
  { tiers: settled }: SiteSettings,
  tiers: readonly Tier[],
): readonly Tier[] {
  const needsBrowser = source.needs === 'browser' || site.needs === 'browser' || source.captures.length > 0;
  return tiers.filter(
    (tier) => (settled === null || settled.includes(tier)) && (!needsBrowser || RENDERING_TIERS.has(tier)),
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
    headers: { ...headers, ...(post === undefined ? {} : { 'content-type': toContentType(post) }) },
    cookies: Object.entries(cookies).map(([name, value]) => ({ name, value })),
    ...(isPlain ? {} : { browser }),
    ...(body === null ? {} : { post: body }),
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

/** Combines the site's verdict and the general classification of a page. */
export function toClassification(verdict: SiteVerdict, judged: Classification, page: Page): Classification {
  const { visibleChars: visible } = judged;
  const { kind } = verdict;
  if (kind === 'not_found') return { outcome: 'not_found', visibleChars: visible, mayImprove: false };
  if (kind === 'rate_limited') return { outcome: 'rate_limited', visibleChars: visible, mayImprove: true };
  if (kind !== 'blocked' && kind !== 'unusable') return { outcome: 'ok', visibleChars: visible, mayImprove: false };
  // A general classification that detected a challenge or block is more specific.
  if (BLOCK_OUTCOMES.has(judged.outcome)) return judged;
  if (kind === 'blocked') return { outcome: 'blocked', visibleChars: visible, mayImprove: true };
  if (verdict.isRefusal) return judged;
  const mayGrow = judged.mayImprove && /html/i.test(page.contentType);
  return { outcome: 'thin', reason: 'record_missing', visibleChars: visible, mayImprove: mayGrow };
}

const BLOCK_OUTCOMES: ReadonlySet<Classification['outcome']> = new Set(['challenge', 'blocked']);
