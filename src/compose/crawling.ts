import type { Guard } from '#access/guard.ts';
import { buildHostMemory } from '#access/host-memory.ts';
import { DESKTOP, withName } from '#access/profile.ts';
import { ROBOTS_AGENT } from '#access/robots.ts';
import type { Upstreams } from '#access/upstreams.ts';
import { buildCrawling } from '#engine/crawl/crawling.ts';
import type { WalkingParts } from '#engine/crawl/walking.ts';
import { buildHostLeaseRows } from '#engine/crawl/host-lease-rows.ts';
import { buildHostLeases } from '#engine/crawl/host-leases.ts';
import { buildPaces } from '#engine/crawl/paces.ts';
import { buildRobotsGate } from '#engine/crawl/robots-gate.ts';
import type { Clock } from '#kernel/clock.ts';
import { stateOf } from './browsing.ts';
import type { Browsing } from './browsing.ts';
import { openTiers } from './tiers.ts';
import { VERSION } from './version.ts';

type Parts = Pick<
  WalkingParts,
  'db' | 'inTurn' | 'billing' | 'results' | 'rooms' | 'clock' | 'holder' | 'read' | 'breakers'
> & {
  readonly guard: Guard;
  readonly upstreams: Upstreams;
  /** Of visits: that of the machine, or where several processes visit the one that they share. */
  readonly time: Clock;
  readonly browsing: Pick<Browsing, 'visits' | 'lack'>;
  /** Told of leases of hosts that could not be kept; crawls wait and ask again. */
  readonly report: (error: unknown) => void;
  /** The whole User-Agent, null for that of a browser with our name after it. */
  readonly userAgent: string | null;
};

/** What walks through sites, with tiers of its own that say who it is. */
export function openCrawling({ guard, upstreams, time, browsing, userAgent, report, ...parts }: Parts) {
  const profile = withName(DESKTOP, { userAgent, mark: `${ROBOTS_AGENT}/${VERSION}` });
  const name = profile.find(([field]) => field === 'User-Agent')?.[1] ?? null;
  const tiers = openTiers({ guard, profile, upstreams, browsing, userAgent: name, likeness: null });
  const robots = buildRobotsGate({
    visit: async (url, signal) => tiers.http.visit({ url, headers: {}, cookies: [] }, signal),
    clock: parts.clock,
  });
  const { db, holder } = parts;
  // One process has the embedded store, and its own pace is the only one.
  const leases =
    db.kind === 'sqlite' ? null : buildHostLeases({ rows: buildHostLeaseRows({ db, holder }), clock: time, report });
  const crawling = buildCrawling({
    ...parts,
    random: Math.random,
    paces: buildPaces({ clock: time, leases }),
    rungs: () => tiers.rungs(),
    browser: () => stateOf(browsing),
    hosts: buildHostMemory({ clock: time }),
    robots,
    readTarget: guard.readTarget,
  });
  return {
    crawling,
    robots,
    async close(): Promise<void> {
      await leases?.close();
      await tiers.close();
    },
  };
}
