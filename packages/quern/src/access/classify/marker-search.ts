/** Where a marker stands in a body. */
export type Hit = { readonly marker: number; readonly at: number };

/** A page that repeats markers without end is not worth more. */
const MAX_HITS = 256;

/**
 * Builds a search for all of `markers` (ASCII, two characters or more) in one pass over bytes. Method: S. Wu and U. Manber,
 * "A Fast Algorithm for Multi-Pattern Searching" (1994), with blocks of two bytes: it looks at about one byte in as many
 * as the shortest marker has.
 */
export function buildMarkerSearch(markers: readonly string[]): (bytes: Uint8Array, end: number) => readonly Hit[] {
  const needles = markers.map((marker) => Buffer.from(marker, 'latin1'));
  const least = Math.min(...needles.map((needle) => needle.length));
  const shifts = new Uint8Array(65_536).fill(Math.min(least - 1, 255));
  const endings = new Map<number, { readonly marker: number; readonly needle: Uint8Array }[]>();
  needles.forEach((needle, marker) => {
    for (let at = 1; at < least; at++) {
      const block = blockAt(needle, at);
      shifts[block] = Math.min(shifts[block] ?? 0, least - 1 - at);
      if (at === least - 1) endings.set(block, [...(endings.get(block) ?? []), { marker, needle }]);
    }
  });

  return function search(bytes, end) {
    const hits: Hit[] = [];
    let at = least - 1;
    while (at < end && hits.length < MAX_HITS) {
      const block = blockAt(bytes, at);
      const shift = shifts[block] ?? 0;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const start = at - least + 1;
      for (const { marker, needle } of endings.get(block) ?? []) {
        if (standsAt(bytes, start, needle)) hits.push({ marker, at: start });
      }
      at += 1;
    }
    return hits;
  };
}

function blockAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0);
}

function standsAt(bytes: Uint8Array, start: number, needle: Uint8Array): boolean {
  for (let at = 0; at < needle.length; at++) if (bytes[start + at] !== needle[at]) return false;
  return true;
}
