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
import {
  buildMapFrontier,
  countListedUrls,
  countPaidUrls,
  countUnits,
  createReservationCounter,
} from './map-frontier.ts';
import { createKnownUrls, type KnownUrls, type ListKnownPages, lookUpUrls } from './map-lookup.ts';
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

/** A map call, with the price of a visited page. */
export type MapCall = CrawlCall & { readonly visitPrice: Price };

export type MapRunParts = CrawlParts & {
  /** Lists pages that the tenant has fetched; null if none are remembered. */
  readonly listKnownPages: ListKnownPages | null;
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
  /** Counts of the known pages, null if none were looked up. */
  readonly known: ReturnType<KnownUrls['counts']> | null;
  /** Whether links were not followed, because other sources have URLs. */
  readonly isLookedUp: boolean;
  readonly errors: readonly FailedPage[];
};

/** Finds the URLs of a site. Throws the error of its seed if nothing was found. */
export async function runMap(parts: MapRunParts, options: MapOptions, call: MapCall): Promise<MapEnd> {
  const { visitPrice: price, admission, role, signal, closing } = call;
  const { maxCredits } = admission;
  const terms = { price, maxPages: Number.MAX_SAFE_INTEGER, maxCredits, storesPages: false };
  const context = { parts, options: toCrawlOptions(options), call, terms };
  if (closing !== null) return endClosedMap(options, closing, await closeCrawl(context));
  const crawl = await openCrawl(context);
  const sources = openSources(parts, options, { crawl, tenant: call.account.tenant });
  const reserved = role === 'owner' ? createReservationCounter(crawl.frontier) : null;
  const limit = createWalkLimit(options, parts, signal);
  const map = buildMapFrontier({
    frontier: crawl.frontier,
    url: options.url,
    maxUrls: options.maxUrls,
    walks: options.walks,
    followDepth: computeFollowDepth(options),
    urlLimit: computeUrlLimit(options),
    reserved,
    maxCredits,
    minPageCredits: crawl.minPageCredits,
    ...sources,
    onWalk: () => limit.start(),
  });
  const visit = withMapLinks(crawl.visit, options, parts.robots);
  const { frontier, readFiles } = map;
  const onCommit = buildCommitObserver(parts, call);
  const loop = runCrawlLoop(
    { frontier, readFiles, paceOf: crawl.paceOf, role, visit, onCommit, clock: parts.clock },
    limit.signal,
  );
  const finish = await catchTimeout(loop, limit.signal).finally(limit.stop);
  // The last pages may have added URLs after the last reservation.
  await map.pay(await crawl.frontier.progress(), 0);
  const paid = countPaidUrls(reserved?.count() ?? 0);
  return buildEnd({ options, call, crawl }, { finish, paid, isLookedUp: map.isAnswered(), ...sources.counts() });
}

type EndedMap = { readonly options: MapOptions; readonly call: MapCall; readonly crawl: OpenCrawl };

/** Builds the end of a map. Throws if nothing was found or paid. */
async function buildEnd(
  { options, call, crawl }: EndedMap,
  {
    finish,
    paid,
    ...found
  }: Pick<MapEnd, 'files' | 'known' | 'isLookedUp'> & {
    readonly finish: CrawlFinish | 'timeout';
    readonly paid: number;
  },
): Promise<MapEnd> {
  const { frontier, discovery } = crawl;
  const { admission, role, jobId } = call;
  const progress = await frontier.progress();
  const errors = await frontier.listFailedPages(MAX_LISTED_ERRORS);
  const total = countListedUrls(progress);
  // A lookup finds URLs without a stored page.
  if (role === 'owner' && (paid === 0 || total <= 1))
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
  const paidUrls = Math.min(total, options.maxUrls, paid);
  const hasFoundAll = hasFoundEverything(progress, errors, found);
  return {
    urls: await frontier.listUrls(options.collectsExtra ? computeUrlLimit(options) : paidUrls),
    paidUrls,
    total,
    stopReason,
    redirectedTo: discovery.isOffSite() ? progress.baseUrl : null,
    isComplete: stopReason === 'exhausted' && hasFoundAll,
    progress,
    chargedCredits: jobId === null ? 0 : progress.credits,
    urlCounts: stats,
    errors,
    ...found,
  };
}

/** Limits the time in which links are followed. */
function createWalkLimit({ walkMs }: MapOptions, { clock }: Pick<CrawlParts, 'clock'>, signal: AbortSignal) {
  const over = new AbortController();
  let timer: { readonly close: () => void } | null = null;
  return {
    signal: AbortSignal.any([signal, over.signal]),
    /** Starts the time, unless it runs already. */
    start(): void {
      if (walkMs === null) return;
      timer ??= clock.after(walkMs, () =>
        over.abort(new DOMException('links were followed long enough', 'TimeoutError')),
      );
    },
    stop: () => timer?.close(),
  };
}

/** Opens what a map reads without visits: the files of the site, and the pages that the tenant has fetched. */
function openSources(
  { robots, listKnownPages }: MapRunParts,
  options: MapOptions,
  { crawl, tenant }: { readonly crawl: OpenCrawl; readonly tenant: string },
) {
  const { url } = options;
  const mostUrls = computeUrlLimit(options);
  const known =
    listKnownPages === null || !options.sources.includes('known')
      ? null
      : createKnownUrls({ list: listKnownPages, tenant, crawl, mostUrls });
  let files = openSiteFiles(options, crawl);
  let readUrl: string | null = null;
  async function mayVisit(signal: AbortSignal): Promise<boolean> {
    if (!options.respectRobots) return true;
    const rules = await findRobotsRules(robots, url, signal);
    return rules !== null && isUrlAllowed(rules, url);
  }
  return {
    async lookUp(signal: AbortSignal): Promise<boolean> {
      readUrl = url;
      return lookUpUrls({ url, crawl, files, mayVisit, known }, signal);
    },
    async readSources(baseUrl: string, signal: AbortSignal): Promise<void> {
      if (crawl.discovery.isOffSite()) return;
      // A lookup without the start misses its feeds, a host that it redirects to, and a sitemap at an unusual path.
      const isSame = readUrl !== null && new URL(readUrl).origin === new URL(baseUrl).origin;
      const { skipped } = await crawl.frontier.progress();
      if (isSame && crawl.discovery.listFeeds().length === 0 && skipped.sitemap === 0) return;
      if (readUrl !== null) files = openSiteFiles(options, crawl);
      await files?.read(baseUrl, signal);
      if (skipped.sitemap === 0) await known?.add(baseUrl, signal);
    },
    counts: () => ({ files: files?.counts() ?? null, known: known?.counts() ?? null }),
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
async function endClosedMap(options: MapOptions, closing: ClosingReason, frontier: ClosedFrontier): Promise<MapEnd> {
  const progress = await frontier.progress();
  const total = countListedUrls(progress);
  const reserved = createReservationCounter(frontier);
  await reserved.reserveFor(countUnits(Math.min(total, options.maxUrls)));
  const paid = Math.min(total, options.maxUrls, countPaidUrls(reserved.count()));
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
    known: null,
    isLookedUp: false,
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

/**
 * Whether every page and file that could list more URLs was read. A missing one lists none. Without visits, a sitemap
 * must list the site.
 */
function hasFoundEverything(
  { overPattern, stored, skipped }: CrawlProgress,
  errors: readonly FailedPage[],
  { files, isLookedUp }: Pick<MapEnd, 'files' | 'isLookedUp'>,
): boolean {
  return (
    overPattern.links === 0 &&
    (isLookedUp ? hasReadSitemap(files) : stored + skipped.sitemap > 0) &&
    errors.every(({ code }) => code === 'not_found') &&
    (files === null || hasReadAllFiles(files))
  );
}

/** Whether a sitemap of the site was read. */
export function hasReadSitemap(files: AllFileCounts | null): boolean {
  return files !== null && files.sitemap.read + files.robots.read > 0;
}
