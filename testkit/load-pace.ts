import { LoadPace } from '#engine/politeness/load-pace.ts';
import { ActiveTenants } from '#kernel/active-tenants.ts';
import type { Clock } from '#kernel/clock.ts';

/** Builds the crawl pace of an idle machine. */
export function buildIdleLoadPace(clock: Clock): LoadPace {
  return new LoadPace({ active: new ActiveTenants(clock), clock, readUtilization: () => 0 });
}
