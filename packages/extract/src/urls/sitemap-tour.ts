import { canonicalKey } from './canonical-key.ts';

/** Sitemap files of one site, and how deep an index may lead to an index. */
const MAX_FILES = 500;
const MAX_DEPTH = 3;

/** Where sitemaps lie on sites whose robots.txt names none, the commonest first. */
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

/** Where feeds lie on sites whose pages name none. */
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

/** A file to read: 0 for those that robots.txt names or convention places, one more for each index in between. */
export type SitemapFile = { readonly url: string; readonly depth: number };

/** The order in which the sitemaps of a site are read. */
export type SitemapTour = {
  /** Takes a file in; false when it is known, too deep, one too many, or no URL. */
  readonly add: (url: string, depth: number) => boolean;
  /** The next file to read, null when there is none left. */
  readonly next: () => SitemapFile | null;
  /** Files that were refused for their number or depth. */
  readonly refused: () => number;
};

/** Builds the tour of one site: each file once, at most 500, at most three indexes deep. */
export function buildSitemapTour(): SitemapTour {
  const known = new Set<string>();
  const waiting: SitemapFile[] = [];
  let given = 0;
  let refused = 0;
  return {
    add(url, depth) {
      const href = URL.parse(url)?.href ?? '';
      const key = canonicalKey(href);
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

/** The sitemaps to try for a site whose robots.txt names none, as URLs on the host of `siteHref`. */
export function sitemapPlaces(siteHref: string): readonly string[] {
  return SITEMAP_PATHS.map((path) => new URL(path, siteHref).href);
}

/** The feeds to try for a site whose pages name none. */
export function feedPlaces(siteHref: string): readonly string[] {
  return FEED_PATHS.map((path) => new URL(path, siteHref).href);
}
