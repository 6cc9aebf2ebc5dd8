import { KEY_LENGTH } from '#extract/site/key-hash.ts';
import type { SkipReason } from '#extract/site/admission.ts';
import { buildFingerprints } from './fingerprints.ts';
import type { Found } from './frontier.ts';

/** Keys that are remembered; the store knows all of them, and this saves asking it. */
const MOST_KEYS = 500_000;

/** Keys that are known to be taken, the latest of them; what was only too deep is not taken for who comes by a shorter way. */
export type Known = ReturnType<typeof buildKnown>;

export function buildKnown() {
  const taken = buildLatest();
  const deep = buildLatest();

  return {
    has: (key: string): boolean => taken.has(key),
    add: (key: string): void => taken.add(key),
    /** Whether nothing is new about an address; its key stands in `keys` from `at` on. */
    hasFound(this: void, keys: string, at: number, skip: SkipReason | null): boolean {
      const end = at + KEY_LENGTH;
      return taken.has(keys, at, end) || (skip === 'depth' && deep.has(keys, at, end));
    },
    addFound({ key, skip }: Pick<Found, 'key' | 'skip'>): void {
      if (skip === 'depth') deep.add(key);
      else taken.add(key);
    },
  };
}

function buildLatest() {
  let recent = buildFingerprints();
  let older = buildFingerprints();

  return {
    has: (text: string, start = 0, end = text.length): boolean =>
      recent.has(text, start, end) || older.has(text, start, end),
    add(key: string): void {
      recent.add(key);
      if (recent.size() < MOST_KEYS / 2) return;
      older = recent;
      recent = buildFingerprints();
    },
  };
}

/** Each address that is not known, once, and not as too deep where one of several is not. */
export function onlyUnknown<T extends Found>(links: readonly T[], known: Known): readonly T[] {
  const fresh = new Map<string, T>();
  for (const link of links) {
    const earlier = fresh.get(link.key);
    if (
      earlier === undefined
        ? !known.hasFound(link.key, 0, link.skip)
        : earlier.skip === 'depth' && link.skip !== 'depth'
    ) {
      fresh.set(link.key, link);
    }
  }
  return [...fresh.values()];
}

/** Links that lead no deeper than the page that they stand on: by them something may be nearer than it was. */
export function shortWays<T extends Found>(links: readonly T[], depth: number): readonly T[] {
  return links.filter((link) => link.skip === null && link.depth <= depth);
}
