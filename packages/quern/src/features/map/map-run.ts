import {
  buildCommitObserver,
  COMMON_STOP_REASONS,
  MAX_LISTED_ERRORS,
  assertNotEmpty,
  catchTimeout,
} from '#features/crawl/run/crawl-end.ts';
import type { FailedPage, FoundUrl, ListedUrl, VisitPage } from '#features/crawl/crawl-page.ts';
import type { ClosedFrontier } from '#features/crawl/frontier/row-frontier.ts';
import type { CrawlProgress, UrlCount } from '#features/crawl/frontier/frontier.ts';
import { type CrawlFinish, runCrawlLoop } from '#features/crawl/run/crawl-loop.ts';
import {
  closeCrawl,
  type CrawlCall,
  type CrawlParts,
  type OpenCrawl,
  openCrawl,
} from '#features/crawl/run/open-crawl.ts';
import { type AllFileCounts, FILE_SOURCES, hasReadAllFiles, type SiteFiles } from '#features/crawl/run/site-files.ts';
import type { Price } from '#engine/credits/prices.ts';
import type { ClosingReason } from '#engine/jobs/lease.ts';
import type { Robots } from '#engine/politeness/robots.ts';
import { isUrlAllowed, type RobotsCache } from '#engine/politeness/robots-cache.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildMapFrontier, countListedUrls, createReservationCounter } from './map-frontier.ts';
import {
  computeUrlLimit,
  computeFollowDepth,
  type MapOptions,
  isInitiallyParked,
  toCrawlOptions,
} from './map-options.ts';

/** Why a map ended. */
export const MAP_STOP_REASONS = ['exhausted', 'max_urls', 'answer_full', ...COMMON_STOP_REASONS] as const;

export type MapStopReason = (typeof MAP_STOP_REASONS)[number];

/** A map call, with the prices of a URL and of a visited page. */
export type MapCall = CrawlCall & {
  readonly prices: { readonly url: number; readonly visit: Price };
};

/** The end of a map. */
export type MapEnd = {
  /** The URLs found, in order of discovery. More than `paidUrls` only if the best matches are to be chosen. */
  readonly urls: readonly ListedUrl[];
  /** Number of URLs that are paid for. */
  readonly paidUrls: number;
  readonly total: number;
  readonly stopReason: MapStopReason;
  /** The other site that the seed redirects to, null for none. */
  readonly redirectedTo: string | null;
  /** Whether every URL in reach was found. */
  readonly isComplete: boolean;
  readonly progress: CrawlProgress;
  /** Credits of visits that are already in the ledger. */
  readonly chargedCredits: number;
  readonly urlCounts: readonly UrlCount[];
  readonly files: AllFileCounts | null;
  readonly errors: readonly FailedPage[];
};

/** Finds the URLs of a site. Throws the error of its seed if nothing was found. */
export async function runMap(parts: CrawlParts, options: MapOptions, call: MapCall): Promise<MapEnd> {
  const { prices, admission, role, signal, jobId, closing } = call;
  const { maxCredits } = admission;
  const terms = { price: prices.visit, maxPages: Number.MAX_SAFE_INTEGER, maxCredits, storesPages: false };
  const context = { parts, options: toCrawlOptions(options), call, terms };
  if (closing !== null) {
    return endClosedMap(options, { each: prices.url, closing }, await closeCrawl(context));
  }
  const crawl = await openCrawl(context);
  const { frontier, discovery, paceOf } = crawl;
  const files = openSiteFiles(options, crawl);
  const reserved = role === 'owner' ? createReservationCounter({ frontier, each: prices.url }) : null;
  const map = buildMapFrontier({
    frontier,
    maxUrls: options.maxUrls,
    followDepth: computeFollowDepth(options),
    urlLimit: computeUrlLimit(options),
    reserved,
    maxCredits,
    prices: { url: prices.url, cheapest: crawl.minPageCredits },
    files,
  });
  const visit = withMapLinks(crawl.visit, options, parts.robots);
  const loop = runCrawlLoop(
    {
      frontier: map.frontier,
      readFiles: map.readFiles,
      paceOf,
      role,
      visit,
      onCommit: buildCommitObserver(parts, call),
      clock: parts.clock,
    },
    signal,
  );
  const finish = await catchTimeout(loop, signal);
  const progress = await frontier.progress();
  // The last pages may have added URLs after the last reservation.
  await map.pay(progress);
  const errors = await frontier.listFailedPages(MAX_LISTED_ERRORS);
  if (role === 'owner')
    assertNotEmpty(finish, {
      progress,
      errors,
      retryable: crawl.isSeedRetryable(),
      recordsAll: false,
      tiers: admission.tiers,
      reachedTiers: crawl.reachedTiers,
    });
  const stats = await frontier.countUrls();
  const stopReason = toStopReason(finish, progress, { stats, maxDepth: options.maxDepth });
  const total = countListedUrls(progress);
  const paid = Math.min(total, options.maxUrls, reserved?.count() ?? 0);
  const counts = files?.counts() ?? null;
  return {
    urls: await frontier.listUrls(options.collectsExtra ? computeUrlLimit(options) : paid),
    paidUrls: paid,
    total,
    stopReason,
    redirectedTo: discovery.isOffSite() ? progress.baseUrl : null,
    isComplete: stopReason === 'exhausted' && hasFoundEverything(progress, errors, counts),
    progress,
    chargedCredits: jobId === null ? 0 : progress.credits,
    urlCounts: stats,
    files: counts,
    errors,
  };
}

/** Opens the files of the site that the map reads. */
function openSiteFiles(options: MapOptions, { frontier, openFiles }: OpenCrawl): SiteFiles | null {
  const enough = computeUrlLimit(options);
  return openFiles(
    FILE_SOURCES.filter((source) => options.sources.includes(source)),
    async (urls) => {
      const progress = await frontier.add(urls.map((one) => ({ ...one, isParked: isInitiallyParked(options, one) })));
      return countListedUrls(progress) < enough;
    },
  );
}

/**
 * Wraps the visit of pages to adapt their links: none if links are not a source; else links that robots.txt forbids are
 * skipped, and the deepest links are only listed.
 */
function withMapLinks(visit: VisitPage, options: MapOptions, robots: RobotsCache): VisitPage {
  return async (claim, stop, place) => {
    const visited = await visit(claim, stop, place);
    const { end } = visited;
    if (!options.sources.includes('links')) return { ...visited, end: { ...end, links: [], skippedLinks: {} } };
    const rules = options.respectRobots ? await findRobotsRules(robots, claim.url, stop) : null;
    const links = end.links.map((link): FoundUrl => {
      const isForbidden = rules !== null && link.host === claim.host && !isUrlAllowed(rules, link.url);
      if (link.skip === null && isForbidden) return { ...link, skip: 'robots' };
      return { ...link, isParked: link.depth >= options.maxDepth };
    });
    return { ...visited, end: { ...end, links } };
  };
}

/** Finds the robots.txt of a host; null if it cannot be loaded. Its pages then fail on their own. */
async function findRobotsRules(robots: RobotsCache, url: string, signal: AbortSignal): Promise<Robots | null> {
  return robots.getRules(new URL(url).origin, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return null;
  });
}

/** Ends a map that another process closes, with the URLs found as far as credits suffice. */
async function endClosedMap(
  options: MapOptions,
  { each, closing }: { readonly each: number; readonly closing: ClosingReason },
  frontier: ClosedFrontier,
): Promise<MapEnd> {
  const progress = await frontier.progress();
  const total = countListedUrls(progress);
  const reserved = createReservationCounter({ frontier, each });
  await reserved.reserveFor(Math.min(total, options.maxUrls));
  const paid = reserved.count();
  return {
    urls: await frontier.listUrls(options.collectsExtra ? computeUrlLimit(options) : paid),
    paidUrls: paid,
    total,
    stopReason: closing,
    redirectedTo: null,
    isComplete: false,
    progress,
    chargedCredits: progress.credits,
    urlCounts: await frontier.countUrls(),
    files: null,
    errors: await frontier.listFailedPages(MAX_LISTED_ERRORS),
  };
}

function toStopReason(
  finish: CrawlFinish | 'timeout',
  { stored, skipped, loginsInRow }: CrawlProgress,
  { stats, maxDepth }: { readonly stats: readonly UrlCount[]; readonly maxDepth: number },
): MapStopReason {
  if (finish === 'max_pages') return 'max_urls';
  if (finish !== 'nothing') return finish;
  if (loginsInRow > 0) return 'login_required';
  if (stored === 0 && skipped.robots > 0) return 'robots';
  const isCut = stats.some(({ source, depth, parked }) => source === 'links' && depth >= maxDepth && parked > 0);
  return isCut || skipped.depth > 0 ? 'max_depth' : 'exhausted';
}

/** Whether every page and file that could list more URLs was read. A missing one lists none. */
function hasFoundEverything(
  { overPattern, stored, skipped }: CrawlProgress,
  errors: readonly FailedPage[],
  files: AllFileCounts | null,
): boolean {
  return (
    overPattern.links === 0 &&
    stored + skipped.sitemap > 0 &&
    errors.every(({ code }) => code === 'not_found') &&
    (files === null || hasReadAllFiles(files))
  );
}
