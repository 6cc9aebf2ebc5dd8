import type { Clock } from '#kernel/clock.ts';
import { createFairQueue, type FairQueue } from '#kernel/fair-queue.ts';

/** The slots for concurrent pages, shared fairly by tenants. */
export type PageSlots = FairQueue & {
  /** Records that a page of a tenant crashed its tab. */
  readonly noteCrash: (tenant: string) => void;
};

export type PageSlotsOptions = { readonly places: number; readonly clock: Pick<Clock, 'monotonic'> };

/** One extra page, for a tenant without any while another one uses all slots. */
const SPARE_SLOTS = 1;
/**
 * A tenant with this many crashes within the window may open one page at a time, because each crash costs memory and a
 * browser.
 */
const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 60_000;
/** Tenants whose crashes are remembered; the one that crashed first is forgotten. */
const MAX_TENANTS = 1_000;

/** Creates the slots. */
export function createPageSlots({ places, clock }: PageSlotsOptions): PageSlots {
  /** Times of the last crashes of each tenant, newest last. */
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

  return { ...createFairQueue({ places, spare: SPARE_SLOTS, placeLimit, clock }), noteCrash };
}
