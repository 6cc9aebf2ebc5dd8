/** A visit that takes longer drags, ms. */
const DRAG_MS = 1000;
/** Of all places, so much is left to hosts that are known to answer soon. */
const SHARE_OF_QUICK = 1 / 4;

/**
 * Builds the places of a crawl for `most` visits at once. As soon as it visits several hosts, those that drag, and those
 * of which nothing is known yet, leave some places to those that answer soon.
 */
export function buildPlaces(most: number) {
  const underWay = new Set<Place>();
  const met = new Set<string>();
  /** Hosts whose last visit ended soon, and of which none drags. */
  const quick = new Set<string>();
  const mostOfOthers = most - Math.ceil(most * SHARE_OF_QUICK);

  return {
    count: (): number => underWay.size,
    /** Whether visits of a host are known to end soon. */
    isQuick: (host: string): boolean => quick.has(host),
    knowsQuick: (): boolean => quick.size > 0,

    /** Finds the hosts that have begun to drag. */
    look(): void {
      const now = performance.now();
      for (const { host, since } of underWay) if (now - since > DRAG_MS) quick.delete(host);
    },

    mayBegin(host: string): boolean {
      met.add(host);
      if (underWay.size >= most) return false;
      if (underWay.size < mostOfOthers || met.size === 1 || quick.has(host)) return true;
      return [...underWay].filter((one) => !quick.has(one.host)).length < mostOfOthers;
    },

    /** Takes a place; call what it answers when the visit has ended. */
    begin(host: string): () => void {
      const place = { host, since: performance.now() };
      underWay.add(place);
      return () => {
        underWay.delete(place);
        if (performance.now() - place.since > DRAG_MS) quick.delete(host);
        else quick.add(host);
      };
    },
  };
}

type Place = { readonly host: string; readonly since: number };
