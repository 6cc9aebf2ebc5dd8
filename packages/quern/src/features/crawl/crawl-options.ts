import type { Cookie } from '#access/web-session.ts';
import type { Page, PageRequest } from '#access/page.ts';
import type { ChangesOptions } from '#features/schema/changes-fields.ts';
import type { PassagesOptions } from '#features/schema/passages-fields.ts';
import type { ReadRequest } from '#extract/reading.ts';
import type { SitePageRequest } from '#extract/urls/site-page.ts';
import type { ScopeKind } from '#extract/urls/scope.ts';
import type { PageClaim } from './crawl-page.ts';

/** How each page of a crawl is requested and read. */
export type PageOptions = Pick<
  ReadRequest,
  | 'outputs'
  | 'onlyMainContent'
  | 'includeSelectors'
  | 'excludeSelectors'
  | 'extract'
  | 'chunking'
  | 'maxChars'
  | 'offsetChars'
  | 'passageChars'
  | 'plainTextChars'
> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  /** Browser options, the country of the exit proxy, and whether any certificate is accepted. */
  readonly visit: Pick<PageRequest, 'browser' | 'country' | 'insecureTls'>;
  /** Whether only a browser can load the page as requested. */
  readonly needsBrowser: boolean;
  /** Whether a model summarises the page. */
  readonly summary: boolean;
  /** Which passages of the page are quoted; null for none. */
  readonly passages: PassagesOptions | null;
};

/** A page of a list of which each page has its own options. */
export type ListedPage = {
  readonly url: string;
  /** Index in the list of the caller. */
  readonly index: number;
  readonly page: PageOptions;
  /** Tells pages of the same URL with different options apart; empty for the options of the whole list. */
  readonly variant: string;
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
  /**
   * Whether the seeds are a list of which each has one element in the result: a failed one as an error, and two with the
   * same content or redirect target twice.
   */
  readonly recordsAll?: boolean;
  /** How each page is compared with its last copy. Default: not at all. */
  readonly changes?: ChangesOptions;
  /** The page of each seed, in the same order; absent if `page` is for all of them. */
  readonly listed?: readonly ListedPage[];
  /** Maximum number of pages that all processes visit at once. Default: only the limit of each process. */
  readonly maxConcurrency?: number;
};

/** Finds the page of a list by its claim; null for a crawl without such a list. */
export function findListedPage(
  { listed = [] }: CrawlOptions,
  { seq, url }: Pick<PageClaim, 'seq' | 'url'>,
): ListedPage | null {
  const own = listed[seq - 1];
  // The numbers are those of the seeds, unless other settings of the service made another URL of the list invalid.
  return own?.url === url ? own : (listed.find((one) => one.url === url) ?? null);
}

/** Returns how the page of a claim is requested and read. */
export function getPageOptions(options: CrawlOptions, claim: Pick<PageClaim, 'seq' | 'url'>): PageOptions {
  return findListedPage(options, claim)?.page ?? options.page;
}

/** Builds the parser's request for a page of a crawl. `wholeMarkdown` also returns the Markdown without its limits. */
export function buildSitePageRequest(
  {
    headers: _sent,
    cookies: _given,
    visit: _wished,
    needsBrowser: _tier,
    summary: _made,
    passages: _found,
    ...how
  }: PageOptions,
  wholeMarkdown: boolean,
  { url, contentType, body, headers }: Page,
): Omit<SitePageRequest, 'rules' | 'depth' | 'missing' | 'wantsTitles' | 'keeps' | 'obeysTags' | 'hasLogin'> {
  return { ...how, url, contentType, body, wholeMarkdown, xRobotsTag: headers['x-robots-tag'] ?? '' };
}
