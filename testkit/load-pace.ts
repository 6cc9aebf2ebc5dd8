import { LoadPace } from '#engine/politeness/load-pace.ts';
import { ActiveTenants } from '#kernel/active-tenants.ts';
import type { Clock } from '#kernel/clock.ts';

/** The pace of crawls on a machine that has nothing else to do. */
export function openIdleLoad(clock: Clock): LoadPace {
  return new LoadPace({ active: new ActiveTenants(clock), clock, readUtilization: () => 0 });
}
