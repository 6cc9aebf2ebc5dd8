import type { Guard } from '#access/guard.ts';
import { openHttp } from '#access/http.ts';
import { LIMITS } from '#access/limits.ts';
import { DESKTOP, withName } from '#access/profile.ts';
import { ROBOTS_AGENT } from '#access/robots.ts';
import { buildCrawling } from '#engine/crawl/crawling.ts';
import type { WalkingParts } from '#engine/crawl/walking.ts';
import { buildPaces } from '#engine/crawl/paces.ts';
import { buildRobotsGate } from '#engine/crawl/robots-gate.ts';
import { systemClock } from '#kernel/clock-file.ts';
import { VERSION } from './version.ts';

type Parts = Pick<WalkingParts, 'db' | 'inTurn' | 'billing' | 'results' | 'clock' | 'holder' | 'read'> & {
  readonly guard: Guard;
  /** The whole User-Agent, null for that of a browser with our name after it. */
  readonly userAgent: string | null;
};

/** What walks through sites, with an HTTP client of its own that says who it is. */
export function openCrawling({ guard, userAgent, ...parts }: Parts) {
  const profile = withName(DESKTOP, { userAgent, mark: `${ROBOTS_AGENT}/${VERSION}` });
  const http = openHttp({ guard, limits: LIMITS, profile, authorities: [] });
  const robots = buildRobotsGate({
    visit: async (url, signal) => http.visit({ url, headers: {}, cookies: [] }, signal),
    clock: parts.clock,
  });
  const crawling = buildCrawling({
    ...parts,
    random: Math.random,
    paces: buildPaces({ clock: systemClock }),
    rungs: { http: http.visit },
    robots,
    readTarget: guard.readTarget,
  });
  return { crawling, robots, close: async () => http.close() };
}
