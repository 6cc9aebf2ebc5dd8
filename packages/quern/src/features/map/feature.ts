import type { z } from 'zod';
import type { CrawlParts } from '#features/crawl/run/open-crawl.ts';
import { type MapEnd, runMap } from './map-run.ts';
import type { ListedUrl } from '#features/crawl/crawl-page.ts';
import type { UrlCount } from '#features/crawl/frontier/frontier.ts';
import type { MapOptions, MapSource } from './map-options.ts';
import { bindWork } from '#engine/call/bound-operation.ts';
import type { Feature } from '#engine/call/feature.ts';
import { PRICES, sumUsage, type Usage } from '#engine/credits/prices.ts';
import { rankBySearch } from '#extract/urls/ranking.ts';
import { admitMap, isLargeMap, map, type MapInput, type MappedUrl } from './operation.ts';
import { hasLogin, skipsActions, buildWarnings } from '#features/crawl/site-crawl-fields.ts';

/** Maximum number of failed pages in an answer. */
const MAX_SHOWN_ERRORS = 100;
/** A visited page costs the surcharge of its tier; the URLs have their own price. */
const VISIT_PRICE = { ...PRICES.map, base: 0, cacheHit: 0 };

export type MapParts = {
  readonly crawling: CrawlParts;
  /** Checks a URL of the caller with the egress guard. Throws if it is not allowed. */
  readonly readTarget: (url: string) => URL;
};

/** Builds the map operation. */
export function buildMapFeature({ crawling, readTarget }: MapParts): Feature {
  const prices = { url: PRICES.map.base, visit: VISIT_PRICE };
  return {
    operations: [
      bindWork(map, {
        admit: admitMap,
        queue: isLargeMap,
        async run(input, call) {
          const end = await runMap(crawling, toMapOptions(input), { ...call, role: 'owner', prices });
          return buildAnswer(readTarget(input.url), input, end);
        },
        async help(input, call) {
          await runMap(crawling, toMapOptions(input), { ...call, role: 'helper', prices });
        },
      }),
    ],
  };
}

function toMapOptions(input: MapInput): MapOptions {
  return {
    url: input.url,
    maxUrls: input.max_urls,
    maxDepth: input.max_depth,
    sources: input.sources,
    wantsTitles: input.include_metadata || input.search !== undefined,
    collectsExtra: input.search !== undefined,
    scope: input.scope,
    include: input.include,
    exclude: input.exclude,
    hashRoutes: input.hash_routes,
    ignoresQuery: input.ignore_query,
    respectRobots: input.respect_robots,
    skipsActions: skipsActions(input),
    hasLogin: hasLogin(input),
    delayMs: input.delay_ms ?? null,
    maxPerPattern: input.max_per_pattern,
    request: input.fetch,
    session: input.session ?? null,
  };
}

function buildAnswer(start: URL, input: MapInput, end: MapEnd) {
  const ranked = input.search === undefined ? end.urls : rankBySearch(input.search, end.urls);
  const urls = ranked.slice(0, end.paidUrls).map((one) => toMappedUrl(one, input));
  const usage = computeUsage(urls.length, end);
  return {
    tier: usage.tier,
    charge: { usage, paid: end.chargedCredits },
    body: {
      url: start.href,
      urls,
      total: end.total,
      truncated: end.total > urls.length,
      complete: end.isComplete && end.total === urls.length,
      stop_reason: end.stopReason,
      sources: Object.fromEntries(input.sources.map((source) => [source, summarizeSource(source, end)])),
      warnings: buildWarnings(end, input),
    },
  };
}

function toMappedUrl({ url, title, lastmod, source, depth }: ListedUrl, input: MapInput): z.output<typeof MappedUrl> {
  return {
    url,
    ...(title !== null && input.include_metadata ? { title } : {}),
    ...(lastmod === null ? {} : { lastmod }),
    source,
    ...(source === 'links' || source === 'seed' ? { depth } : {}),
  };
}

function computeUsage(urls: number, { progress }: MapEnd): Usage {
  const visits = sumUsage(VISIT_PRICE, progress.tiers);
  const base = urls * PRICES.map.base;
  return { ...visits, base, credits: base + visits.surcharge };
}

function summarizeSource(source: MapSource, { urlCounts, files, progress, errors }: MapEnd) {
  const found = urlCounts
    .filter((layer) => layer.source === source)
    .reduce((sum: number, { count }: UrlCount) => sum + count, 0);
  if (source === 'links') {
    const skipped = Object.values(progress.skipped).reduce((sum, n) => sum + n, 0);
    const ofFiles = Object.values(files ?? {}).reduce((sum, { reportedSkips }) => sum + reportedSkips, 0);
    return {
      found,
      read: progress.stored,
      refused: Math.max(0, skipped - ofFiles),
      errors: errors.slice(0, MAX_SHOWN_ERRORS),
    };
  }
  const { read, refused, errors: failed } = files?.[source] ?? { read: 0, refused: 0, errors: [] };
  return { found, read, refused, errors: failed };
}
