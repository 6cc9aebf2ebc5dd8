import type { Price } from '#engine/credits/prices.ts';
import type { WorkResult } from '#engine/call/operation.ts';
import type { ClosingReason } from '#engine/jobs/lease.ts';
import type { TrackedPage } from '#features/changes/page-copies.ts';
import type { CrawlOptions } from '#features/crawl/crawl-options.ts';
import type { FailedPage, FoundUrl } from '#features/crawl/crawl-page.ts';
import { comparePages, type CrawlTracking } from '#features/crawl/page-changes.ts';
import type { CrawlProgress, Frontier } from '#features/crawl/frontier/frontier.ts';
import type { Clock } from '#kernel/clock.ts';
import {
  COMMON_STOP_REASONS,
  MAX_LISTED_ERRORS,
  assertNotEmpty,
  catchTimeout,
  buildCommitObserver,
} from './crawl-end.ts';
import { type CrawlFinish, runCrawlLoop } from './crawl-loop.ts';
import {
  closeCrawl,
  type CrawlCall,
  type CrawlParts,
  type CrawlContext,
  openCrawl,
  type OpenCrawl,
} from './open-crawl.ts';
import type { AllFileCounts, SiteFiles } from './site-files.ts';

/** Why a crawl ended. */
export const STOP_REASONS = ['exhausted', 'max_pages', 'answer_full', ...COMMON_STOP_REASONS] as const;

export type StopReason = (typeof STOP_REASONS)[number];

/** The sources of site files that a crawl reads. */
export const CRAWL_FILE_SOURCES = ['robots', 'sitemap'] as const;

/** The end of a crawl. `elements` are the pages of an inline crawl; those of a job are stored in its result. */
export type CrawlEnd = {
  readonly progress: CrawlProgress;
  readonly stopReason: StopReason;
  /** The other site that the seed redirects to, null for none. */
  readonly redirectedTo: string | null;
  /** Whether the pages and their charges are already stored with a job. */
  readonly isStored: boolean;
  readonly elements: readonly unknown[];
  /** The pages of an inline crawl to compare with their last copies. */
  readonly tracked: readonly TrackedPage[];
  readonly errors: readonly FailedPage[];
  /** Counts of the site's files, null if this process read none. */
  readonly files: AllFileCounts | null;
};

/** Reading of sitemaps pauses while more pages are queued than this factor times the page limit, plus `MAX_QUEUED`. */
const QUEUED_PER_PAGE = 4;
const MAX_QUEUED = 1000;
const POLL_MS = 250;

/** A call that crawls, with the price of a page. */
export type PricedCrawlCall = CrawlCall & { readonly price: Price };

/** Crawls until there is nothing more to do. Throws the error of the seed if no page was stored. */
export async function runCrawl(parts: CrawlParts, options: CrawlOptions, call: PricedCrawlCall): Promise<CrawlEnd> {
  const { price, admission, role, signal, closing } = call;
  const terms = { price, maxPages: options.maxPages, maxCredits: admission.maxCredits, storesPages: true };
  const context = { parts, options, call, terms };
  if (closing !== null) return endClosedCrawl(context, closing);
  const crawl = await openCrawl(context);
  const { discovery, visit, paceOf, listElements, listTracked } = crawl;
  const frontier = options.actionsLast ? withParkedLast(crawl.frontier) : crawl.frontier;
  const files = openSiteFiles(options, crawl, parts.clock);
  const readFiles =
    files === null ? null : async (baseUrl: string, stop: AbortSignal): Promise<void> => files.read(baseUrl, stop);
  const finish = await catchTimeout(
    runCrawlLoop(
      { frontier, readFiles, visit, paceOf, role, onCommit: buildCommitObserver(parts, call), clock: parts.clock },
      signal,
    ),
    signal,
  );
  const progress = await frontier.progress();
  const errors = await frontier.listFailedPages(MAX_LISTED_ERRORS);
  if (role === 'owner')
    assertNotEmpty(finish, {
      progress,
      errors,
      retryable: crawl.isSeedRetryable(),
      recordsAll: options.recordsAll ?? false,
      tiers: admission.tiers,
      reachedTiers: crawl.reachedTiers,
    });
  return {
    progress,
    stopReason: toStopReason(finish, progress),
    redirectedTo: discovery.isOffSite() ? progress.baseUrl : null,
    isStored: listElements === null,
    elements: listElements?.() ?? [],
    tracked: listTracked(),
    errors,
    files: files?.counts() ?? null,
  };
}

async function endClosedCrawl(context: CrawlContext, stopReason: ClosingReason): Promise<CrawlEnd> {
  const frontier = await closeCrawl(context);
  const [progress, errors] = [await frontier.progress(), await frontier.listFailedPages(MAX_LISTED_ERRORS)];
  return { progress, errors, stopReason, redirectedTo: null, isStored: true, elements: [], tracked: [], files: null };
}

/** Opens the sitemaps of the site. They are read no faster than their pages are visited. */
function openSiteFiles(options: CrawlOptions, { frontier, openFiles }: OpenCrawl, clock: Clock): SiteFiles | null {
  const readsFiles = options.sitemap !== 'skip' && options.maxDepth !== 0;
  const maxQueued = options.maxPages * QUEUED_PER_PAGE + MAX_QUEUED;
  return openFiles(readsFiles ? CRAWL_FILE_SOURCES : [], async (urls, stop) => {
    let { pending } = await frontier.add(urls.map((one) => limitDepth(options, one)));
    while (pending > maxQueued) {
      await clock.sleep(POLL_MS, stop);
      ({ pending } = await frontier.progress());
    }
    return true;
  });
}

/** Marks URLs from a sitemap as too deep if only the seed may be visited. */
function limitDepth({ maxDepth }: CrawlOptions, url: FoundUrl): FoundUrl {
  return maxDepth === 0 && url.skip === null ? { ...url, skip: 'depth' } : url;
}

function toStopReason(finish: CrawlFinish | 'timeout', { stored, skipped, loginsInRow }: CrawlProgress): StopReason {
  if (finish !== 'nothing') return finish;
  if (loginsInRow > 0) return 'login_required';
  if (stored === 0 && skipped.robots > 0) return 'robots';
  return skipped.depth > 0 ? 'max_depth' : 'exhausted';
}

/** Wraps a frontier so that it queues its parked URLs once no other page is queued or being visited. */
function withParkedLast(frontier: Frontier): Frontier {
  return {
    ...frontier,
    async claim(demand) {
      const claimed = await frontier.claim(demand);
      if (claimed.reason !== 'nothing' || (await frontier.progress()).active > 0) return claimed;
      // The last running visit may have added links after the claim.
      const last = await frontier.claim(demand);
      if (last.reason !== 'nothing') return last;
      return (await frontier.unpark(Number.MAX_SAFE_INTEGER)) > 0 ? frontier.claim(demand) : last;
    },
  };
}

/**
 * Builds the result of a crawl whose pages are compared with their last copies. The pages of an inline crawl are compared
 * now, and their copies replaced when the call is charged; those of a job already were when they were stored.
 */
export async function buildTrackedResult<B>(
  tracking: CrawlTracking | null,
  end: CrawlEnd,
  build: (end: CrawlEnd) => WorkResult<B>,
): Promise<WorkResult<B>> {
  if (tracking === null || end.isStored) return build(end);
  const { store, ...compared } = await comparePages(tracking, end);
  return {
    ...build({ ...end, ...compared }),
    effect: { store, rebuild: async () => buildTrackedResult(tracking, end, build) },
  };
}
