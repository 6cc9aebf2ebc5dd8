import type { ErrorCode } from '#kernel/errors.ts';
import type { SkipReason } from '#extract/site/admission.ts';
import type { ServedTier } from '#engine/prices.ts';

/** An address that a crawl came across. */
export type Found = {
  readonly url: string;
  /** What it is known by: two addresses with one key are one page. */
  readonly key: string;
  readonly host: string;
  readonly depth: number;
  /** Why it will not be visited, null when it will. */
  readonly skip: SkipReason | null;
};

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
  readonly fate: Stored | Failed | Skipped;
};

export type Stored = {
  readonly kind: 'stored';
  /** The page as the result lists it. */
  readonly element: Readonly<Record<string, unknown>>;
  /** Names the content, so that no other page with it is stored; null where equal pages are kept. */
  readonly contentKey: string | null;
  /** Where a redirect led, null where the page was served from its own address. */
  readonly finalKey: string | null;
  readonly tier: ServedTier;
  readonly credits: number;
};

export type Failed = {
  readonly kind: 'failed';
  readonly statusCode: number | null;
  readonly code: ErrorCode;
  readonly message: string;
};

export type Skipped = { readonly kind: 'skipped'; readonly reason: SkipReason };

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
  /** Stored pages by the tier that served them. */
  readonly tiers: Readonly<Partial<Record<ServedTier, number>>>;
};

/** How many pages of which host a crawler could begin soon. */
export type Appetite = { readonly most: number; readonly mostOf: (host: string) => number };

/** Why nothing was claimed: there is nothing, every page that may still be stored is under way, or credits ran out. */
export type Claimed = {
  readonly claims: readonly Claim[];
  readonly held: 'nothing' | 'max_pages' | 'credits_exhausted' | 'daily_cap' | 'max_credits' | null;
};
