import type { Guard } from '#access/guard/guard.ts';
import { openHttp } from '#access/http/http.ts';
import type { TierVisits } from '#access/tiers/ladder.ts';
import type { Impersonation } from '#access/http/impersonation.ts';
import { LIMITS, PROXY_LIMITS } from '#access/limits.ts';
import type { TierVisit } from '#access/page.ts';
import { DEFAULT_RENDER_OPTIONS } from '#access/browser/render-options.ts';
import { nameOn, type Profile } from '#access/http/browser-headers.ts';
import { openProxied } from '#access/tiers/proxy-tier.ts';
import { withScripts } from '#access/tiers/rendering.ts';
import type { Upstream } from '#access/proxy/upstream.ts';
import type { Upstreams } from '#access/proxy/upstreams.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Browsing } from './browsing.ts';

export type TierParts = {
  readonly guard: Guard;
  readonly profile: Profile;
  readonly upstreams: Upstreams;
  /** Shared by all kinds of visitors. */
  readonly browsing: Pick<Browsing, 'visits'>;
  readonly clock: Clock;
  /** The User-Agent of browsers for this visitor; null for their own. */
  readonly userAgent: string | null;
  /** Requests with the fingerprint of a browser; null for visitors that identify themselves. */
  readonly impersonation: Impersonation | null;
};

/** Opens the tiers for one kind of visitor. */
export function openTiers({
  guard,
  profile,
  upstreams: { datacenter },
  browsing,
  clock,
  userAgent,
  impersonation,
}: TierParts) {
  const common = { guard, profile, clock, authorities: [] };
  const http = openHttp({ ...common, limits: LIMITS, impersonation });
  const proxied = openHttp({ ...common, limits: PROXY_LIMITS });

  /** By HTTP where that is enough, else by a browser through the same exit. */
  function through(upstream: Upstream): TierVisit {
    const byHttp = proxied.through(upstream);
    const visits = browsing.visits();
    return visits === null ? byHttp : withScripts(byHttp, named(visits.through(upstream), userAgent));
  }

  const direct: TierVisits = {
    http: http.tier,
    ...(datacenter === null ? {} : { proxy: openProxied({ through }, datacenter) }),
  };
  return {
    http,
    /** As they are now. */
    tierVisits(): TierVisits {
      const visits = browsing.visits();
      if (visits === null) return direct;
      const { residential } = visits;
      return {
        ...direct,
        browser: named(visits.direct, userAgent),
        ...(residential === null ? {} : { proxy_browser: named(residential, userAgent) }),
      };
    },
    async close(): Promise<void> {
      await http.close();
      await proxied.close();
    },
  };
}

/** Visits with another User-Agent. */
function named(visit: TierVisit, userAgent: string | null): TierVisit {
  if (userAgent === null) return visit;
  return async (request, signal) => {
    const wishes = request.browser ?? DEFAULT_RENDER_OPTIONS;
    const browser = { ...wishes, userAgent: nameOn(wishes.device, userAgent) };
    return visit({ ...request, browser }, signal);
  };
}
