import type { Guard } from '#access/guard.ts';
import { openHttp } from '#access/http.ts';
import type { Rungs } from '#access/ladder.ts';
import type { Likeness } from '#access/likeness.ts';
import { LIMITS, PROXY_LIMITS } from '#access/limits.ts';
import type { Visit } from '#access/page.ts';
import { NO_WISHES } from '#access/wishes.ts';
import { nameOn } from '#access/profile.ts';
import type { Profile } from '#access/profile.ts';
import { openProxied } from '#access/proxied.ts';
import { withScripts } from '#access/rendering.ts';
import type { Upstream } from '#access/upstream.ts';
import type { Upstreams } from '#access/upstreams.ts';
import type { Browsing } from './browsing.ts';

export type TierParts = {
  readonly guard: Guard;
  readonly profile: Profile;
  readonly upstreams: Upstreams;
  /** Shared by all kinds of visitors. */
  readonly browsing: Pick<Browsing, 'visits'>;
  /** What a browser calls itself for this visitor; null for what it is. */
  readonly userAgent: string | null;
  /** Exchanges that look like a browser's; null for visitors that say who they are. */
  readonly likeness: Likeness | null;
};

/** Opens the tiers for one kind of visitor. */
export function openTiers({ guard, profile, upstreams: { datacenter }, browsing, userAgent, likeness }: TierParts) {
  const common = { guard, profile, authorities: [] };
  const http = openHttp({ ...common, limits: LIMITS, likeness });
  const proxied = openHttp({ ...common, limits: PROXY_LIMITS });

  /** By HTTP where that is enough, else by a browser through the same exit. */
  function through(upstream: Upstream): Visit {
    const byHttp = proxied.through(upstream);
    const visits = browsing.visits();
    return visits === null ? byHttp : withScripts(byHttp, named(visits.through(upstream), userAgent));
  }

  const direct: Rungs = {
    http: http.visit,
    ...(datacenter === null ? {} : { proxy: openProxied({ through }, datacenter) }),
  };
  return {
    http,
    /** As they are now. */
    rungs(): Rungs {
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

/** Visits under another name. */
function named(visit: Visit, userAgent: string | null): Visit {
  if (userAgent === null) return visit;
  return async (request, signal) => {
    const wishes = request.browser ?? NO_WISHES;
    const browser = { ...wishes, userAgent: nameOn(wishes.device, userAgent) };
    return visit({ ...request, browser }, signal);
  };
}
