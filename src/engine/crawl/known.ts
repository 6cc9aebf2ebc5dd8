import type { End, Found } from './frontier.ts';

/** Keys that are remembered; the store knows all of them, and this saves asking it. */
const MOST_KEYS = 500_000;

/** Keys that are known to be taken, the latest of them. */
export type Known = ReturnType<typeof buildKnown>;

export function buildKnown() {
  let recent = new Set<string>();
  let older = new Set<string>();

  return {
    has: (key: string): boolean => recent.has(key) || older.has(key),
    add(key: string): void {
      recent.add(key);
      if (recent.size < MOST_KEYS / 2) return;
      older = recent;
      recent = new Set();
    },
  };
}

/** Each address that is not known, once. */
export function onlyUnknown<T extends Found>(links: readonly T[], known: Known): readonly T[] {
  const fresh = new Map<string, T>();
  for (const link of links) if (!known.has(link.key) && !fresh.has(link.key)) fresh.set(link.key, link);
  return [...fresh.values()];
}

/** Pages whose content is stored already, here or earlier in the batch, are duplicates; so are known ends of redirects. */
export function withoutTwins(ends: readonly End[], known: Known): readonly End[] {
  const taken = new Set<string>();
  const isTaken = (key: string | null): boolean => key !== null && (known.has(key) || taken.has(key));
  return ends.map((end) => {
    const { fate } = end;
    if (fate.kind !== 'stored') return end;
    if (isTaken(fate.finalKey)) return { ...end, fate: { kind: 'skipped', reason: 'redirect' } };
    if (isTaken(fate.contentKey)) return { ...end, fate: { kind: 'skipped', reason: 'duplicate' } };
    for (const key of [fate.finalKey, fate.contentKey]) if (key !== null) taken.add(key);
    return end;
  });
}
