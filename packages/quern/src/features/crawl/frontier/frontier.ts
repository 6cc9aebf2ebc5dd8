import type { Shortage } from '#engine/credits/tenant-credits.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { FailedPage, UrlSource, FoundUrl, ListedUrl, PageClaim, PageEnd } from '#features/crawl/crawl-page.ts';
import type { SkipReason } from '#extract/urls/admission.ts';
import type { MatchedPatterns } from './url-patterns.ts';

/** The counts of a crawl; always `discovered = stored + failed + Σ skipped + pending`. */
export type CrawlProgress = {
  readonly discovered: number;
  readonly stored: number;
  readonly failed: number;
  readonly skipped: Readonly<Record<SkipReason, number>>;
  /** Failed pages that may come at another time or in another way. */
  readonly failedForNow: number;
  /** Pages since the last stored one that showed a login form to a crawl with a login. */
  readonly loginsInRow: number;
  /** Known and not yet ended, claimed or not. */
  readonly pending: number;
  /** Claimed, by any process. */
  readonly active: number;
  readonly credits: number;
  /** Final URL of the seed, null while it is not known. */
  readonly baseUrl: string | null;
  /** Outputs of stored pages by a model. */
  readonly modelOutputs: number;
  /** Stored pages by the tier that served them. */
  readonly tiers: Readonly<Partial<Record<ServedTier, number>>>;
  /** Duplicates of stored pages whose new links were not followed. */
  readonly unfollowedDuplicates: number;
  /** Pages that `include` does not match whose new links were not followed. */
  readonly unfollowedUnmatched: number;
  /** Links left out because the pattern of their path is full, and the first such pattern. */
  readonly overPattern: { readonly links: number; readonly pattern: string | null };
  /** The patterns of `include` and `exclude` that have matched a URL. */
  readonly matched: MatchedPatterns;
  /** Pages that were left out because their pattern brings nothing new, and the first of them. */
  readonly barren: { readonly pages: number; readonly url: string | null };
  /** A link to a hash route that was not followed, null for none. */
  readonly hashRoute: string | null;
  /** Whether the answer has no room for another page: visits under way are discarded. */
  readonly isFull: boolean;
};

/** Pages that could start soon: in total, and at a host given the number of hosts with waiting pages. */
export type PageDemand = { readonly maxPages: number; readonly maxAtHost: (host: string, hosts: number) => number };

/** The number of known URLs of one source and depth; `parked` of them wait for `unpark`. */
export type UrlCount = {
  readonly source: UrlSource;
  readonly depth: number;
  readonly count: number;
  readonly parked: number;
};

/** Pages to visit next, and why there are none where there are none. */
export type ClaimResult = {
  readonly claims: readonly PageClaim[];
  /**
   * `nothing` waits; `max_pages` are stored or under way; no more credits can be set aside; `blocked`: the waiting pages
   * are on hosts that stopped answering; `login_required`: the login of the crawl has ended; `answer_full`: the stored pages fill the answer that holds them.
   */
  readonly reason: 'nothing' | 'max_pages' | Shortage | 'blocked' | 'login_required' | 'answer_full' | null;
};

/** Number of times that credits were set aside, and the shortage when there were none. */
export type HoldResult = { readonly times: number; readonly refused: Shortage | null };

/** The known URLs of a crawl and their states. Throws `LeaseLost` when other processes have taken the crawl over. */
export type Frontier = {
  /**
   * True only if the URL is certainly known for this skip reason (null for none); false means "unknown". Its key stands in
   * `keys` from `at` on.
   */
  readonly isKnown: (keys: string, at: number, skip: SkipReason | null) => boolean;
  /** True only if a page with this key of its content or final URL is certainly a duplicate; false means "unknown". */
  readonly isDuplicate: (key: string) => boolean;
  /** Adds the seeds, unless the crawl has started. */
  readonly seed: (found: readonly FoundUrl[]) => Promise<void>;
  /**
   * Adds URLs named by files of the site, counted as links of the seed. A waiting URL that is given as parked becomes
   * parked and takes the given title and date.
   */
  readonly add: (found: readonly FoundUrl[]) => Promise<CrawlProgress>;
  /** Queues the parked URLs above this depth; returns how many there were. */
  readonly unpark: (depth: number) => Promise<number>;
  /** Known URLs that are not left out, in the order of discovery. */
  readonly listUrls: (most: number) => Promise<readonly ListedUrl[]>;
  /** Known URLs that are not left out, counted by source and depth. */
  readonly countUrls: () => Promise<readonly UrlCount[]>;
  /** Claims pages to visit next, with the credits of their cheapest outcome set aside. */
  readonly claim: (demand: PageDemand) => Promise<ClaimResult>;
  /** Stores the ends of claimed pages in one transaction. */
  readonly commit: (ends: readonly PageEnd[]) => Promise<CrawlProgress>;
  /** Sets more credits aside for one page, before a costlier tier starts; returns the shortage, null for none. */
  readonly raiseHold: (credits: number) => Promise<Shortage | null>;
  /** Sets `each` credits aside for the call itself, at most `most` times. */
  readonly holdCredits: (each: number, most: number) => Promise<HoldResult>;
  readonly progress: () => Promise<CrawlProgress>;
  /** The first failed pages, in the order of discovery. */
  readonly listFailedPages: (most: number) => Promise<readonly FailedPage[]>;
  /** Renews the lease of this process, and takes the pages of dead ones. */
  readonly renew: () => Promise<void>;
  /** Gives back the pages that are claimed and not committed. */
  readonly leave: () => Promise<void>;
};
