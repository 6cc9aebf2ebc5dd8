import type { PageEnd } from '#features/crawl/crawl-page.ts';
import { buildNearDuplicates } from '#extract/urls/near-duplicates.ts';
import type { Simhash } from '#extract/urls/simhash.ts';

export type NearDuplicateMarker = ReturnType<typeof buildNearDuplicateMarker>;

/**
 * Builds the marker of near-duplicates; it knows the pages that this process stored, and those that were added. `urlOf`
 * returns the URL of a page by its number.
 */
export function buildNearDuplicateMarker(urlOf: (seq: number) => Promise<string | null>) {
  const index = buildNearDuplicates();

  return {
    add(simhash: Simhash, seq: number): void {
      index.add(simhash, seq);
    },

    /** Marks each page that is a near-duplicate of an earlier one, stored or in the same batch. */
    async mark(ends: readonly PageEnd[]): Promise<readonly PageEnd[]> {
      const earlier = buildNearDuplicates();
      const marked: PageEnd[] = [];
      for (const end of ends) {
        const { claim, fate } = end;
        if (fate.kind !== 'stored' || fate.simhash === null || fate.element === null) {
          marked.push(end);
          continue;
        }
        const inBatch = earlier.find(fate.simhash);
        const seq = inBatch ?? index.find(fate.simhash);
        const url = inBatch === null ? (seq === null ? null : await urlOf(seq)) : urlIn(ends, inBatch);
        earlier.add(fate.simhash, claim.seq);
        const { element } = fate;
        const tail = { ...element.tail, near_duplicate_of: url };
        marked.push(url === null ? end : { ...end, fate: { ...fate, element: { ...element, tail } } });
      }
      return marked;
    },

    remember(ends: readonly PageEnd[]): void {
      for (const { claim, fate } of ends) {
        if (fate.kind === 'stored' && fate.simhash !== null) index.add(fate.simhash, claim.seq);
      }
    },
  };
}

/** The hash as 16 hexadecimal digits, for a row. */
export function toHashText({ high, low }: Simhash): string {
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

export function fromHashText(text: string): Simhash {
  return { high: Number.parseInt(text.slice(0, 8), 16), low: Number.parseInt(text.slice(8), 16) };
}

function urlIn(ends: readonly PageEnd[], seq: number): string | null {
  return ends.find(({ claim }) => claim.seq === seq)?.claim.url ?? null;
}
