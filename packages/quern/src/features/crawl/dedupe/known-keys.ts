import { FNV_START, hashNext } from '#extract/values/fnv.ts';
import type { SkipReason } from '#extract/urls/link-admission.ts';
import { KEY_LENGTH } from '#extract/urls/canonical-key.ts';
import type { FoundUrl } from '#features/crawl/crawl-page.ts';

/** Maximum number of keys in memory. The database has all of them; this cache saves queries. */
const MAX_KEYS = 500_000;

/** Cache of the latest known keys. A URL that was only found too deep is still unknown to a shorter path. */
export type KnownKeys = ReturnType<typeof createKnownKeys>;

export function createKnownKeys() {
  const taken = createRecentSet();
  const deep = createRecentSet();

  return {
    has: (key: string): boolean => taken.has(key),
    add: (key: string): void => taken.add(key),
    /** Whether the URL is known for this skip reason. Its key starts at index `at` of `keys`. */
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

function createRecentSet() {
  let recent = createFingerprintSet();
  let older = createFingerprintSet();

  return {
    has: (text: string, start = 0, end = text.length): boolean =>
      recent.has(text, start, end) || older.has(text, start, end),
    add(key: string): void {
      recent.add(key);
      if (recent.size() < MAX_KEYS / 2) return;
      older = recent;
      recent = createFingerprintSet();
    },
  };
}

/** Returns the unknown URLs, each once. Of several with the same key it takes the first that is not too deep. */
export function filterUnknown<T extends FoundUrl>(links: readonly T[], known: KnownKeys): readonly T[] {
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

/** Returns the links that are no deeper than their page: these may reduce the depth of known URLs. */
export function filterNoDeeper<T extends FoundUrl>(links: readonly T[], depth: number): readonly T[] {
  return links.filter((link) => link.skip === null && link.depth <= depth);
}

/** Initial number of slots, a power of two. It doubles when half of them are taken. */
const INITIAL_SLOTS = 1024;

/**
 * Creates a set of texts that stores a 64-bit hash of each. The probability of any collision among a million texts is
 * below 10⁻⁷. Adding a text, or looking up a part of a longer text, allocates no object.
 */
export function createFingerprintSet() {
  let slots = new Int32Array(2 * INITIAL_SLOTS);
  let size = 0;

  /** Index of a fingerprint, or of the free slot for it (open addressing with linear probing). */
  function indexOf(high: number, low: number): number {
    const last = slots.length / 2 - 1;
    for (let at = low & last; ; at = (at + 1) & last) {
      const isFree = slots[2 * at] === 0 && slots[2 * at + 1] === 0;
      if (isFree || (slots[2 * at] === high && slots[2 * at + 1] === low)) return 2 * at;
    }
  }

  function put(high: number, low: number): boolean {
    const at = indexOf(high, low);
    if (slots[at] !== 0 || slots[at + 1] !== 0) return false;
    slots[at] = high;
    slots[at + 1] = low;
    return true;
  }

  function grow(): void {
    const old = slots;
    slots = new Int32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2) {
      const high = old[at] ?? 0;
      const low = old[at + 1] ?? 0;
      if (high !== 0 || low !== 0) put(high, low);
    }
  }

  return {
    size: (): number => size,

    /** Whether the set contains the part of a text from `start` up to `end`. */
    has(text: string, start = 0, end = text.length): boolean {
      const at = indexOf(hashHigh(text, start, end), hashLow(text, start, end));
      return slots[at] !== 0 || slots[at + 1] !== 0;
    },

    add(text: string): void {
      if (put(hashHigh(text, 0, text.length), hashLow(text, 0, text.length))) size += 1;
      if (size * 4 > slots.length) grow();
    },
  };
}

/** FNV-1a. */
function hashHigh(text: string, start: number, end: number): number {
  let state = FNV_START;
  for (let at = start; at < end; at++) state = hashNext(state, text.charCodeAt(at));
  return state | 0;
}

/** A second hash. It is never 0, so that no fingerprint looks like a free slot. */
function hashLow(text: string, start: number, end: number): number {
  let state = 0x9747b28c;
  for (let at = start; at < end; at++) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x5bd1e995);
    state ^= state >>> 15;
  }
  return state === 0 ? 1 : state | 0;
}
