import type { Attempt, Classification, Page, PageRequest, Tier, TierVisit } from '#access/page.ts';
import type { ServedTier } from '#engine/credits/prices.ts';

/** The conditions of one visit; wrappers add to them on the way to the ladder. */
export type VisitCall = {
  /** The access tiers that may be used, cheapest first. */
  readonly tiers: readonly Tier[];
  /** The time of the visit from `startedAt`, an instant of the monotonic clock, ms. */
  readonly timeoutMs: number;
  readonly startedAt: number;
  /** Ends the visit with its reason. */
  readonly signal: AbortSignal;
  /** Filled attempt by attempt, so that a failure shows them too. */
  readonly attempts: Attempt[];
  /** Whether a page without its scripts already holds all requested outputs; null where only its text decides. */
  readonly suffices: ((page: Page) => Promise<boolean>) | null;
  /** A second classification by the endpoint of a site, which overrides the first. */
  readonly classifyBySite?: (page: Page, first: Classification) => Promise<Classification>;
  /** Called before a tier beyond the cheapest starts; an error ends the visit. */
  readonly beforeTier?: (tier: Tier) => Promise<void>;
  /** Wraps each attempt of the visit, second attempts included. */
  readonly wrapAttempt?: (attempt: TierVisit) => TierVisit;
};

/** The options of a visit. */
export type FetchOptions = {
  /** The oldest cached page that is served, ms; 0 for none. */
  readonly maxAgeMs: number;
  /** Whether an address that robots.txt forbids is `target_blocked`, those that redirects lead to included. */
  readonly respectRobots: boolean;
  /** Whether a page without its scripts already holds all requested outputs; null where only its text decides. */
  readonly suffices: VisitCall['suffices'];
  /** Set where the page is for an endpoint of a site. */
  readonly site?: SiteVisit;
  /** Set where the document is for a frame of a page: its attempts are none of the page's. */
  readonly frame?: FrameVisit;
  /** The name of the caller's session; absent for none. */
  readonly session?: string | undefined;
  /** Ends this visit before its call; it fires with the call too. */
  readonly signal?: AbortSignal;
};

/** The conditions of a visit for a frame of a page. */
export type FrameVisit = {
  /** The only tiers of the admission that may be used. */
  readonly tiers: readonly Tier[];
  /** The time that the visit may take, ms. */
  readonly withinMs: number;
};

/** The conditions of a visit for an endpoint of a site. */
export type SiteVisit = {
  /** The only tiers of the admission that may be used. */
  readonly tiers: readonly Tier[];
  /** The time that the visit may take, ms; null for all that is left. */
  readonly withinMs: number | null;
  /** The site's classification of a page, which overrides the first; a cached page that it does not accept is fetched. */
  readonly classify: (page: Page, first: Classification) => Promise<Classification>;
  /** Whether a fetched page is worth caching. */
  readonly isCacheable: (page: Page) => boolean;
};

/** A served page, its tier, and the attempts that led to it. */
export type Visited = {
  readonly page: Page;
  readonly tier: ServedTier;
  /** Age of a cached page in ms; null when it was fetched now. */
  readonly ageMs: number | null;
  readonly attempts: readonly Attempt[];
};

/** Gets one page; throws a `ServiceError`, or the reason of the signal. */
export type PageVisit<C extends VisitCall = VisitCall> = (request: PageRequest, call: C) => Promise<Visited>;

/** Adds one concern to a visit. */
export type VisitWrapper<C extends VisitCall = VisitCall> = (next: PageVisit<C>) => PageVisit<C>;

/** Joins wrappers, the outermost first: `compose(withRobots(...), withCache(...))(ladder(...))`. */
export function compose<C extends VisitCall>(...wrappers: readonly VisitWrapper<C>[]): VisitWrapper<C> {
  return (visit) => wrappers.reduceRight((next, wrap) => wrap(next), visit);
}
