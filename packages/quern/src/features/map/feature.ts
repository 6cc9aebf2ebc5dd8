import type { z } from 'zod';
import { hasReadSitemap, type MapEnd, type MapRunParts, runMap } from './map-run.ts';
import { countUnits } from './map-frontier.ts';
import type { ListedUrl } from '#features/crawl/crawl-page.ts';
import type { UrlCount } from '#features/crawl/frontier/frontier.ts';
import type { MapOptions, MapSource } from './map-options.ts';
import { bindWork } from '#engine/call/bound-operation.ts';
import type { Feature } from '#engine/call/feature.ts';
import { PRICES, sumUsage, type Usage } from '#engine/credits/prices.ts';
import { rankBySearch } from '#extract/urls/ranking.ts';
import type { Warning } from '#kernel/warnings.ts';
import { admitMap, isLargeMap, map, type MapInput, type MappedUrl } from './operation.ts';
import { hasLogin, skipsActions, buildWarnings } from '#features/crawl/site-crawl-fields.ts';

/** Maximum number of failed pages in an answer. */
const MAX_SHOWN_ERRORS = 100;
/** A visited page costs the surcharge of its tier; the call and its URLs have their own price. */
const VISIT_PRICE = { ...PRICES.map, base: 0, cacheHit: 0 };
/** How long an inline map without `timeout_ms` follows links. */
const INLINE_WALK_MS = 10_000;

export type MapParts = {
  readonly crawling: MapRunParts;
  /** Checks a URL of the caller with the egress guard. Throws if it is not allowed. */
  readonly readTarget: (url: string) => URL;
};

/** Builds the map operation. */
export function buildMapFeature({ crawling, readTarget }: MapParts): Feature {
  return {
    operations: [
      bindWork(map, {
        admit: admitMap,
        queue: isLargeMap,
        async run(input, call) {
          const options = toMapOptions(input, call);
          const end = await runMap(crawling, options, { ...call, role: 'owner', visitPrice: VISIT_PRICE });
          return buildAnswer(readTarget(input.url), input, end);
        },
        async help(input, call) {
          await runMap(crawling, toMapOptions(input, call), { ...call, role: 'helper', visitPrice: VISIT_PRICE });
        },
      }),
    ],
  };
}

function toMapOptions(input: MapInput, { jobId }: { readonly jobId: string | null }): MapOptions {
  return {
    url: new URL(input.url).href,
    maxUrls: input.max_urls,
    maxDepth: input.max_depth,
    sources: input.sources,
    walks: input.walk,
    walkMs: jobId === null && input.timeout_ms === undefined ? INLINE_WALK_MS : null,
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
  const { search } = input;
  const ranked = search === undefined ? end.urls : rankBySearch(search, end.urls);
  const total = search === undefined ? end.total : ranked.length;
  const urls = ranked.slice(0, end.paidUrls).map((one) => toMappedUrl(one, input));
  const usage = computeUsage(urls.length, end);
  return {
    tier: usage.tier,
    charge: { usage, paid: end.chargedCredits },
    body: {
      url: start.href,
      urls,
      total,
      truncated: total > urls.length,
      complete: end.isComplete && total === urls.length,
      stop_reason: end.stopReason,
      sources: Object.fromEntries(input.sources.map((source) => [source, summarizeSource(source, end)])),
      warnings: [...buildWarnings(end, input), ...warnUnfollowed(end)],
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

/** Warns that the links of a site without a sitemap were not followed. */
function warnUnfollowed({ isLookedUp, files }: MapEnd): readonly Warning[] {
  if (!isLookedUp || hasReadSitemap(files)) return [];
  const message = 'no sitemap was found, and links were not followed: set walk to true to follow them';
  return [{ code: 'links_not_followed', message }];
}

/** A map that found nothing is free. */
function computeUsage(urls: number, { progress, total }: MapEnd): Usage {
  const visits = sumUsage(VISIT_PRICE, progress.tiers);
  const base = total === 0 ? 0 : countUnits(urls);
  return { ...visits, base, credits: base + visits.surcharge };
}

function summarizeSource(source: MapSource, { urlCounts, files, known, progress, errors }: MapEnd) {
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
  if (source === 'known') return { found, ...(known ?? { read: 0, refused: 0 }), errors: [] };
  const { read, refused, errors: failed } = files?.[source] ?? { read: 0, refused: 0, errors: [] };
  return { found, read, refused, errors: failed };
}
