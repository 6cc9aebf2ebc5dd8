import type { Clock } from '#kernel/clock.ts';
import { openTurns, type Turns } from '#kernel/turns.ts';

/** The places of concurrent pages, by turns of tenants. */
export type PageSlots = Turns & {
  /** A page of a tenant has crashed its tab. */
  readonly noteCrash: (tenant: string) => void;
};

export type PageSlotsOptions = { readonly places: number; readonly clock: Pick<Clock, 'monotonic'> };

/** A page more, for a tenant without any while another has all. */
const SPARE_SLOTS = 1;
/** A tenant with so many crashed tabs in this time, ms, opens one page at a time: each takes memory and a browser of its own. */
const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 60_000;
/** Tenants whose crashes are remembered; the one that crashed first is forgotten. */
const MAX_TENANTS = 1_000;

/** Opens so many places. */
export function openBrowserPlaces({ places, clock }: PageSlotsOptions): PageSlots {
  /** The instants of the last crashes of each tenant, the newest last. */
  const crashes = new Map<string, readonly number[]>();

  function placeLimit(tenant: string): number {
    const [first, ...rest] = crashes.get(tenant) ?? [];
    const isFrequent = first !== undefined && rest.length === MAX_CRASHES - 1;
    return isFrequent && clock.monotonic() - first < CRASH_WINDOW_MS ? 1 : places;
  }

  function noteCrash(tenant: string): void {
    const known = crashes.get(tenant) ?? [];
    crashes.delete(tenant);
    crashes.set(tenant, [...known, clock.monotonic()].slice(-MAX_CRASHES));
    const [oldest] = crashes.keys();
    if (crashes.size > MAX_TENANTS && oldest !== undefined) crashes.delete(oldest);
  }

  return { ...openTurns({ places, spare: SPARE_SLOTS, placeLimit, clock }), noteCrash };
}
