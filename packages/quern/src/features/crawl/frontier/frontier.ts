import type { CreditShortage } from '#engine/credits/tenant-credits.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { FailedPage, UrlSource, FoundUrl, ListedUrl, PageClaim, PageEnd } from '#features/crawl/crawl-page.ts';
import type { SkipReason } from '#extract/urls/link-admission.ts';
import type { MatchedPatterns } from './url-patterns.ts';

/** The counts of a crawl; always `discovered = stored + failed + Σ skipped + pending`. */
export type CrawlProgress = {
  readonly discovered: number;
  readonly stored: number;
  readonly failed: number;
  readonly skipped: Readonly<Record<SkipReason, number>>;
  /** Failed pages that may load at another time or with other options. */
  readonly failedForNow: number;
  /** Login forms shown since the last stored page, in a crawl with a login. */
  readonly loginsInRow: number;
  /** Known pages that have not ended, claimed or not. */
  readonly pending: number;
  /** Pages claimed by any process. */
  readonly active: number;
  readonly credits: number;
  /** Final URL of the seed, null while it is unknown. */
  readonly baseUrl: string | null;
  /** Model outputs of stored pages. */
  readonly modelOutputs: number;
  /** Stored pages by the tier that served them. */
  readonly tiers: Readonly<Partial<Record<ServedTier, number>>>;
  /** Duplicates of stored pages whose new links were not followed. */
  readonly unfollowedDuplicates: number;
  /** Pages that `include` does not match whose new links were not followed. */
  readonly unfollowedUnmatched: number;
  /** Links skipped because their path pattern reached its limit, and the first such pattern. */
  readonly overPattern: { readonly links: number; readonly pattern: string | null };
  /** Patterns of `include` and `exclude` that have matched a URL. */
  readonly matched: MatchedPatterns;
  /** Pages skipped because their pattern yields nothing new, and the first of them. */
  readonly barren: { readonly pages: number; readonly url: string | null };
  /** First link to a hash route that was not followed, null for none. */
  readonly hashRoute: string | null;
  /** Whether the answer is full; running visits are then discarded. */
  readonly isFull: boolean;
};

/** Pages that could start soon: in total, and per host given the number of hosts with waiting pages. */
export type PageDemand = { readonly maxPages: number; readonly maxAtHost: (host: string, hosts: number) => number };

/** Number of known URLs of one source and depth. `parked` of them wait for `unpark`. */
export type UrlCount = {
  readonly source: UrlSource;
  readonly depth: number;
  readonly count: number;
  readonly parked: number;
};

/** Pages to visit next, or why there are none. */
export type ClaimResult = {
  readonly claims: readonly PageClaim[];
  /**
   * `nothing`: no page is queued. `max_pages`: enough pages are stored or being visited. A shortage: no more credits
   * can be reserved. `blocked`: the queued pages are on hosts that stopped answering. `login_required`: the login has
   * expired. `answer_full`: the answer has no space for another page.
   */
  readonly reason: 'nothing' | 'max_pages' | CreditShortage | 'blocked' | 'login_required' | 'answer_full' | null;
};

/** How many times credits were reserved, and the shortage if it was none. */
export type HoldResult = { readonly times: number; readonly refused: CreditShortage | null };

/**
 * The known URLs of a crawl and their states. Methods throw `LeaseLost` if other processes have taken over the crawl.
 */
export type Frontier = {
  /**
   * Whether the URL is known for this skip reason (null for none). False may also mean that it is not in the cache. Its
   * key starts at index `at` of `keys`.
   */
  readonly isKnown: (keys: string, at: number, skip: SkipReason | null) => boolean;
  /**
   * Whether a page with this key of its content or final URL is a duplicate. False may also mean that the key is not in
   * the cache.
   */
  readonly isDuplicate: (key: string) => boolean;
  /** Adds the seeds, unless the crawl has started. */
  readonly seed: (urls: readonly FoundUrl[]) => Promise<void>;
  /**
   * Adds URLs from sitemaps and feeds, counted as links of the seed. A queued URL that is given as parked becomes
   * parked and takes the given title and date.
   */
  readonly add: (urls: readonly FoundUrl[]) => Promise<CrawlProgress>;
  /** Queues the parked URLs above this depth. Returns their number. */
  readonly unpark: (depth: number) => Promise<number>;
  /** Lists known URLs that are not skipped, in order of discovery. */
  readonly listUrls: (most: number) => Promise<readonly ListedUrl[]>;
  /** Counts known URLs that are not skipped, by source and depth. */
  readonly countUrls: () => Promise<readonly UrlCount[]>;
  /** Claims pages to visit next, and reserves the credits that they cost at least. */
  readonly claim: (demand: PageDemand) => Promise<ClaimResult>;
  /** Stores the ends of claimed pages in one transaction. */
  readonly commit: (ends: readonly PageEnd[]) => Promise<CrawlProgress>;
  /** Reserves more credits for one page before a more expensive tier starts. Returns the shortage, null for none. */
  readonly raiseHold: (credits: number) => Promise<CreditShortage | null>;
  /** Reserves `each` credits for the call itself, at most `most` times. */
  readonly holdCredits: (each: number, most: number) => Promise<HoldResult>;
  readonly progress: () => Promise<CrawlProgress>;
  /** Lists the first failed pages, in order of discovery. */
  readonly listFailedPages: (most: number) => Promise<readonly FailedPage[]>;
  /** Renews the lease of this process, and queues the pages of dead processes again. */
  readonly renew: () => Promise<void>;
  /** Releases the pages that are claimed and not committed. */
  readonly leave: () => Promise<void>;
};
