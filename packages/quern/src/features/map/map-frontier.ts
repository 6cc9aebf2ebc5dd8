import type { CreditShortage } from '#engine/credits/tenant-credits.ts';
import type { CrawlProgress, Frontier, UrlCount } from '#features/crawl/frontier/frontier.ts';
import type { CrawlLoopParts } from '#features/crawl/run/crawl-loop.ts';
import type { SiteFiles } from '#features/crawl/run/site-files.ts';

type MapFrontierParts = {
  readonly frontier: Frontier;
  readonly maxUrls: number;
  /** Pages at this depth or deeper are not visited for their links; 0 if links are not followed at all. */
  readonly followDepth: number;
  /** Number of URLs at which the map ends. */
  readonly urlLimit: number;
  /** Counts URLs with reserved credits; null for a helper. */
  readonly reserved: ReservationCounter | null;
  readonly maxCredits: number | null;
  readonly prices: { readonly url: number; readonly cheapest: number };
  readonly files: Pick<SiteFiles, 'read'> | null;
};

type MapFrontier = {
  readonly frontier: Frontier;
  readonly readFiles: CrawlLoopParts['readFiles'];
  /** Reserves the credits of the known URLs. Returns why the map cannot continue, null if it can. */
  readonly pay: (progress: CrawlProgress) => Promise<CreditShortage | null>;
};

/**
 * Builds the frontier that a map claims from. URLs are paid as they are found, and the map ends at its URL limit. The
 * site's files are read before links are followed. Pages listed in files are visited only if the files seem incomplete.
 */
export function buildMapFrontier(map: MapFrontierParts): MapFrontier {
  const { frontier, maxUrls, urlLimit, reserved, maxCredits, prices, files } = map;
  let hasReadFiles = files === null;

  const pay: MapFrontier['pay'] = async (progress) => {
    if (reserved === null) return null;
    const wanted = Math.min(countListedUrls(progress), maxUrls);
    const visits = progress.credits + (progress.active + 1) * prices.cheapest;
    const within = maxCredits === null ? wanted : Math.max(0, Math.floor((maxCredits - visits) / prices.url));
    return (await reserved.reserveFor(Math.min(wanted, within))) ?? (within < wanted ? 'max_credits' : null);
  };

  const readFiles: CrawlLoopParts['readFiles'] = async (baseUrl, signal) => {
    await files?.read(baseUrl, signal);
    hasReadFiles = true;
  };

  const claim: Frontier['claim'] = async (demand) => {
    const progress = await frontier.progress();
    // No link is followed until the final URL of the seed is known and the files are read.
    const isEarly = progress.baseUrl === null ? progress.active > 0 : !hasReadFiles;
    if (isEarly) return { claims: [], reason: null };
    const reason = await pay(progress);
    if (reason !== null) return { claims: [], reason };
    if (progress.baseUrl !== null && countListedUrls(progress) >= urlLimit) return { claims: [], reason: 'max_pages' };
    // If visits have a price, one at a time keeps within the credit limit.
    const fitting = maxCredits === null || prices.cheapest === 0 ? demand : { ...demand, most: 1 };
    const claimed = await frontier.claim(fitting);
    if (claimed.reason !== 'nothing' || reserved === null || progress.active > 0) return claimed;
    if (hasFullSitemap(progress, await frontier.countUrls())) return claimed;
    return (await frontier.unpark(map.followDepth)) > 0 ? frontier.claim(fitting) : claimed;
  };

  return { pay, readFiles: files === null ? null : readFiles, frontier: { ...frontier, claim } };
}

/**
 * Whether the sitemaps seem complete: at most the seed was visited, and a sitemap lists URLs that the seed does not
 * link.
 */
function hasFullSitemap({ stored }: CrawlProgress, stats: readonly UrlCount[]): boolean {
  return stored <= 1 && stats.some(({ source }) => source === 'sitemap' || source === 'robots');
}

/** Number of known URLs that are not skipped. */
export function countListedUrls({ stored, pending }: CrawlProgress): number {
  return stored + pending;
}

/** Reserves credits for items as they are found. */
type ReservationCounter = {
  /** Reserves credits for up to `count` items in total. Returns the shortage, null for none. */
  readonly reserveFor: (count: number) => Promise<CreditShortage | null>;
  /** Number of items with reserved credits. */
  readonly count: () => number;
};

/** Creates a counter that reserves `each` credits per item. The call settles or releases them. */
export function createReservationCounter({
  frontier,
  each,
}: {
  readonly frontier: Pick<Frontier, 'holdCredits'>;
  readonly each: number;
}): ReservationCounter {
  let count = 0;

  return {
    async reserveFor(wanted) {
      while (count < wanted) {
        const { times, refused } = await frontier.holdCredits(each, wanted - count);
        count += times;
        if (refused !== null) return refused;
      }
      return null;
    },
    count: () => count,
  };
}
