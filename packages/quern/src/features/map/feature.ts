import type { z } from 'zod';
import type { CrawlParts } from '#features/crawl/run/open-crawl.ts';
import { type MapEnd, runMap } from './map-run.ts';
import type { ListedUrl } from '#features/crawl/crawl-page.ts';
import type { UrlStats } from '#features/crawl/frontier/frontier.ts';
import type { MapOrder, MapSource } from './map-order.ts';
import type { Feature } from '#engine/call/feature.ts';
import { PRICES, sumOf, type Usage } from '#engine/credits/prices.ts';
import { rankBySearch } from '#extract/urls/ranking.ts';
import { map, type MapInput, type MappedUrl } from './operation.ts';
import { hasLogin, sparesActions, toWarnings } from '#features/crawl/site-crawl-fields.ts';

/** Pages that failed and are told of; all of them are counted. */
const MAX_ERRORS = 100;
/** The visit of a page costs what its tier adds; the addresses have their own price. */
const VISIT = { ...PRICES.map, base: 0, cacheHit: 0 };

export type MapParts = {
  readonly crawling: CrawlParts;
  /** The egress guard's word on a URL of the caller. */
  readonly readTarget: (url: string) => URL;
};

/** Discovers the addresses of sites. */
export function buildMap({ crawling, readTarget }: MapParts): Feature {
  const prices = { url: PRICES.map.base, visit: VISIT };
  return {
    operations: [
      map.runs(
        async (input, call) => {
          const end = await runMap(crawling, toOrder(input), { ...call, role: 'owner', prices });
          return toAnswer(readTarget(input.url), input, end);
        },
        async (input, call) => {
          await runMap(crawling, toOrder(input), { ...call, role: 'helper', prices });
        },
      ),
    ],
  };
}

function toOrder(input: MapInput): MapOrder {
  return {
    url: input.url,
    maxUrls: input.max_urls,
    maxDepth: input.max_depth,
    sources: input.sources,
    wantsTitles: input.include_metadata || input.search !== undefined,
    gathers: input.search !== undefined,
    scope: input.scope,
    include: input.include,
    exclude: input.exclude,
    hashRoutes: input.hash_routes,
    respectRobots: input.respect_robots,
    sparesActions: sparesActions(input),
    hasLogin: hasLogin(input),
    delayMs: input.delay_ms ?? null,
    mostPerPattern: input.max_per_pattern,
    sent: input.fetch,
    session: input.session ?? null,
  };
}

function toAnswer(start: URL, input: MapInput, end: MapEnd) {
  const ranked = input.search === undefined ? end.listed : rankBySearch(input.search, end.listed);
  const urls = ranked.slice(0, end.paid).map((one) => toUrl(one, input));
  const usage = usageOf(urls.length, end);
  return {
    tier: usage.tier,
    charge: { usage, paid: end.charged },
    body: {
      url: start.href,
      urls,
      total: end.total,
      truncated: end.total > urls.length,
      complete: end.isComplete && end.total === urls.length,
      stop_reason: end.stopReason,
      sources: Object.fromEntries(input.sources.map((source) => [source, sourceOf(source, end)])),
      warnings: toWarnings(end, input),
    },
  };
}

function toUrl({ url, title, lastmod, source, depth }: ListedUrl, input: MapInput): z.output<typeof MappedUrl> {
  return {
    url,
    ...(title !== null && input.include_metadata ? { title } : {}),
    ...(lastmod === null ? {} : { lastmod }),
    source,
    ...(source === 'links' || source === 'seed' ? { depth } : {}),
  };
}

function usageOf(urls: number, { progress }: MapEnd): Usage {
  const visits = sumOf(VISIT, progress.tiers);
  const base = urls * PRICES.map.base;
  return { ...visits, base, credits: base + visits.surcharge };
}

function sourceOf(source: MapSource, { stats, files, progress, errors }: MapEnd) {
  const found = stats
    .filter((layer) => layer.source === source)
    .reduce((sum: number, { count }: UrlStats) => sum + count, 0);
  if (source === 'links') {
    const skipped = Object.values(progress.skipped).reduce((sum, n) => sum + n, 0);
    const ofFiles = Object.values(files ?? {}).reduce((sum, { leftOut }) => sum + leftOut, 0);
    return {
      found,
      read: progress.stored,
      refused: Math.max(0, skipped - ofFiles),
      errors: errors.slice(0, MAX_ERRORS),
    };
  }
  const { read, refused, errors: failed } = files?.[source] ?? { read: 0, refused: 0, errors: [] };
  return { found, read, refused, errors: failed };
}
