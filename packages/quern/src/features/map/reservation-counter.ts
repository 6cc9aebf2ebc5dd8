import type { Shortage } from '#engine/credits/tenant-credits.ts';
import type { Frontier } from '#features/crawl/frontier/frontier.ts';

/** Credits reserved for items that are counted as they are found. */
export type ReservationCounter = {
  /** Reserves credits for `count` items in total, as far as they can be had; returns the shortage, null for none. */
  readonly holdFor: (count: number) => Promise<Shortage | null>;
  /** Number of items with reserved credits. */
  readonly count: () => number;
};

/** Builds a counter that reserves `each` credits an item; the call settles or releases them. */
export function buildReservationCounter({
  frontier,
  each,
}: {
  readonly frontier: Pick<Frontier, 'hold'>;
  readonly each: number;
}): ReservationCounter {
  let count = 0;

  return {
    async holdFor(wanted) {
      while (count < wanted) {
        const { times, refused } = await frontier.hold(each, wanted - count);
        count += times;
        if (refused !== null) return refused;
      }
      return null;
    },
    count: () => count,
  };
}
