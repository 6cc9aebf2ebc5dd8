import { toAddress } from '#extract/site/address.ts';
import { buildPatternCounts } from '#extract/site/patterns.ts';
import { buildShapeCounts } from '#extract/site/traps.ts';
import type { Found } from './frontier.ts';

/** An address, and the pattern that has no room for it where that is why it is left out. */
export type Spread<T> = T & { readonly beyond?: string };

/**
 * Leaves out links beyond what addresses of one shape may spread over, and beyond `mostPerPattern` of one pattern of paths;
 * give it each address once. What a file of the site names is not bounded so, because nothing makes it up on the way.
 */
export function buildSpread(mostPerPattern: number): <T extends Found>(found: readonly T[]) => readonly Spread<T>[] {
  const shapes = buildShapeCounts();
  const patterns = buildPatternCounts(mostPerPattern);
  return (found) =>
    found.map((one) => {
      const address = one.skip === null && one.source === 'links' ? toAddress(one.url) : null;
      if (address === null) return one;
      if (!shapes.admits(address)) return { ...one, skip: 'limit' };
      const beyond = patterns.overflow(address);
      return beyond === null ? one : { ...one, skip: 'limit', beyond };
    });
}
