import { DEFAULT_READ_OPTIONS } from '#extract/reading.ts';
import type { CrawlOptions, PageOptions } from '#features/crawl/crawl-options.ts';
import type { FoundUrl } from '#features/crawl/crawl-page.ts';
import { FILE_SOURCES } from '#features/crawl/run/site-files.ts';

/** Where a map looks for URLs. */
export const MAP_SOURCES = [...FILE_SOURCES, 'known', 'links'] as const;

export type MapSource = (typeof MAP_SOURCES)[number];

/** Options of a map, as plain data. */
export type MapOptions = Pick<
  CrawlOptions,
  | 'maxPerPattern'
  | 'scope'
  | 'include'
  | 'exclude'
  | 'hashRoutes'
  | 'ignoresQuery'
  | 'respectRobots'
  | 'delayMs'
  | 'session'
  | 'skipsActions'
  | 'hasLogin'
> & {
  readonly url: string;
  readonly maxUrls: number;
  /** Maximum depth of links; URLs listed in files are found at any depth. */
  readonly maxDepth: number;
  readonly sources: readonly MapSource[];
  /** Whether links are followed although other sources have URLs. */
  readonly walks: boolean;
  /** How long links are followed, ms; null without a limit of its own. */
  readonly walkMs: number | null;
  /** Whether link texts are used as titles of their targets. */
  readonly wantsTitles: boolean;
  /** Headers and cookies of page requests; sitemaps and feeds are requested without them. */
  readonly request: Pick<PageOptions, 'headers' | 'cookies'>;
  /** Whether more URLs are collected than returned, to choose the best matches. */
  readonly collectsExtra: boolean;
};

/** Number of URLs that a search chooses from, unless more are requested: those of the largest sitemap, and some more. */
const MAX_COLLECTED_URLS = 51_000;

/** The number of URLs at which a map ends. */
export function computeUrlLimit({ collectsExtra, maxUrls }: MapOptions): number {
  return collectsExtra ? Math.max(maxUrls, MAX_COLLECTED_URLS) : maxUrls;
}

/**
 * Whether a URL from a file is only listed at first. URLs from feeds are visited if links are followed to their depth.
 */
export function isInitiallyParked(options: MapOptions, { source, depth }: FoundUrl): boolean {
  return source !== 'feed' || depth >= computeFollowDepth(options);
}

/** Pages at this depth or deeper are not visited for their links. */
export function computeFollowDepth({ sources, maxDepth }: MapOptions): number {
  return sources.includes('links') ? maxDepth : 0;
}

/** Builds the options of the crawl that a map performs. */
export function toCrawlOptions({
  url,
  maxDepth,
  scope,
  include,
  exclude,
  hashRoutes,
  ignoresQuery,
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
    ignoresQuery,
    respectRobots,
    actionsLast: false,
    delayMs,
    skipsActions,
    hasLogin,
    maxPerPattern,
    dedupeContent: false,
    archive: false,
    session,
    page: {
      ...DEFAULT_READ_OPTIONS,
      outputs: wantsTitles ? ['links'] : [],
      ...request,
      visit: {},
      needsBrowser: false,
      summary: false,
      passages: null,
    },
  };
}
