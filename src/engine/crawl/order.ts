import type { Cookie, Page, PageRequest } from '#access/page.ts';
import type { ReadRequest } from '#extract/reading.ts';
import type { SitePageRequest } from '#extract/site/site-page.ts';
import type { ScopeKind } from '#extract/site/scope.ts';

/** How each page of a crawl is asked for and read. */
export type PageOrder = Pick<
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
  /** What is wished of the visit, and from where. */
  readonly visit: Pick<PageRequest, 'browser' | 'country'>;
};

export const SITEMAP_USES = ['include', 'skip', 'only'] as const;

export type SitemapUse = (typeof SITEMAP_USES)[number];

/** What a crawl is to do; plain data. */
export type CrawlOrder = {
  /** Where it starts; several only with `discovers` false. */
  readonly seeds: readonly string[];
  /** Whether there is more to find than the seeds. */
  readonly discovers: boolean;
  /** Whether sitemaps are read beside the links, not at all, or instead of them. */
  readonly sitemap: SitemapUse;
  readonly maxPages: number;
  /** Null for any depth. */
  readonly maxDepth: number | null;
  /** Links of one pattern of paths, such as `/maze/*`, that are taken in. */
  readonly mostPerPattern: number;
  readonly scope: ScopeKind;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly respectRobots: boolean;
  /** Ms between two starts at one host, null for what the host stands. */
  readonly delayMs: number | null;
  readonly dedupeContent: boolean;
  /** Whether every exchange is kept. */
  readonly archive: boolean;
  readonly page: PageOrder;
  /** Whether a model is to say in a few sentences what each page says. */
  readonly summary: boolean;
};

/** How a page of a walk is read. */
export function toPageRequest(
  { page: { headers: _sent, cookies: _given, visit: _wished, ...how } }: CrawlOrder,
  { url, contentType, body, headers }: Page,
): Omit<SitePageRequest, 'rules' | 'depth' | 'missing' | 'wantsTitles' | 'keeps'> {
  return { ...how, url, contentType, body, xRobotsTag: headers['x-robots-tag'] ?? '' };
}
