import type { Guard } from '#access/guard.ts';
import { openHttp } from '#access/http.ts';
import { LIMITS } from '#access/limits.ts';
import { DESKTOP, withName } from '#access/profile.ts';
import { ROBOTS_AGENT } from '#access/robots.ts';
import { buildCrawling } from '#engine/crawl/crawling.ts';
import type { WalkingParts } from '#engine/crawl/walking.ts';
import { buildHostLeaseRows } from '#engine/crawl/host-lease-rows.ts';
import { buildHostLeases } from '#engine/crawl/host-leases.ts';
import { buildPaces } from '#engine/crawl/paces.ts';
import { buildRobotsGate } from '#engine/crawl/robots-gate.ts';
import { systemClock } from '#kernel/clock-file.ts';
import { VERSION } from './version.ts';

type Parts = Pick<WalkingParts, 'db' | 'inTurn' | 'billing' | 'results' | 'clock' | 'holder' | 'read'> & {
  readonly guard: Guard;
  /** Told of leases of hosts that could not be kept; crawls wait and ask again. */
  readonly report: (error: unknown) => void;
  /** The whole User-Agent, null for that of a browser with our name after it. */
  readonly userAgent: string | null;
};

/** What walks through sites, with an HTTP client of its own that says who it is. */
export function openCrawling({ guard, userAgent, report, ...parts }: Parts) {
  const profile = withName(DESKTOP, { userAgent, mark: `${ROBOTS_AGENT}/${VERSION}` });
  const http = openHttp({ guard, limits: LIMITS, profile, authorities: [] });
  const robots = buildRobotsGate({
    visit: async (url, signal) => http.visit({ url, headers: {}, cookies: [] }, signal),
    clock: parts.clock,
  });
  const { db, holder } = parts;
  // One process has the embedded store, and its own pace is the only one.
  const leases =
    db.kind === 'sqlite'
      ? null
      : buildHostLeases({ rows: buildHostLeaseRows({ db, holder }), clock: systemClock, report });
  const crawling = buildCrawling({
    ...parts,
    random: Math.random,
    paces: buildPaces({ clock: systemClock, leases }),
    rungs: { http: http.visit },
    robots,
    readTarget: guard.readTarget,
  });
  return {
    crawling,
    robots,
    async close(): Promise<void> {
      await leases?.close();
      await http.close();
    },
  };
}
