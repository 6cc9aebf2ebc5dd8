import type { Breakers } from '#access/breaker.ts';
import type { HostMemory } from '#access/host-memory.ts';
import { judge } from '#access/judge.ts';
import { climb, demandTier } from '#access/ladder.ts';
import type { BrowserState, Rungs } from '#access/ladder.ts';
import type { Attempt, Page, PageRequest, Tier } from '#access/page.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Account, Billing } from './billing.ts';
import type { RobotsGate } from './crawl/robots-gate.ts';
import type { Deadline } from './deadline.ts';
import type { Admission, AdmissionFacts, SiteVisit, Visited, VisitOptions, WorkOperation } from './operation.ts';
import type { PageCache } from './page-cache.ts';
import type { SiteBook } from './sites/settings.ts';
import type { Plan } from './plans.ts';
import { toUsage } from './prices.ts';
import type { Rooms } from './rooms.ts';

/** Everything that one call's visits need to know of it. */
export type Call = {
  readonly operation: WorkOperation;
  readonly account: Account;
  readonly admission: Admission;
  /** Filled as the ladder is climbed, so that a failed call shows its attempts too. */
  readonly attempts: Attempt[];
  readonly deadline: Deadline;
};

export type Visits = {
  readonly visit: (request: PageRequest, options: VisitOptions) => Promise<Visited>;
  /** Resolves when the fetched pages are in the cache; then nothing of them is held any more. */
  readonly kept: () => Promise<void>;
};

export type Visiting = ReturnType<typeof buildVisiting>;

export type VisitingParts = {
  /** As they are now: a browser may come while the service runs. */
  readonly rungs: () => Rungs;
  readonly browser: () => BrowserState;
  readonly breakers: Breakers;
  readonly hosts: HostMemory;
  readonly robots: Pick<RobotsGate, 'demand'>;
  readonly guard: Pick<AdmissionFacts, 'readTarget' | 'isOpened'>;
  readonly hasModel: boolean;
  readonly sites: SiteBook;
  readonly billing: Billing;
  readonly pageCache: PageCache;
  readonly rooms: Pick<Rooms, 'pages'>;
  /** Told of a page that could not be kept; the call goes on. */
  readonly report: (error: unknown) => void;
};

/** Time slices are measured on a clock that no one can set. */
const MONOTONIC = { now: () => performance.now() };

/** Gets pages for calls: from the tenant's cache, else up the ladder, with the reservation raised before a costlier tier. */
export function buildVisiting(parts: VisitingParts) {
  const { rungs, browser, breakers, hosts, robots, guard, hasModel, billing, pageCache, rooms, sites, report } = parts;

  async function afford({ operation, account, admission }: Call, tier: Tier): Promise<void> {
    const credits = toUsage(operation.price, tier).credits + (admission.besides ?? 0);
    if (admission.maxCredits !== null && credits > admission.maxCredits) {
      throw new ServiceError(
        'target_blocked',
        `the next step, tier ${tier}, costs ${credits} credits and max_credits is ${admission.maxCredits}: raise it`,
      );
    }
    await billing.raise(account, credits);
  }

  async function followsIfAllowed(to: URL, signal: AbortSignal): Promise<boolean> {
    await robots.demand(to, signal);
    return true;
  }

  return {
    /** What the option gate of a call on this plan decides by. */
    factsFor: (plan: Plan): AdmissionFacts => ({
      plan,
      readTarget: guard.readTarget,
      isOpened: guard.isOpened,
      hasModel,
      sites,
    }),

    begin(call: Call): Visits {
      const { account, admission, attempts, deadline } = call;
      const keeping: Promise<void>[] = [];
      const share = rooms.pages.enter(account.tenant);

      async function visit(asked: PageRequest, options: VisitOptions): Promise<Visited> {
        const { maxAgeMs, respectRobots, suffices, site } = options;
        const request = { ...asked, share, ...(respectRobots ? { follows: followsIfAllowed } : {}) };
        if (respectRobots) await robots.demand(request.url, deadline.signal);
        const cacheable = pageCache.allows(request);
        if (maxAgeMs > 0) {
          const cached = cacheable ? await pageCache.find(account.tenant, request, maxAgeMs) : null;
          if (cached !== null && (await isAccepted(cached.page, request, site)))
            return { page: cached.page, tier: 'cache', ageMs: cached.ageMs, attempts };
          await afford(call, admission.tiers[0] ?? 'http');
        }
        const within = site?.withinMs ?? null;
        const { tiers: all } = admission;
        const tiers = site === undefined ? all : all.filter((one) => site.tiers.includes(one));
        const now = rungs();
        demandTier(tiers, now, browser());
        const { page, tier } = await climb({
          tiers,
          rungs: now,
          breakers,
          memory: hosts.of(account.tenant, 'proxy_browser'),
          request,
          timeoutMs: within ?? deadline.timeoutMs,
          startedAt: within === null ? deadline.startedAt : MONOTONIC.now(),
          clock: MONOTONIC,
          random: Math.random,
          signal: deadline.signal,
          proxiesInPlan: account.plan.starter_surfaces,
          suffices,
          ...(site === undefined ? {} : { judgeOfSite: site.judge }),
          before: async (next) => afford(call, next),
          attempts,
        });
        if (cacheable && (site?.keeps(page) ?? true))
          keeping.push(pageCache.keep(account.tenant, request, page).catch(report));
        return { page, tier, ageMs: null, attempts };
      }

      return {
        visit,
        async kept() {
          await Promise.all(keeping);
          share.leave();
        },
      };
    },
  };
}

/** Whether a cached page is what its site's endpoint takes; any is, where it is not for one. */
async function isAccepted(page: Page, { url }: PageRequest, site: SiteVisit | undefined): Promise<boolean> {
  if (site === undefined) return true;
  const { outcome } = await site.judge(page, judge(page, { requested: url, rendered: false }));
  return outcome === 'ok' || outcome === 'not_found';
}
