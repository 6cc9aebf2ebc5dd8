import type { Cookie } from '#access/web-session.ts';
import type { Page, PageRequest } from '#access/page.ts';
import type { ChangesOptions } from '#features/schema/changes-fields.ts';
import type { ReadRequest } from '#extract/reading.ts';
import type { SitePageRequest } from '#extract/urls/site-page.ts';
import type { ScopeKind } from '#extract/urls/scope.ts';

/** How each page of a crawl is requested and read. */
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
  /** Browser options, and the country of the exit proxy. */
  readonly visit: Pick<PageRequest, 'browser' | 'country'>;
};

export const SITEMAP_MODES = ['include', 'skip', 'only'] as const;

export const STORE_RULES = ['all', 'included'] as const;

/** `all`: `include` limits which links are followed. `included`: it only limits which pages are stored. */
export type StoreRule = (typeof STORE_RULES)[number];

export type SitemapMode = (typeof SITEMAP_MODES)[number];

/** Options of a crawl, as plain data. */
export type CrawlOptions = {
  /** Start URLs. There are several only if `discovers` is false. */
  readonly seeds: readonly string[];
  /** Whether links and sitemaps are followed; otherwise only the seeds are visited. */
  readonly discovers: boolean;
  /** Read sitemaps in addition to links, not at all, or instead of links. */
  readonly sitemap: SitemapMode;
  readonly maxPages: number;
  /** Null for unlimited. */
  readonly maxDepth: number | null;
  /** Maximum number of links followed per path pattern, such as `/maze/*`. */
  readonly maxPerPattern: number;
  readonly scope: ScopeKind;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly store: StoreRule;
  /** Whether URLs that differ only in a hash route (`#/…`) are separate pages. */
  readonly hashRoutes: boolean;
  /** Whether URLs that differ only in the query are one page. */
  readonly ignoresQuery: boolean;
  readonly respectRobots: boolean;
  /** Whether action links, such as edit or share, are visited last. */
  readonly actionsLast: boolean;
  /** Whether links that log out, delete something or change a cart are skipped. */
  readonly skipsActions: boolean;
  /** Whether pages are requested with a login: cookies, a session or an authorization header. */
  readonly hasLogin: boolean;
  /** Fixed gap between two visits of one host, in ms. Null adapts the gap to the host. */
  readonly delayMs: number | null;
  readonly dedupeContent: boolean;
  /** Whether every HTTP exchange is archived. */
  readonly archive: boolean;
  readonly page: PageOptions;
  /** Name of the caller's session, null for none. */
  readonly session: string | null;
  /** Whether a model summarises each page. */
  readonly summary: boolean;
  /**
   * Whether the seeds are a list of which each has one element in the result: a failed one as an error, and two with the
   * same content or redirect target twice.
   */
  readonly recordsAll?: boolean;
  /** How each page is compared with its last copy. Default: not at all. */
  readonly changes?: ChangesOptions;
  /** Maximum number of pages that all processes visit at once. Default: only the limit of each process. */
  readonly maxConcurrency?: number;
};

/** Builds the parser's request for a page of a crawl. */
export function buildSitePageRequest(
  { page: { headers: _sent, cookies: _given, visit: _wished, ...how }, changes }: CrawlOptions,
  { url, contentType, body, headers }: Page,
): Omit<SitePageRequest, 'rules' | 'depth' | 'missing' | 'wantsTitles' | 'keeps' | 'obeysTags' | 'hasLogin'> {
  const wholeMarkdown = changes !== undefined;
  return { ...how, url, contentType, body, wholeMarkdown, xRobotsTag: headers['x-robots-tag'] ?? '' };
}
