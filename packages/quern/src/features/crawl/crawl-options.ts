import type { Cookie } from '#access/cookie.ts';
import type { Page, PageRequest } from '#access/page.ts';
import type { ReadRequest } from '#extract/reading.ts';
import type { SitePageRequest } from '#extract/urls/site-page.ts';
import type { ScopeKind } from '#extract/urls/scope.ts';

/** The request and the reading of each page of a crawl. */
export type PageOptions = Pick<
  ReadRequest,
  | 'outputs'
  | 'onlyMainContent'
  | 'includeSelectors'
  | 'excludeSelectors'
  | 'extract'
  | 'maxChars'
  | 'offsetChars'
  | 'passageChars'
> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  /** Options of the browser, and the country of the exit. */
  readonly visit: Pick<PageRequest, 'browser' | 'country'>;
};

export const SITEMAP_MODES = ['include', 'skip', 'only'] as const;

export const STORE_RULES = ['all', 'included'] as const;

/** Whether `include` bounds what is followed and stored, or only what is stored. */
export type StoreRule = (typeof STORE_RULES)[number];

export type SitemapMode = (typeof SITEMAP_MODES)[number];

/** The order of a crawl; plain data. */
export type CrawlOptions = {
  /** Start URLs; several only with `discovers` false. */
  readonly seeds: readonly string[];
  /** Whether more is visited than the seeds. */
  readonly discovers: boolean;
  /** Whether sitemaps are read in addition to links, not at all, or instead of links. */
  readonly sitemap: SitemapMode;
  readonly maxPages: number;
  /** Null for unlimited. */
  readonly maxDepth: number | null;
  /** Links of one path pattern, such as `/maze/*`, that are followed. */
  readonly maxPerPattern: number;
  readonly scope: ScopeKind;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly store: StoreRule;
  /** Whether links that differ by a hash route are pages of their own. */
  readonly hashRoutes: boolean;
  readonly respectRobots: boolean;
  /** Whether links of action bars are visited after all others. */
  readonly actionsLast: boolean;
  /** Whether links that end a login, delete something or change a cart are left out. */
  readonly skipsActions: boolean;
  /** Whether pages are asked for with a login: cookies, a session or a header that carries one. */
  readonly hasLogin: boolean;
  /** Ms between two visits of one host, null to adapt to the host. */
  readonly delayMs: number | null;
  readonly dedupeContent: boolean;
  /** Whether every HTTP exchange is kept. */
  readonly archive: boolean;
  readonly page: PageOptions;
  /** The name of the caller's session, null for none. */
  readonly session: string | null;
  /** Whether a model summarises each page. */
  readonly summary: boolean;
};

/** The parser's request for a page of a crawl. */
export function buildSitePageRequest(
  { page: { headers: _sent, cookies: _given, visit: _wished, ...how } }: CrawlOptions,
  { url, contentType, body, headers }: Page,
): Omit<SitePageRequest, 'rules' | 'depth' | 'missing' | 'wantsTitles' | 'keeps' | 'obeysTags' | 'hasLogin'> {
  return { ...how, url, contentType, body, xRobotsTag: headers['x-robots-tag'] ?? '' };
}
