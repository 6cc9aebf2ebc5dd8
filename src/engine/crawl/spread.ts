import { toAddress } from '#extract/site/address.ts';
import { buildShapeCounts } from '#extract/site/traps.ts';
import type { Found } from './frontier.ts';

/**
 * Leaves out links beyond what addresses of one shape may spread over; give it each address once. What a file of the site
 * names is not bounded so, because nothing makes it up on the way.
 */
export function buildSpread(): <T extends Found>(found: readonly T[]) => readonly T[] {
  const shapes = buildShapeCounts();
  return (found) =>
    found.map((one) => {
      const address = one.skip === null && one.source === 'links' ? toAddress(one.url) : null;
      return address === null || shapes.admits(address) ? one : { ...one, skip: 'limit' };
    });
}
