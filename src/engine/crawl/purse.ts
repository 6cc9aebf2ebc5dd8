import type { Shortage } from '#engine/billing.ts';
import type { Frontier } from './frontier.ts';

/** What is set aside for things that are counted as they are found. */
export type Purse = {
  /** Sets credits aside for so many in all, as far as they can be had; says why not for all of them. */
  readonly holdFor: (count: number) => Promise<Shortage | null>;
  /** For how many credits are set aside. */
  readonly count: () => number;
};

/** Builds a purse that holds `each` credits for one; what it holds is the call's to settle or to release. */
export function buildPurse({
  frontier,
  each,
}: {
  readonly frontier: Pick<Frontier, 'hold'>;
  readonly each: number;
}): Purse {
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
