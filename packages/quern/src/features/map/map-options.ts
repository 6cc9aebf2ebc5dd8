import { NO_OUTPUTS } from '#extract/reading.ts';
import type { CrawlOptions, PageOptions } from '#features/crawl/crawl-options.ts';
import type { FoundUrl } from '#features/crawl/crawl-page.ts';
import { FILE_SOURCES } from '#features/crawl/run/site-files.ts';

/** Where a map looks for URLs. */
export const MAP_SOURCES = [...FILE_SOURCES, 'links'] as const;

export type MapSource = (typeof MAP_SOURCES)[number];

/** The order of a map; plain data. */
export type MapOptions = Pick<
  CrawlOptions,
  | 'maxPerPattern'
  | 'scope'
  | 'include'
  | 'exclude'
  | 'hashRoutes'
  | 'respectRobots'
  | 'delayMs'
  | 'session'
  | 'skipsActions'
  | 'hasLogin'
> & {
  readonly url: string;
  readonly maxUrls: number;
  /** Depth of links; URLs that files name are found at any depth. */
  readonly maxDepth: number;
  readonly sources: readonly MapSource[];
  /** Whether the texts of links are taken as titles of what they lead to. */
  readonly wantsTitles: boolean;
  /** What the request of each page has in addition; files such as sitemaps are asked for without. */
  readonly request: Pick<PageOptions, 'headers' | 'cookies'>;
  /** Whether more URLs are gathered than are returned, to choose from. */
  readonly collectsExtra: boolean;
};

/** URLs that a search chooses from at most, where fewer are asked for. */
const MAX_COLLECTED_URLS = 10_000;

/** The number of URLs at which a map ends. */
export function computeUrlLimit({ collectsExtra, maxUrls }: MapOptions): number {
  return collectsExtra ? Math.max(maxUrls, MAX_COLLECTED_URLS) : maxUrls;
}

/** Whether a URL of a file is only listed at first: those of feeds are visited, where links are followed that far. */
export function isInitiallyParked(order: MapOptions, { source, depth }: FoundUrl): boolean {
  return source !== 'feed' || depth >= computeFollowDepth(order);
}

/** The depth from which on pages are not visited for their links. */
export function computeFollowDepth({ sources, maxDepth }: MapOptions): number {
  return sources.includes('links') ? maxDepth : 0;
}

/** The order of the crawl that a map makes. */
export function toCrawlOptions({
  url,
  maxDepth,
  scope,
  include,
  exclude,
  hashRoutes,
  respectRobots,
  delayMs,
  maxPerPattern,
  skipsActions,
  hasLogin,
  wantsTitles,
  request,
  session,
}: MapOptions): CrawlOptions {
  return {
    seeds: [url],
    discovers: true,
    sitemap: 'include',
    maxPages: Number.MAX_SAFE_INTEGER,
    maxDepth,
    scope,
    include,
    exclude,
    store: 'all',
    hashRoutes,
    respectRobots,
    actionsLast: false,
    delayMs,
    skipsActions,
    hasLogin,
    maxPerPattern,
    dedupeContent: false,
    archive: false,
    summary: false,
    session,
    page: {
      ...NO_OUTPUTS,
      outputs: wantsTitles ? ['links'] : [],
      ...request,
      visit: {},
    },
  };
}
