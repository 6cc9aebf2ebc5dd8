import { toCanonicalKey } from './canonical-key.ts';

/** The most sitemap files of a site, and the deepest nesting of sitemap indexes. */
const MAX_FILES = 500;
const MAX_DEPTH = 3;

/** Common sitemap paths for sites whose robots.txt lists none, the most common first. */
const SITEMAP_PATHS = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/sitemap-index.xml',
  '/wp-sitemap.xml',
  '/sitemap.xml.gz',
  '/sitemap/sitemap.xml',
  '/sitemap/index.xml',
  '/sitemaps.xml',
  '/sitemap.txt',
];

/** Common feed paths for sites whose pages declare none. */
const FEED_PATHS = [
  '/feed',
  '/rss.xml',
  '/feed.xml',
  '/atom.xml',
  '/index.xml',
  '/rss',
  '/blog/feed',
  '/feeds/posts/default',
];

/**
 * A sitemap file to read. `depth` is the number of sitemap indexes that lead to it; 0 if robots.txt lists it or it is
 * at a common path.
 */
export type SitemapFile = { readonly url: string; readonly depth: number };

/** The queue of a site's sitemap files. */
export type SitemapQueue = {
  /** Adds a file; false if it is known, nested too deep, above the limit, or not a valid URL. */
  readonly add: (url: string, depth: number) => boolean;
  /** The next file to read; null if there is none. */
  readonly next: () => SitemapFile | null;
  /** The number of files rejected because of their number or depth. */
  readonly refused: () => number;
};

/** Creates the queue of one site: each file once, at most 500 files, at most three indexes deep. */
export function createSitemapQueue(): SitemapQueue {
  const known = new Set<string>();
  const waiting: SitemapFile[] = [];
  let given = 0;
  let refused = 0;
  return {
    add(url, depth) {
      const href = URL.parse(url)?.href ?? '';
      const key = toCanonicalKey(href);
      if (!/^https?:/.test(href) || known.has(key)) return false;
      if (known.size >= MAX_FILES || depth > MAX_DEPTH) {
        refused++;
        return false;
      }
      known.add(key);
      waiting.push({ url: href, depth });
      return true;
    },
    next: () => (given < waiting.length ? (waiting[given++] ?? null) : null),
    refused: () => refused,
  };
}

/** The sitemap URLs to try for a site whose robots.txt lists none; `siteHref` is any URL of the site. */
export function listCommonSitemapUrls(siteHref: string): readonly string[] {
  return SITEMAP_PATHS.map((path) => new URL(path, siteHref).href);
}

/** The feed URLs to try for a site whose pages declare none; `siteHref` is any URL of the site. */
export function listCommonFeedUrls(siteHref: string): readonly string[] {
  return FEED_PATHS.map((path) => new URL(path, siteHref).href);
}
