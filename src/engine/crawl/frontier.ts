import type { Segment } from '#engine/result-segments.ts';
import type { Shortage } from '#engine/billing.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { Simhash } from '#extract/site/simhash.ts';
import type { SkipReason } from '#extract/site/admission.ts';
import type { ServedTier } from '#engine/prices.ts';

/** Where an address was met first. */
export const FOUND_IN = ['seed', 'sitemap', 'robots', 'feed', 'links'] as const;

export type FoundIn = (typeof FOUND_IN)[number];

/** An address that a crawl came across. */
export type Found = {
  readonly url: string;
  /** What it is known by: two addresses with one key are one page. */
  readonly key: string;
  readonly host: string;
  readonly depth: number;
  /** Why it is left out, null when it is not. */
  readonly skip: SkipReason | null;
  readonly source: FoundIn;
  /** What was said of it where it was met, null for nothing. */
  readonly title: string | null;
  readonly lastmod: string | null;
  /** Whether it is only kept, and not visited before `wake`. */
  readonly rests: boolean;
};

/** An address that is known and not left out, visited or not. */
export type Listed = Pick<Found, 'url' | 'depth' | 'source' | 'title' | 'lastmod'>;

/** A page that is to be visited now, by whoever claimed it. */
export type Claim = {
  /** Its number in the crawl, in the order of discovery. */
  readonly seq: number;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
  readonly parentUrl: string | null;
};

/** What became of a claimed page. */
export type End = {
  readonly claim: Claim;
  /** Credits that were set aside for it. */
  readonly held: number;
  readonly links: readonly Found[];
  /** Links of the page that no address was made of, by the reason. */
  readonly leftOut: Readonly<Partial<Record<SkipReason, number>>>;
  /** Where the seed ended, null for any other page: the scope of the crawl is taken from it. */
  readonly anchor: string | null;
  readonly fate: Stored | Failed | Skipped;
  /** What was exchanged for it, where an archive is kept. */
  readonly exchanges?: readonly Segment[];
};

export type Stored = {
  readonly kind: 'stored';
  /** The page as the result lists it; null where pages are no part of it. */
  readonly element: Element | null;
  /** To be kept with the address, null for nothing. */
  readonly title: string | null;
  /** Names the content, so that no other page with it is stored; null where equal pages are kept. */
  readonly contentKey: string | null;
  /** Where a redirect led, null where the page was served from its own address. */
  readonly finalKey: string | null;
  /** By what near-duplicates are found; null where the page says too little. */
  readonly simhash: Simhash | null;
  readonly tier: ServedTier;
  readonly credits: number;
  /** Outputs that a model made, which `credits` has the price of. */
  readonly made: number;
};

export type Failed = {
  readonly kind: 'failed';
  readonly statusCode: number | null;
  /** Of the service's own table, or `target_error` for an answer of 400 or above. */
  readonly code: ErrorCode | 'target_error';
  readonly message: string;
};

export type Skipped = { readonly kind: 'skipped'; readonly reason: SkipReason };

/** A page that failed, as the result lists it. */
export type Trouble = {
  readonly url: string;
  /** Of the target's answer, where there was one. */
  readonly status_code?: number;
  readonly code: string;
  readonly message: string;
};

/** A page of a result, as JSON by and large: what its reading brought crosses threads and goes to the store as it is. */
export type Element = {
  /** Members before those of the reading, and after them. */
  readonly head: Readonly<Record<string, unknown>>;
  /** UTF-8, without braces. */
  readonly members: Uint8Array<ArrayBuffer>;
  readonly tail: Readonly<Record<string, unknown>>;
};

/** Where a crawl stands; always `discovered = stored + failed + Σ skipped + pending`. */
export type Standing = {
  readonly discovered: number;
  readonly stored: number;
  readonly failed: number;
  readonly skipped: Readonly<Record<SkipReason, number>>;
  /** Known and not yet ended, whether somebody has claimed them or not. */
  readonly pending: number;
  /** Claimed, by whomever. */
  readonly active: number;
  readonly credits: number;
  /** Where the seed ended, null while that is not known. */
  readonly anchor: string | null;
  /** Outputs of stored pages that a model made. */
  readonly made: number;
  /** Stored pages by the tier that served them. */
  readonly tiers: Readonly<Partial<Record<ServedTier, number>>>;
  /** Twins of stored pages whose new addresses were not taken in. */
  readonly unfollowed: number;
  /** Links that were left out because the pattern of their path had no room, and the first such pattern. */
  readonly beyond: { readonly links: number; readonly pattern: string | null };
  /** Whether no other page has room beside those that are stored: what is under way is for nothing. */
  readonly isFull: boolean;
};

/** How many pages in all, and of each host where pages of so many hosts wait, could begin soon. */
export type Appetite = { readonly most: number; readonly mostOf: (host: string, among: number) => number };

/** Addresses that were met in one place at one depth; `resting` of them have not been visited. */
export type Layer = {
  readonly source: FoundIn;
  readonly depth: number;
  readonly count: number;
  readonly resting: number;
};

/** Pages to visit next, and why there are none where there are none. */
export type Claimed = {
  readonly claims: readonly Claim[];
  /**
   * `nothing` is queued; `max_pages` are stored or under way; no more credits can be set aside; or `blocked`: what is
   * queued lies on hosts that give nothing any more; `answer_full`: what is stored fills the answer that holds it.
   */
  readonly held: 'nothing' | 'max_pages' | Shortage | 'blocked' | 'answer_full' | null;
};

/** How often credits were set aside, and why not even once. */
export type Held = { readonly times: number; readonly refused: Shortage | null };

/** What is known and what became of it. Throws `LeaseLost` when the crawl goes on without this process. */
export type Frontier = {
  /**
   * Whether nothing is surely new about an address that is left out for that, or not; its key stands in `keys` from `at`
   * on. False says nothing.
   */
  readonly isKnown: (keys: string, at: number, skip: SkipReason | null) => boolean;
  /** Whether a page with this key, of where it ends or of its content, is surely a twin of another. False says nothing. */
  readonly isTaken: (key: string) => boolean;
  /** Adds where the crawl starts, unless it has started. */
  readonly seed: (found: readonly Found[]) => Promise<void>;
  /**
   * Adds addresses that no page links to, beside the links of the seed, as often as they are met. What waits already and
   * is to rest rests from now on, and learns what is said of it.
   */
  readonly add: (found: readonly Found[]) => Promise<Standing>;
  /** Lets what rests above this depth be visited; answers how many there were. */
  readonly wake: (depth: number) => Promise<number>;
  /** What is not left out, in the order of discovery. */
  readonly listed: (most: number) => Promise<readonly Listed[]>;
  /** How many addresses are not left out, by where they were met and how deep they lie. */
  readonly survey: () => Promise<readonly Layer[]>;
  /** Takes pages to visit next, with the credits of their cheapest outcome set aside. */
  readonly claim: (appetite: Appetite) => Promise<Claimed>;
  /** Keeps what became of claimed pages, all of it or nothing. */
  readonly commit: (ends: readonly End[]) => Promise<Standing>;
  /** Sets more credits aside for one page, before a costlier tier starts; why they could not be had, null when they are. */
  readonly raise: (credits: number) => Promise<Shortage | null>;
  /** Sets `each` credits aside for the call itself, at most `most` times; why not even once. */
  readonly hold: (each: number, most: number) => Promise<Held>;
  readonly standing: () => Promise<Standing>;
  /** The first pages that failed, in the order of discovery. */
  readonly troubles: (most: number) => Promise<readonly Trouble[]>;
  /** Goes on working on the crawl, and takes the pages of those who died. */
  readonly beat: () => Promise<void>;
  /** Gives back what is claimed and not committed. */
  readonly leave: () => Promise<void>;
};
