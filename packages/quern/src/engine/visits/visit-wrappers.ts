import { classify } from '#access/classify/classifier.ts';
import type { ExchangeRecorder } from '#access/exchange-recorder.ts';
import type { Page, PageRequest, Tier, TierVisit } from '#access/page.ts';
import { isRendered } from '#access/tiers/attempt.ts';
import type { Activity } from '#engine/jobs/slots.ts';
import type { HostPace, HostVisit } from '#engine/politeness/host-pace.ts';
import { isRefusal } from '#engine/politeness/pace-state.ts';
import type { SessionHandle } from '#engine/sessions/saved-sessions.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import type { CachedPage, PageCache } from './page-cache.ts';
import type { FetchOptions, SiteVisit, VisitCall, Visited, VisitWrapper } from './visit.ts';

export type CacheCall = VisitCall & Pick<FetchOptions, 'maxAgeMs' | 'site'>;

export type CacheParts = {
  readonly pageCache: Pick<PageCache, 'isCacheable' | 'find' | 'store'>;
  readonly tenant: string;
  readonly observe: ObserveEvent;
  /** Receives the promise of a cache write, which the visit does not wait for. */
  readonly onWrite: (writing: Promise<void>) => void;
};

/** Serves a page from the tenant's cache if it is recent enough, otherwise caches the fetched page. */
export function withCache<C extends CacheCall>({ pageCache, tenant, observe, onWrite }: CacheParts): VisitWrapper<C> {
  return (next) => async (request, call) => {
    if (!pageCache.isCacheable(request)) return next(request, call);
    const { maxAgeMs, site, attempts } = call;
    const cached = maxAgeMs > 0 ? await pageCache.find(tenant, request, maxAgeMs) : null;
    const accepted = cached === null ? null : await acceptCached(cached, request, site);
    if (maxAgeMs > 0) observe({ type: 'cache', result: accepted === null ? 'miss' : 'hit' });
    if (accepted !== null) return { ...accepted, tier: 'cache', attempts };
    const visited = await next(request, call);
    if (site?.isCacheable(visited.verdict) ?? true) onWrite(pageCache.store(tenant, request, visited.page));
    return visited;
  };
}

/** Returns a cached page with the verdict of its site endpoint; null if the endpoint rejects it. */
async function acceptCached(
  { page, ageMs }: CachedPage,
  { url }: PageRequest,
  site: SiteVisit | undefined,
): Promise<Pick<Visited, 'page' | 'ageMs' | 'verdict'> | null> {
  if (site === undefined) return { page, ageMs };
  const { outcome, verdict } = await site.classify(page, classify(page, { requested: url, rendered: false }));
  return outcome === 'ok' || outcome === 'not_found' ? { page, ageMs, verdict } : null;
}

/** Counts the attempts of visits as activity of their job. */
export function withActivity<C extends VisitCall>({ trackVisit }: Pick<Activity, 'trackVisit'>): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const { wrapAttempt: outer } = call;
    const aroundAttempt = (attempt: TierVisit): TierVisit => {
      const counted: TierVisit = async (...args) => trackVisit(attempt(...args));
      return outer?.(counted) ?? counted;
    };
    return next(request, { ...call, wrapAttempt: aroundAttempt });
  };
}

export type CopyParts = {
  readonly pageCache: Pick<PageCache, 'isCacheable' | 'store'>;
  readonly tenant: string;
  /** Receives the error of a page that could not be stored. The visit continues. */
  readonly report: (error: unknown) => void;
};

/** Caches a copy of each fetched page before its bytes are freed. */
export function withCopies<C extends VisitCall>({ pageCache, tenant, report }: CopyParts): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const visited = await next(request, call);
    if (pageCache.isCacheable(request)) await pageCache.store(tenant, request, visited.page).catch(report);
    return visited;
  };
}

type VisitCredits<C> = {
  /** Reserves the price of the cheapest tier, if it is not reserved yet. An error ends the visit. */
  readonly begin?: (call: C) => Promise<void>;
  /** Reserves the price of a more expensive tier. An error ends the visit, or serves the best page so far. */
  readonly raise: (tier: Tier, call: C) => Promise<void>;
};

/** Reserves the credits of each tier before it starts. */
export function withCredits<C extends VisitCall>({ begin, raise }: VisitCredits<C>): VisitWrapper<C> {
  return (next) => async (request, call) => {
    await begin?.(call);
    return next(request, { ...call, beforeTier: async (tier) => raise(tier, call) });
  };
}

/** A visit that was delayed longer than this waits for another turn. */
const MAX_LATE_MS = 25;

type VisitPace = {
  readonly pace: Pick<HostPace, 'waitForRetry' | 'recordRefusal'>;
  readonly place: Pick<HostVisit, 'releasePlace' | 'takePlace'> | null;
};

type PaceParts<C> = {
  /** Returns the pace of the host of a visit, and the slot that its caller holds; null for none. */
  readonly paceOf: (call: C) => VisitPace;
  readonly clock: Clock;
};

/**
 * Applies the pace of the host to a visit. A delayed visit waits for another turn, retries wait like new visits, and a
 * refusal slows the host down at once. The slot at the host is released with the response. The time of the visit
 * starts with its turn.
 */
export function withPace<C extends VisitCall>({ paceOf, clock }: PaceParts<C>): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const { pace, place } = paceOf(call);
    // Visits that waited for the same robots.txt must not start together.
    if (clock.monotonic() - call.startedAt > MAX_LATE_MS) await pace.waitForRetry(call.signal);
    const aroundAttempt = paceAttempts({ pace, place }, clock, call.wrapAttempt);
    return next(request, { ...call, startedAt: clock.monotonic(), wrapAttempt: aroundAttempt });
  };
}

/** Applies the pace to the attempts of one visit. */
function paceAttempts(
  { pace, place }: VisitPace,
  clock: Clock,
  outer: VisitCall['wrapAttempt'],
): NonNullable<VisitCall['wrapAttempt']> {
  let attempts = 0;
  return (attempt) => {
    const inTurn: TierVisit = async (request, signal) => {
      attempts += 1;
      if (attempts > 1) await pace.waitForRetry(signal);
      if (attempts > 1) place?.takePlace();
      const began = clock.monotonic();
      const arrived = await attempt(request, signal);
      place?.releasePlace();
      const { status, headers } = arrived.page;
      const latencyMs = Math.round(clock.monotonic() - began);
      if (isRefusal(status)) pace.recordRefusal({ status, latencyMs, retryAfter: headers['retry-after'] ?? null });
      return arrived;
    };
    return outer?.(inTurn) ?? inTurn;
  };
}

export type VisitRecording = {
  readonly recorder: ExchangeRecorder;
  /** Stores a page as rendered by a browser, whose requests are not recorded. */
  readonly storeRendered: (page: Page) => void;
};

/** Records the HTTP exchanges of a visit, and the page if it was rendered by a browser. */
export function withRecording<C extends VisitCall>(recordingOf: (call: C) => VisitRecording): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const { recorder, storeRendered } = recordingOf(call);
    const visited = await next({ ...request, recorder }, call);
    if (visited.tier !== 'cache' && isRendered(visited.page, visited.tier)) storeRendered(visited.page);
    return visited;
  };
}

export type RobotsPolicy = {
  /** Throws if a URL may not be visited. */
  readonly demand: (url: URL, signal: AbortSignal) => Promise<void>;
  /** Whether a redirect may be followed. An error ends the visit. */
  readonly follows: NonNullable<PageRequest['follows']>;
};

/** Checks robots.txt before a visit and each redirect. `policyOf` returns null if robots.txt is not obeyed. */
export function withRobots<C extends VisitCall>(
  policyOf: (call: C, request: PageRequest) => RobotsPolicy | null,
): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const policy = policyOf(call, request);
    if (policy === null) return next(request, call);
    await policy.demand(request.url, call.signal);
    const { follows } = request;
    return next(
      {
        ...request,
        follows: async (to, signal) => ((await follows?.(to, signal)) ?? true) && policy.follows(to, signal),
      },
      call,
    );
  };
}

/**
 * Visits with a session of the caller, and stores its changes even if the visit fails. `heldBy` returns null for no
 * session.
 */
export function withSession<C extends VisitCall>(heldBy: (call: C) => Promise<SessionHandle | null>): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const stored = await heldBy(call);
    if (stored === null) return next(request, call);
    await stored.refresh();
    try {
      return await next({ ...request, session: stored.web }, call);
    } finally {
      await stored.save();
    }
  };
}
