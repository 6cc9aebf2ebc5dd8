import type { Guard } from '#access/guard/guard.ts';
import { buildHostMemory } from '#access/tiers/host-memory.ts';
import { DESKTOP, withName } from '#access/http/browser-headers.ts';
import { ROBOTS_AGENT } from '#engine/politeness/robots.ts';
import type { Upstreams } from '#access/proxy/upstreams.ts';
import { buildHostLeaseRows } from '#engine/politeness/host-lease-rows.ts';
import { HostLeases } from '#engine/politeness/host-leases.ts';
import { HostPaces } from '#engine/politeness/host-paces.ts';
import { LoadPace, openUtilization } from '#engine/politeness/load-pace.ts';
import type { ActiveTenants } from '#kernel/active-tenants.ts';
import { RobotsGate } from '#engine/politeness/robots-cache.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import type { Browsing } from './browsing.ts';
import { openTiers } from './tiers.ts';
import { VERSION } from './version.ts';

type Parts = {
  readonly db: Db;
  readonly clock: Clock;
  /** Names this process among those that share the pace of a host. */
  readonly processId: string;
  readonly guard: Guard;
  readonly upstreams: Upstreams;
  /** The time of visits: that of the machine, or the one that several processes share. */
  readonly time: Clock;
  readonly browsing: Pick<Browsing, 'visits' | 'lack'>;
  /** Receives the errors of host leases that could not be renewed; crawls wait and try again. */
  readonly report: (error: unknown) => void;
  /** The whole User-Agent; null for that of a browser, followed by Quern's name. */
  readonly userAgent: string | null;
  readonly active: ActiveTenants;
};

/** The access of crawls to pages: tiers that identify themselves, robots.txt, and the pace of each host. */
export function openCrawlReach(parts: Parts) {
  const { db, clock, processId, guard, upstreams, time, browsing, userAgent, active, report } = parts;
  const profile = withName(DESKTOP, { userAgent, mark: `${ROBOTS_AGENT}/${VERSION}` });
  const name = profile.find(([field]) => field === 'User-Agent')?.[1] ?? null;
  const tiers = openTiers({ guard, profile, upstreams, browsing, clock, userAgent: name, impersonation: null });
  const robots = new RobotsGate({
    visit: async (url, signal) => tiers.http.visit({ url, headers: {}, cookies: [] }, signal),
    clock,
  });
  // An embedded store has one process, so there is no pace to share.
  const leases =
    db.kind === 'sqlite' ? null : new HostLeases({ rows: buildHostLeaseRows({ db, processId }), clock: time, report });
  return {
    reach: {
      tierVisits: () => tiers.tierVisits(),
      hosts: buildHostMemory({ clock: time }),
      robots,
      random: Math.random,
      paces: new HostPaces({
        clock: time,
        leases,
        load: new LoadPace({ active, clock: time, readUtilization: openUtilization() }),
      }),
    },
    async close(): Promise<void> {
      await leases?.close();
      await tiers.close();
    },
  };
}
