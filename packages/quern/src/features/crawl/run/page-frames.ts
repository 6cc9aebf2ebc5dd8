import type { Page, PageRequest } from '#access/page.ts';
import type { PageClaim } from '#features/crawl/crawl-page.ts';
import type { HostPace } from '#engine/politeness/host-pace.ts';
import { type FrameConditions, chooseFrameTiers, buildFrameRequest } from '#engine/reading/frames.ts';
import type { PageVisit, VisitCall, Visited } from '#engine/visits/visit.ts';
import type { SitePage, SitePageRequest } from '#extract/urls/site-page.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { ForbiddenByRobots } from './page-fates.ts';

type FrameVisit = VisitCall & {
  readonly claim: PageClaim;
  readonly isStart: boolean;
  readonly redirect: { readonly blockedAs: object | null };
  /** Time used on parser threads, ms. */
  readonly reading: { ms: number };
};

type FrameVisitParts<V extends FrameVisit> = {
  readonly paceOf: (host: string) => Pick<HostPace, 'waitForRetry'>;
  readonly clock: Clock;
  readonly readTarget: (url: URL) => URL;
  readonly fetchPage: PageVisit<V>;
  /** Reads a page. `onCost` is called with the time used on a parser thread, ms. */
  readonly read: (request: SitePageRequest, signal: AbortSignal, onCost: (ms: number) => void) => Promise<SitePage>;
};

type FramedPage<V> = { readonly visit: V; readonly asked: PageRequest; readonly visited: Visited };

/** Frames are requested at the pace of their hosts, with no more expensive tier than their page. */
export function buildFrameParts<V extends FrameVisit>(
  parts: FrameVisitParts<V>,
  { visit, asked: requested, visited }: FramedPage<V>,
) {
  const { paceOf, clock, fetchPage } = parts;
  const tiers = chooseFrameTiers(visit.tiers, visited.tier);
  return {
    async load(address: string, { withinMs, signal }: FrameConditions): Promise<Page> {
      const url = parts.readTarget(new URL(address));
      await paceOf(url.host).waitForRetry(signal);
      const own = {
        ...visit,
        claim: { ...visit.claim, host: url.host },
        isStart: true,
        redirect: { blockedAs: null },
        tiers,
        timeoutMs: withinMs,
        startedAt: clock.monotonic(),
        signal,
        attempts: [],
      };
      const sent = url.origin === requested.url.origin ? {} : { headers: {}, cookies: [] };
      const { page } = await fetchPage({ ...requested, ...buildFrameRequest(requested, url), ...sent }, own).catch(
        rethrowForbidden,
      );
      if (own.redirect.blockedAs !== null) throw buildForbiddenError();
      return page;
    },
    read: async (request: SitePageRequest) => parts.read(request, visit.signal, (ms) => void (visit.reading.ms += ms)),
    leftMs: visit.startedAt + visit.timeoutMs - clock.monotonic(),
    signal: visit.signal,
    clock,
  };
}

function rethrowForbidden(error: unknown): never {
  throw error instanceof ForbiddenByRobots ? buildForbiddenError() : error;
}

function buildForbiddenError(): ServiceError {
  return new ServiceError('target_blocked', 'robots.txt forbids it');
}
