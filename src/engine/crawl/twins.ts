import type { End } from './frontier.ts';
import type { Known } from './known.ts';
import type { Tally } from './tally.ts';

/** New addresses are taken from so many twins, and from so many for each stored page. */
const MOST_FOLLOWED = 1000;
const FOLLOWED_PER_PAGE = 10;

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

/**
 * The ends without the links of twins beyond what is followed of them, and the count of both. What a page links to, its
 * twin mostly links to as well; where twins go on bringing new addresses, as a session in the path does, there is no end.
 */
export function withinTwins(
  ends: readonly End[],
  { tally, stored }: { readonly tally: Tally; readonly stored: number },
): { readonly ends: readonly End[]; readonly tally: Tally } {
  const most = Math.max(MOST_FOLLOWED, FOLLOWED_PER_PAGE * stored);
  let { followed, unfollowed } = tally.twins;
  const kept = ends.map((end) => {
    if (end.fate.kind !== 'skipped' || !end.links.some(({ skip }) => skip === null)) return end;
    if (followed < most) {
      followed += 1;
      return end;
    }
    unfollowed += 1;
    return { ...end, links: [] };
  });
  return { ends: kept, tally: { ...tally, twins: { followed, unfollowed } } };
}
