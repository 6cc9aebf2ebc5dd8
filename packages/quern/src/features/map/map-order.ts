import { NO_OUTPUTS } from '#extract/reading.ts';
import type { CrawlOrder, PageOrder } from '#features/crawl/crawl-order.ts';
import type { FoundUrl } from '#features/crawl/crawl-page.ts';
import { FILE_SOURCES } from '#features/crawl/run/site-files.ts';

/** Where a map looks for URLs. */
export const MAP_SOURCES = [...FILE_SOURCES, 'links'] as const;

export type MapSource = (typeof MAP_SOURCES)[number];

/** The order of a map; plain data. */
export type MapOrder = Pick<
  CrawlOrder,
  | 'mostPerPattern'
  | 'scope'
  | 'include'
  | 'exclude'
  | 'hashRoutes'
  | 'respectRobots'
  | 'delayMs'
  | 'session'
  | 'sparesActions'
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
  readonly sent: Pick<PageOrder, 'headers' | 'cookies'>;
  /** Whether more URLs are gathered than are returned, to choose from. */
  readonly gathers: boolean;
};

/** URLs that a search chooses from at most, where fewer are asked for. */
const MAX_GATHERED = 10_000;

/** The number of URLs at which a map ends. */
export function enoughUrls({ gathers, maxUrls }: MapOrder): number {
  return gathers ? Math.max(maxUrls, MAX_GATHERED) : maxUrls;
}

/** Whether a URL of a file is only listed at first: those of feeds are visited, where links are followed that far. */
export function startsParked(order: MapOrder, { source, depth }: FoundUrl): boolean {
  return source !== 'feed' || depth >= followedDepth(order);
}

/** The depth from which on pages are not visited for their links. */
export function followedDepth({ sources, maxDepth }: MapOrder): number {
  return sources.includes('links') ? maxDepth : 0;
}

/** The order of the crawl that a map makes. */
export function toCrawlOrder({
  url,
  maxDepth,
  scope,
  include,
  exclude,
  hashRoutes,
  respectRobots,
  delayMs,
  mostPerPattern,
  sparesActions,
  hasLogin,
  wantsTitles,
  sent,
  session,
}: MapOrder): CrawlOrder {
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
    sparesActions,
    hasLogin,
    mostPerPattern,
    dedupeContent: false,
    archive: false,
    summary: false,
    session,
    page: {
      ...NO_OUTPUTS,
      outputs: wantsTitles ? ['links'] : [],
      ...sent,
      visit: {},
    },
  };
}
