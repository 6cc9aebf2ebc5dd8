import { DEFAULT_RENDER_OPTIONS, type TierVisit } from '#access/page.ts';
import type { Guard } from '#access/guard/guard.ts';
import {
  DESKTOP_PROFILE,
  toDeviceUserAgent,
  type HeaderProfile,
  identifyProfile,
} from '#access/http/browser-headers.ts';
import { createHttp } from '#access/http/http.ts';
import type { Impersonation } from '#access/http/impersonation.ts';
import { DEFAULT_LIMITS, PROXY_LIMITS } from '#access/limits.ts';
import type { Upstream } from '#access/proxy/tunnel.ts';
import type { Upstreams } from '#access/proxy/proxy-pool.ts';
import { createHostMemory } from '#access/tiers/host-memory.ts';
import type { TierVisits } from '#access/tiers/ladder.ts';
import { createProxyTier } from '#access/tiers/proxy-tier.ts';
import { addBrowserRendering } from '#access/tiers/rendering.ts';
import { buildHostLeaseRows, HostLeases } from '#engine/politeness/host-leases.ts';
import { HostPaces } from '#engine/politeness/host-pace.ts';
import { LoadPace, createUtilizationReader } from '#engine/politeness/load-pace.ts';
import { RobotsCache } from '#engine/politeness/robots-cache.ts';
import { ROBOTS_AGENT } from '#engine/politeness/robots.ts';
import type { ActiveTenants } from '#kernel/active-tenants.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import type { BrowserAccess } from './browsers.ts';
import { VERSION } from './version.ts';

type CrawlAccessParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** Names this process among those that share the pace of a host. */
  readonly processId: string;
  readonly guard: Guard;
  readonly upstreams: Upstreams;
  /** The clock of visits: that of the machine, or of the server that several processes share. */
  readonly wallClock: Clock;
  readonly browsing: Pick<BrowserAccess, 'visits' | 'lack'>;
  /** Receives the errors of host leases that could not be renewed; crawls wait and try again. */
  readonly report: (error: unknown) => void;
  /** The whole User-Agent; null for that of a browser, followed by Quern's name. */
  readonly userAgent: string | null;
  readonly active: ActiveTenants;
};

/** The access of crawls to pages: tiers that identify themselves, robots.txt, and the pace of each host. */
export function openCrawlAccess(parts: CrawlAccessParts) {
  const { db, clock, processId, guard, upstreams, wallClock, browsing, userAgent, active, report } = parts;
  const profile = identifyProfile(DESKTOP_PROFILE, { userAgent, mark: `${ROBOTS_AGENT}/${VERSION}` });
  const name = profile.find(([field]) => field === 'User-Agent')?.[1] ?? null;
  const tiers = openTiers({ guard, profile, upstreams, browsing, clock, userAgent: name, impersonation: null });
  const robots = new RobotsCache({
    visit: async (url, signal, insecureTls) => tiers.http.visit({ url, headers: {}, cookies: [], insecureTls }, signal),
    clock,
  });
  // An embedded store has one process, so there is no pace to share.
  const leases =
    db.kind === 'sqlite'
      ? null
      : new HostLeases({ rows: buildHostLeaseRows({ db, processId }), clock: wallClock, report });
  return {
    reach: {
      tierVisits: () => tiers.tierVisits(),
      hosts: createHostMemory({ clock: wallClock }),
      robots,
      random: Math.random,
      paces: new HostPaces({
        clock: wallClock,
        leases,
        load: new LoadPace({ active, clock: wallClock, readUtilization: createUtilizationReader() }),
      }),
    },
    async close(): Promise<void> {
      await leases?.close();
      await tiers.close();
    },
  };
}

export type TierParts = {
  readonly guard: Guard;
  readonly profile: HeaderProfile;
  readonly upstreams: Upstreams;
  /** Shared by all kinds of visitors. */
  readonly browsing: Pick<BrowserAccess, 'visits'>;
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
  const http = createHttp({ guard, profile, clock, authorities: [], limits: DEFAULT_LIMITS, impersonation });
  const proxied = createHttp({ guard, profile, clock, authorities: [], limits: PROXY_LIMITS });

  /** By HTTP if that is enough, otherwise by a browser through the same exit. */
  function through(upstream: Upstream): TierVisit {
    const byHttp = proxied.visitThrough(upstream);
    const visits = browsing.visits();
    return visits === null ? byHttp : addBrowserRendering(byHttp, withUserAgent(visits.through(upstream), userAgent));
  }

  const direct: TierVisits = {
    http: http.tier,
    ...(datacenter === null ? {} : { proxy: createProxyTier({ visitThrough: through }, datacenter) }),
  };
  return {
    http,
    /** The tiers that are available now. */
    tierVisits(): TierVisits {
      const visits = browsing.visits();
      if (visits === null) return direct;
      const { residential } = visits;
      return {
        ...direct,
        browser: withUserAgent(visits.direct, userAgent),
        ...(residential === null ? {} : { proxy_browser: withUserAgent(residential, userAgent) }),
      };
    },
    async close(): Promise<void> {
      await http.close();
      await proxied.close();
    },
  };
}

/** Visits with another User-Agent. */
function withUserAgent(visit: TierVisit, userAgent: string | null): TierVisit {
  if (userAgent === null) return visit;
  return async (request, signal) => {
    const wishes = request.browser ?? DEFAULT_RENDER_OPTIONS;
    const browser = { ...wishes, userAgent: toDeviceUserAgent(wishes.device, userAgent) };
    return visit({ ...request, browser }, signal);
  };
}
