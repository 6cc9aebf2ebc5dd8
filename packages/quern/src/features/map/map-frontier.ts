import type { CreditShortage } from '#engine/credits/tenant-credits.ts';
import type { CrawlProgress, Frontier, UrlCount } from '#features/crawl/frontier/frontier.ts';
import type { CrawlLoopParts } from '#features/crawl/run/crawl-loop.ts';

/** URLs that cost as much as one. */
const URLS_PER_UNIT = 100;

type MapFrontierParts = {
  readonly frontier: Frontier;
  readonly url: string;
  readonly maxUrls: number;
  /** Whether links are followed although other sources have URLs. */
  readonly walks: boolean;
  /** Pages at this depth or deeper are not visited for their links; 0 if links are not followed at all. */
  readonly followDepth: number;
  /** Number of URLs at which the map ends. */
  readonly urlLimit: number;
  /** Counts URLs with reserved credits; null for a helper. */
  readonly reserved: ReservationCounter | null;
  readonly maxCredits: number | null;
  /** Credits that a visited page costs at least. */
  readonly minPageCredits: number;
  /** Adds the URLs that are found without a visit. Returns whether there is any apart from the start. */
  readonly lookUp: (signal: AbortSignal) => Promise<boolean>;
  /** Adds the URLs of the site's files and the known pages, given the final URL of the start. */
  readonly readSources: (baseUrl: string, signal: AbortSignal) => Promise<void>;
  /** Called before links are followed. */
  readonly onWalk: () => void;
};

type MapFrontier = {
  readonly frontier: Frontier;
  readonly readFiles: CrawlLoopParts['readFiles'];
  /**
   * Reserves the credits of the known URLs, and leaves those of the next visits. Returns why the map cannot continue,
   * null if it can.
   */
  readonly pay: (progress: CrawlProgress, nextVisits: 0 | 1) => Promise<CreditShortage | null>;
  /** Whether the map ended without a visit. */
  readonly isAnswered: () => boolean;
};

/**
 * Builds the frontier that a map claims from. URLs are paid as they are found, and the map ends at its URL limit. First
 * URLs are looked up without a visit. If there are none, or the map walks, the start is visited, then the site's files
 * are read, and then links are followed.
 */
export function buildMapFrontier(map: MapFrontierParts): MapFrontier {
  const { frontier, urlLimit, reserved, minPageCredits } = map;
  const isHelper = reserved === null;
  let phase: 'lookup' | 'answered' | 'walk' = map.walks || isHelper ? 'walk' : 'lookup';
  let hasReadFiles = isHelper;
  /** Set if files may have to be read again, for the final URL of the start. */
  let readAgain: ((baseUrl: string) => Promise<void>) | null = null;

  const pay = buildPayment(map);

  const readFiles: CrawlLoopParts['readFiles'] = async (baseUrl, signal) => {
    // A resumed map whose start was visited walks.
    if (phase === 'lookup' && (await frontier.progress()).baseUrl === null) {
      phase = (await map.lookUp(signal)) ? 'answered' : 'walk';
      readAgain = async (finalUrl) => {
        await map.readSources(finalUrl, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      };
      return;
    }
    phase = 'walk';
    await map.readSources(baseUrl, signal);
    hasReadFiles = true;
  };

  const claim: Frontier['claim'] = async (demand) => {
    let progress = await frontier.progress();
    if (phase === 'lookup') return { claims: [], reason: null };
    if (phase === 'answered') {
      const reason = await pay(progress, 0);
      return { claims: [], reason: reason ?? (countListedUrls(progress) >= urlLimit ? 'max_pages' : 'nothing') };
    }
    if (progress.baseUrl !== null && readAgain !== null) {
      await readAgain(progress.baseUrl);
      readAgain = null;
      hasReadFiles = true;
      progress = await frontier.progress();
    }
    // No link is followed until the final URL of the seed is known and the files are read.
    const isEarly = progress.baseUrl === null ? progress.active > 0 : !hasReadFiles;
    if (isEarly) return { claims: [], reason: null };
    const reason = await pay(progress, 1);
    if (reason !== null) return { claims: [], reason };
    if (progress.baseUrl !== null && countListedUrls(progress) >= urlLimit) return { claims: [], reason: 'max_pages' };
    if (progress.baseUrl !== null) map.onWalk();
    // If visits have a price, one at a time keeps within the credit limit.
    const fitting = map.maxCredits === null || minPageCredits === 0 ? demand : { ...demand, most: 1 };
    const claimed = await frontier.claim(fitting);
    if (claimed.reason !== 'nothing' || isHelper || progress.active > 0) return claimed;
    if (!map.walks && hasFullSitemap(progress, await frontier.countUrls())) return claimed;
    return (await frontier.unpark(map.followDepth)) > 0 ? frontier.claim(fitting) : claimed;
  };

  // The lookup needs no visit: to the loop, the final URL of the start is known.
  const progress: Frontier['progress'] = async () => {
    const now = await frontier.progress();
    return phase === 'lookup' ? { ...now, baseUrl: now.baseUrl ?? map.url } : now;
  };

  return {
    pay,
    readFiles: isHelper ? null : readFiles,
    frontier: { ...frontier, progress, claim },
    isAnswered: () => phase === 'answered',
  };
}

/** Builds the function that reserves the credits of the call and of the known URLs. */
function buildPayment({ reserved, maxUrls, maxCredits, minPageCredits }: MapFrontierParts): MapFrontier['pay'] {
  return async (progress, nextVisits) => {
    if (reserved === null) return null;
    const wanted = countUnits(Math.min(countListedUrls(progress), maxUrls));
    const visits = progress.credits + (progress.active + nextVisits) * minPageCredits;
    const within = maxCredits === null ? wanted : Math.max(0, maxCredits - visits);
    return (await reserved.reserveFor(Math.min(wanted, within))) ?? (within < wanted ? 'max_credits' : null);
  };
}

/** The credits of a map that returns so many URLs: one for the call, and one for each started hundred. */
export function countUnits(urls: number): number {
  return 1 + Math.ceil(urls / URLS_PER_UNIT);
}

/** The URLs that a map may return for so many credits. */
export function countPaidUrls(units: number): number {
  return Math.max(0, units - 1) * URLS_PER_UNIT;
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

/** Reserves credits one by one. */
type ReservationCounter = {
  /** Reserves up to `count` credits in total. Returns the shortage, null for none. */
  readonly reserveFor: (count: number) => Promise<CreditShortage | null>;
  /** Number of reserved credits. */
  readonly count: () => number;
};

/** Creates a counter of the credits that a map reserves. The call settles or releases them. */
export function createReservationCounter(frontier: Pick<Frontier, 'holdCredits'>): ReservationCounter {
  let count = 0;

  return {
    async reserveFor(wanted) {
      while (count < wanted) {
        const { times, refused } = await frontier.holdCredits(1, wanted - count);
        count += times;
        if (refused !== null) return refused;
      }
      return null;
    },
    count: () => count,
  };
}
