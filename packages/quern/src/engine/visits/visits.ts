import type { Clock } from '#kernel/clock.ts';
import type { Breakers } from '#access/tiers/circuit-breaker.ts';
import type { HostMemory } from '#access/tiers/host-memory.ts';
import type { BrowserState, TierVisits } from '#access/tiers/ladder.ts';
import type { Attempt, PageRequest, Tier } from '#access/page.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Account, Billing } from '#engine/credits/billing.ts';
import type { RobotsCache } from '#engine/politeness/robots-cache.ts';
import type { Deadline } from '#kernel/deadline.ts';
import type { Admission } from '#engine/credits/admission.ts';
import { type Price, toUsage } from '#engine/credits/prices.ts';
import type { SavedSessions } from '#engine/sessions/saved-sessions.ts';
import type { MemoryBudgets } from '#kernel/memory-budget.ts';
import { buildLadderVisit, composeWrappers, type FetchOptions, type VisitCall, type Visited } from './visit.ts';
import type { PageCache } from './page-cache.ts';
import { withCache, withCredits, type RobotsPolicy, withRobots, withSession } from './visit-wrappers.ts';

/** The call that visits are made for. */
export type VisitContext = {
  /** The price of one page of the operation. */
  readonly price: Price;
  readonly account: Account;
  readonly admission: Admission;
  /** Filled attempt by attempt, so that the response of a failed call lists them too. */
  readonly attempts: Attempt[];
  readonly deadline: Deadline;
};

export type Visits = {
  readonly visit: (request: PageRequest, options: FetchOptions) => Promise<Visited>;
  /** Resolves once the fetched pages are in the cache, and releases their memory. */
  readonly close: () => Promise<void>;
};

export type PageVisitor = ReturnType<typeof buildPageVisitor>;

export type PageVisitorParts = {
  /** The currently available tiers: a browser may become available while the service runs. */
  readonly tierVisits: () => TierVisits;
  readonly browser: () => BrowserState;
  readonly breakers: Breakers;
  readonly hosts: HostMemory;
  readonly robots: Pick<RobotsCache, 'assertAllowed'>;
  readonly billing: Billing;
  readonly pageCache: PageCache;
  readonly savedSessions: Pick<SavedSessions, 'open'>;
  readonly memory: Pick<MemoryBudgets, 'pages'>;
  /** The clock for time limits. */
  readonly clock: Clock;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  readonly observe: ObserveEvent;
  /** Receives the error of a page that could not be cached. The call continues. */
  readonly report: (error: unknown) => void;
};

/** The conditions of a visit together with the options of its caller. */
type FetchCall = VisitCall & FetchOptions;

/**
 * Builds the visitor that fetches pages for calls: from the tenant's cache, or with the access tiers, reserving credits
 * before a more expensive tier.
 */
export function buildPageVisitor(parts: PageVisitorParts) {
  const { tierVisits, browser, breakers, hosts, robots, billing, pageCache, savedSessions, memory } = parts;
  const { clock, random, observe, report } = parts;

  const buildPolicy = ({ insecureTls }: PageRequest): RobotsPolicy => ({
    demand: async (url, signal) => robots.assertAllowed(url, signal, insecureTls),
    async follows(to, signal) {
      await robots.assertAllowed(to, signal, insecureTls);
      return true;
    },
  });

  return {
    begin(context: VisitContext): Visits {
      const { tenant } = context.account;
      const writing: Promise<void>[] = [];
      const share = memory.pages.createShare(tenant);
      const fetchPage = composeWrappers<FetchCall>(
        withRobots(({ respectRobots }, request) => (respectRobots ? buildPolicy(request) : null)),
        withSession(async ({ session }) => (session === undefined ? null : savedSessions.open(tenant, session))),
        withCache({ pageCache, tenant, observe, onWrite: (written) => writing.push(written.catch(report)) }),
        withCredits({
          // A call that may be served from the cache has only reserved the price of a cached page.
          async begin({ maxAgeMs }) {
            if (maxAgeMs > 0) await raiseReservation(billing, context, context.admission.tiers[0] ?? 'http');
          },
          raise: async (tier) => raiseReservation(billing, context, tier),
        }),
      )(
        buildLadderVisit({
          tierVisits,
          browser,
          breakers,
          memory: hosts.of(tenant, 'proxy_browser'),
          account: context.account,
          observe,
          clock,
          random,
        }),
      );
      return {
        visit: async (request, options) =>
          fetchPage({ ...request, share }, buildFetchCall(context, options, clock.monotonic())),
        async close() {
          await Promise.all(writing);
          share.release();
        },
      };
    },
  };
}

/** Raises the reservation of a call to the price of `tier`. Throws if the balance or `max_credits` is too low. */
async function raiseReservation(
  billing: Billing,
  { price, account, admission }: VisitContext,
  tier: Tier,
): Promise<void> {
  const credits = toUsage(price, tier).credits + (admission.besides ?? 0);
  if (admission.maxCredits !== null && credits > admission.maxCredits) {
    throw new ServiceError(
      'target_blocked',
      `the next tier, ${tier}, costs ${credits} credits, but max_credits is ${admission.maxCredits}; raise max_credits`,
    );
  }
  await billing.raise(account, credits);
}

/** Builds the conditions of one visit. `now` is on the monotonic clock. */
function buildFetchCall(
  { admission, attempts, deadline }: VisitContext,
  options: FetchOptions,
  now: number,
): FetchCall {
  const { site, frame } = options;
  const only = site ?? frame;
  const within = only?.withinMs ?? null;
  return {
    ...options,
    tiers: only === undefined ? admission.tiers : admission.tiers.filter((tier) => only.tiers.includes(tier)),
    timeoutMs: within ?? deadline.timeoutMs,
    startedAt: within === null ? deadline.startedAt : now,
    signal: options.signal ?? deadline.signal,
    attempts: frame === undefined ? attempts : [],
    ...(site === undefined ? {} : { classifyBySite: site.classify }),
  };
}
