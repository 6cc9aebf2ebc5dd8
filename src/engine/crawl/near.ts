import { buildNearDuplicates } from '#extract/site/near-duplicates.ts';
import type { Simhash } from '#extract/site/simhash.ts';
import type { End } from './frontier.ts';

export type Near = ReturnType<typeof buildNear>;

/**
 * Finds stored pages that are nearly the same; it knows what this process has stored, and what it was told of. `urlOf`
 * tells the address of a page by its number.
 */
export function buildNear(urlOf: (seq: number) => Promise<string | null>) {
  const index = buildNearDuplicates();

  return {
    add(simhash: Simhash, seq: number): void {
      index.add(simhash, seq);
    },

    /** Flags each page that is nearly one stored before it, here or earlier in the batch. */
    async flag(ends: readonly End[]): Promise<readonly End[]> {
      const earlier = buildNearDuplicates();
      const flagged: End[] = [];
      for (const end of ends) {
        const { claim, fate } = end;
        if (fate.kind !== 'stored' || fate.simhash === null || fate.element === null) {
          flagged.push(end);
          continue;
        }
        const inBatch = earlier.find(fate.simhash);
        const seq = inBatch ?? index.find(fate.simhash);
        const url = inBatch === null ? (seq === null ? null : await urlOf(seq)) : urlIn(ends, inBatch);
        earlier.add(fate.simhash, claim.seq);
        const { element } = fate;
        const tail = { ...element.tail, near_duplicate_of: url };
        flagged.push(url === null ? end : { ...end, fate: { ...fate, element: { ...element, tail } } });
      }
      return flagged;
    },

    /** Remembers what was stored. */
    remember(ends: readonly End[]): void {
      for (const { claim, fate } of ends) {
        if (fate.kind === 'stored' && fate.simhash !== null) index.add(fate.simhash, claim.seq);
      }
    },
  };
}

/** As 16 hexadecimal digits, for a row. */
export function toText({ high, low }: Simhash): string {
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

export function fromText(text: string): Simhash {
  return { high: Number.parseInt(text.slice(0, 8), 16), low: Number.parseInt(text.slice(8), 16) };
}

function urlIn(ends: readonly End[], seq: number): string | null {
  return ends.find(({ claim }) => claim.seq === seq)?.claim.url ?? null;
}
