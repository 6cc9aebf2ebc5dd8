import { pageCounter, COMMON_STOP_REASONS, MAX_ERRORS, refuseEmpty, untilTime } from '#features/crawl/run/crawl-end.ts';
import type { FailedPage, FoundUrl, ListedUrl, VisitPage } from '#features/crawl/crawl-page.ts';
import type { ClosedFrontier } from '#features/crawl/frontier/row-frontier.ts';
import type { CrawlProgress, UrlStats } from '#features/crawl/frontier/frontier.ts';
import { type CrawlFinish, runCrawlLoop } from '#features/crawl/run/crawl-loop.ts';
import {
  closeCrawl,
  type CrawlCall,
  type CrawlParts,
  type OpenCrawl,
  openCrawl,
} from '#features/crawl/run/open-crawl.ts';
import { type AllFileCounts, FILE_SOURCES, readsAllFiles, type SiteFiles } from '#features/crawl/run/site-files.ts';
import type { Price } from '#engine/credits/prices.ts';
import type { Closing } from '#engine/jobs/lease.ts';
import type { Robots } from '#engine/politeness/robots.ts';
import { allows, type RobotsGate } from '#engine/politeness/robots-cache.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildMapFrontier, countListed, buildReservationCounter } from './map-frontier.ts';
import { enoughUrls, followedDepth, type MapOrder, startsParked, toCrawlOrder } from './map-order.ts';

/** Why a map ended. */
export const MAP_STOP_REASONS = ['exhausted', 'max_urls', 'answer_full', ...COMMON_STOP_REASONS] as const;

export type MapStopReason = (typeof MAP_STOP_REASONS)[number];

/** A call that maps, with the prices of a URL and of a visited page. */
export type MapCall = CrawlCall & {
  readonly prices: { readonly url: number; readonly visit: Price };
};

/** The end of a map. */
export type MapEnd = {
  /** The URLs found, in the order of discovery; more than are paid for only where there is a choice to make. */
  readonly listed: readonly ListedUrl[];
  /** Number of URLs that are paid for. */
  readonly paid: number;
  readonly total: number;
  readonly stopReason: MapStopReason;
  /** The other site that the seed redirects to, null when it does not. */
  readonly leftTo: string | null;
  /** Whether every URL in reach is certainly found. */
  readonly isComplete: boolean;
  readonly progress: CrawlProgress;
  /** Credits of visits that are in the ledger already. */
  readonly charged: number;
  readonly stats: readonly UrlStats[];
  readonly files: AllFileCounts | null;
  readonly errors: readonly FailedPage[];
};

/** Finds the URLs of a site; throws the error of its seed when nothing was found. */
export async function runMap(parts: CrawlParts, order: MapOrder, call: MapCall): Promise<MapEnd> {
  const { prices, admission, role, signal, jobId, closing } = call;
  const { maxCredits } = admission;
  const terms = { price: prices.visit, maxPages: Number.MAX_SAFE_INTEGER, maxCredits, keeps: false };
  const crawlOrder = toCrawlOrder(order);
  if (closing !== null) {
    return endOfClosed(order, { each: prices.url, closing }, await closeCrawl(parts, crawlOrder, call, terms));
  }
  const crawl = await openCrawl(parts, crawlOrder, call, terms);
  const { frontier, discovery, paceOf } = crawl;
  const files = openFiles(order, crawl);
  const reserved = role === 'owner' ? buildReservationCounter({ frontier, each: prices.url }) : null;
  const map = buildMapFrontier({
    frontier,
    maxUrls: order.maxUrls,
    followedDepth: followedDepth(order),
    enough: enoughUrls(order),
    reserved,
    maxCredits,
    prices: { url: prices.url, cheapest: crawl.cheapest },
    files,
  });
  const visit = withMapLinks(crawl.visit, order, parts.robots);
  const loop = runCrawlLoop(
    {
      frontier: map.frontier,
      readFiles: map.readFiles,
      paceOf,
      role,
      visit,
      onCommit: pageCounter(parts, call),
      clock: parts.clock,
    },
    signal,
  );
  const finish = await untilTime(loop, signal);
  const progress = await frontier.progress();
  // The last pages may have brought URLs after the last reservation.
  await map.pay(progress);
  const errors = await frontier.failedPages(MAX_ERRORS);
  if (role === 'owner')
    refuseEmpty(finish, {
      progress,
      errors,
      retryable: crawl.mayStartLater(),
      tiers: admission.tiers,
      reached: crawl.reached,
    });
  const stats = await frontier.stats();
  const stopReason = toStopReason(finish, progress, { stats, maxDepth: order.maxDepth });
  const total = countListed(progress);
  const paid = Math.min(total, order.maxUrls, reserved?.count() ?? 0);
  const counts = files?.counts() ?? null;
  return {
    listed: await frontier.listed(order.gathers ? enoughUrls(order) : paid),
    paid,
    total,
    stopReason,
    leftTo: discovery.isAstray() ? progress.baseUrl : null,
    isComplete: stopReason === 'exhausted' && missesNothing(progress, errors, counts),
    progress,
    charged: jobId === null ? 0 : progress.credits,
    stats,
    files: counts,
    errors,
  };
}

/** The files of the site that the map reads. */
function openFiles(order: MapOrder, { frontier, filesOf }: OpenCrawl): SiteFiles | null {
  const enough = enoughUrls(order);
  return filesOf(
    FILE_SOURCES.filter((source) => order.sources.includes(source)),
    async (found) => {
      const progress = await frontier.add(found.map((one) => ({ ...one, isParked: startsParked(order, one) })));
      return countListed(progress) < enough;
    },
  );
}

/** The visit of pages with their links as a map takes them: none, or those that robots.txt allows, the deepest only listed. */
function withMapLinks(visit: VisitPage, order: MapOrder, robots: RobotsGate): VisitPage {
  return async (claim, stop, place) => {
    const visited = await visit(claim, stop, place);
    const { end } = visited;
    if (!order.sources.includes('links')) return { ...visited, end: { ...end, links: [], leftOut: {} } };
    const rules = order.respectRobots ? await rulesOf(robots, claim.url, stop) : null;
    const links = end.links.map((link): FoundUrl => {
      const isForbidden = rules !== null && link.host === claim.host && !allows(rules, link.url);
      if (link.skip === null && isForbidden) return { ...link, skip: 'robots' };
      return { ...link, isParked: link.depth >= order.maxDepth };
    });
    return { ...visited, end: { ...end, links } };
  };
}

/** The robots.txt of a host; null where it does not answer, which is a failure of its own pages. */
async function rulesOf(robots: RobotsGate, url: string, signal: AbortSignal): Promise<Robots | null> {
  return robots.of(new URL(url).origin, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return null;
  });
}

/** The end of a map that another process closes: what it found, as far as that can be paid. */
async function endOfClosed(
  order: MapOrder,
  { each, closing }: { readonly each: number; readonly closing: Closing },
  frontier: ClosedFrontier,
): Promise<MapEnd> {
  const progress = await frontier.progress();
  const total = countListed(progress);
  const reserved = buildReservationCounter({ frontier, each });
  await reserved.holdFor(Math.min(total, order.maxUrls));
  const paid = reserved.count();
  return {
    listed: await frontier.listed(order.gathers ? enoughUrls(order) : paid),
    paid,
    total,
    stopReason: closing,
    leftTo: null,
    isComplete: false,
    progress,
    charged: progress.credits,
    stats: await frontier.stats(),
    files: null,
    errors: await frontier.failedPages(MAX_ERRORS),
  };
}

function toStopReason(
  finish: CrawlFinish | 'timeout',
  { stored, skipped, loginsInRow }: CrawlProgress,
  { stats, maxDepth }: { readonly stats: readonly UrlStats[]; readonly maxDepth: number },
): MapStopReason {
  if (finish === 'max_pages') return 'max_urls';
  if (finish !== 'nothing') return finish;
  if (loginsInRow > 0) return 'login_required';
  if (stored === 0 && skipped.robots > 0) return 'robots';
  const isCut = stats.some(({ source, depth, parked }) => source === 'links' && depth >= maxDepth && parked > 0);
  return isCut || skipped.depth > 0 ? 'max_depth' : 'exhausted';
}

/** Whether every page and file that could name more URLs was read; one that is gone names none. */
function missesNothing(
  { overPattern, stored, skipped }: CrawlProgress,
  errors: readonly FailedPage[],
  files: AllFileCounts | null,
): boolean {
  return (
    overPattern.links === 0 &&
    stored + skipped.sitemap > 0 &&
    errors.every(({ code }) => code === 'not_found') &&
    (files === null || readsAllFiles(files))
  );
}
