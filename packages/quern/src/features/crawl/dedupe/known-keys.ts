import type { FoundUrl } from '#features/crawl/crawl-page.ts';
import { KEY_LENGTH } from '#extract/urls/canonical-key.ts';
import type { SkipReason } from '#extract/urls/admission.ts';
import { buildFingerprints } from './fingerprints.ts';

/** Keys that are remembered; the store has all of them, and this saves queries. */
const MAX_KEYS = 500_000;

/** The latest known keys; a URL that was only found too deep is still unknown to a shorter path. */
export type KnownKeys = ReturnType<typeof buildKnownKeys>;

export function buildKnownKeys() {
  const taken = buildLatest();
  const deep = buildLatest();

  return {
    has: (key: string): boolean => taken.has(key),
    add: (key: string): void => taken.add(key),
    /** Whether the URL is known for this skip reason; its key stands in `keys` from `at` on. */
    hasFound(this: void, keys: string, at: number, skip: SkipReason | null): boolean {
      const end = at + KEY_LENGTH;
      return taken.has(keys, at, end) || (skip === 'depth' && deep.has(keys, at, end));
    },
    addFound({ key, skip }: Pick<FoundUrl, 'key' | 'skip'>): void {
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
      if (recent.size() < MAX_KEYS / 2) return;
      older = recent;
      recent = buildFingerprints();
    },
  };
}

/** The unknown URLs, each once; of several with one key the first that is not too deep. */
export function onlyUnknown<T extends FoundUrl>(links: readonly T[], known: KnownKeys): readonly T[] {
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

/** Links that lead no deeper than their page: they may lessen the depth of known URLs. */
export function pathsNoDeeper<T extends FoundUrl>(links: readonly T[], depth: number): readonly T[] {
  return links.filter((link) => link.skip === null && link.depth <= depth);
}
