import type { Attempt, Classification, Page, PageRequest, Tier, TierVisit } from '#access/page.ts';
import { BLOCK_OUTCOMES } from '#access/tiers/ladder-failure.ts';
import {
  assertTierAvailable,
  type BrowserState,
  escalate,
  type EscalationOptions,
  type TierVisits,
} from '#access/tiers/ladder.ts';
import { type Account, toParty } from '#engine/credits/billing.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { ObserveEvent } from '#kernel/events.ts';

/** The conditions of one visit. Wrappers add to them before the tiers are tried. */
export type VisitCall = {
  /** The allowed tiers, cheapest first. */
  readonly tiers: readonly Tier[];
  /** The time limit of the visit from `startedAt`, ms on the monotonic clock. */
  readonly timeoutMs: number;
  readonly startedAt: number;
  /** Aborts the visit with its reason. */
  readonly signal: AbortSignal;
  /** Filled attempt by attempt, so that a failure lists them too. */
  readonly attempts: Attempt[];
  /** Whether a page has all requested outputs without running its scripts; null if only its text decides. */
  readonly isSufficient: ((page: Page) => Promise<boolean>) | null;
  /** The classification by a site endpoint, which overrides the general one. */
  readonly classifyBySite?: (page: Page, first: Classification) => Promise<Classification>;
  /** Called before a tier other than the cheapest starts. An error ends the visit. */
  readonly beforeTier?: (tier: Tier) => Promise<void>;
  /** Wraps each attempt of the visit, including retries. */
  readonly wrapAttempt?: (attempt: TierVisit) => TierVisit;
};

/** The options of a visit. */
export type FetchOptions = {
  /** The maximum age of a cached page, ms; 0 to always fetch. */
  readonly maxAgeMs: number;
  /** Whether a URL that robots.txt disallows fails with `target_blocked`, including redirect targets. */
  readonly respectRobots: boolean;
  /** Whether a page has all requested outputs without running its scripts; null if only its text decides. */
  readonly isSufficient: VisitCall['isSufficient'];
  /** Set if the page is fetched for a site endpoint. */
  readonly site?: SiteVisit;
  /** Set if the document is fetched for a frame. Its attempts are not listed for the page. */
  readonly frame?: FrameVisit;
  /** The name of the caller's session; absent for none. */
  readonly session?: string | undefined;
  /** Aborts this visit; it must also abort with the call. */
  readonly signal?: AbortSignal;
};

/** The conditions of a visit for a frame of a page. */
export type FrameVisit = {
  /** The tiers of the admission that may be used. */
  readonly tiers: readonly Tier[];
  /** The time limit of the visit, ms. */
  readonly withinMs: number;
};

/** The conditions of a visit for a site endpoint. */
export type SiteVisit = {
  /** The tiers of the admission that may be used. */
  readonly tiers: readonly Tier[];
  /** The time limit of the visit, ms; null for all of the remaining time. */
  readonly withinMs: number | null;
  /**
   * The site's classification of a page, with its verdict, which overrides the general one. A cached page that it
   * rejects is fetched again.
   */
  readonly classify: (page: Page, first: Classification) => Promise<Classification>;
  /** Whether a fetched page with this verdict should be cached. */
  readonly isCacheable: (verdict: Classification['verdict']) => boolean;
};

/** A served page, its tier and the attempts made. */
export type Visited = {
  readonly page: Page;
  readonly tier: ServedTier;
  /** Age of a cached page in ms; null if it was fetched now. */
  readonly ageMs: number | null;
  readonly attempts: readonly Attempt[];
  /** The verdict of the site endpoint that classified the page; absent for other pages, and for a part of a page. */
  readonly verdict?: Classification['verdict'];
};

/** Fetches one page. Throws a `ServiceError`, or the abort reason of the signal. */
export type PageVisit<C extends VisitCall = VisitCall> = (request: PageRequest, call: C) => Promise<Visited>;

/** Adds one concern to a visit. */
export type VisitWrapper<C extends VisitCall = VisitCall> = (next: PageVisit<C>) => PageVisit<C>;

/** Composes wrappers, outermost first: `compose(withRobots(...), withCache(...))(ladder(...))`. */
export function composeWrappers<C extends VisitCall>(...wrappers: readonly VisitWrapper<C>[]): VisitWrapper<C> {
  return (visit) => wrappers.reduceRight((next, wrap) => wrap(next), visit);
}

type LadderParts = Pick<EscalationOptions, 'breakers' | 'memory' | 'clock' | 'random'> & {
  /** The currently available tiers: a browser may become available while the service runs. */
  readonly tierVisits: () => TierVisits;
  readonly browser: () => BrowserState;
  /** The account that pays for the visits. */
  readonly account: Account;
  readonly observe: ObserveEvent;
};

/** Builds the innermost visit: it escalates from tier to tier until one serves the page. */
export function buildLadderVisit({ tierVisits, browser, account, observe, ...parts }: LadderParts): PageVisit {
  const { key, tenant, plan } = account;
  const party = toParty(account);
  return async (request, call) => {
    const available = tierVisits();
    assertTierAvailable(call.tiers, available, browser());
    const { page, tier, verdict } = await escalate({
      ...parts,
      ...call,
      proxiesInPlan: plan.starter_surfaces,
      tierVisits: available,
      request: { ...request, party },
      onAttempt({ tier: tried, outcome, reason = null, status_code: status = null, duration_ms: durationMs, bytes }) {
        const { host } = request.url;
        const isBlock = BLOCK_OUTCOMES.has(outcome);
        const facts = { tier: tried, outcome, isBlock, reason, status, durationMs, bytes };
        observe({ type: 'attempt', call: key, tenant, host, ...facts });
      },
    });
    return { page, tier, ageMs: null, attempts: call.attempts, verdict };
  };
}
