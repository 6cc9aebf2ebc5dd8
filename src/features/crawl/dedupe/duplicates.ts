import type { PageEnd } from '#features/crawl/crawl-page.ts';
import type { KnownKeys } from './known-keys.ts';

/** Duplicates whose new links are followed: this many, or this many for each stored page. */
const MOST_FOLLOWED = 1000;
const FOLLOWED_PER_PAGE = 10;

/** Duplicates that had new links, by whether those were followed. */
export type FollowedDuplicates = { readonly followed: number; readonly unfollowed: number };

/**
 * The ends with duplicates as skipped: pages whose content or final URL is known, from earlier or from the same batch.
 */
export function skipDuplicates(ends: readonly PageEnd[], known: KnownKeys): readonly PageEnd[] {
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
 * The ends without the links of duplicates beyond the limit, and the new counts. A duplicate mostly links to what its
 * original links to; where duplicates keep bringing new URLs, as a session id in the path does, there is no end.
 */
export function limitDuplicateLinks(
  ends: readonly PageEnd[],
  { duplicates, stored }: { readonly duplicates: FollowedDuplicates; readonly stored: number },
): { readonly ends: readonly PageEnd[]; readonly duplicates: FollowedDuplicates } {
  const most = Math.max(MOST_FOLLOWED, FOLLOWED_PER_PAGE * stored);
  let { followed, unfollowed } = duplicates;
  const kept = ends.map((end) => {
    if (end.fate.kind !== 'skipped' || !end.links.some(({ skip }) => skip === null)) return end;
    if (followed < most) {
      followed += 1;
      return end;
    }
    unfollowed += 1;
    return { ...end, links: [] };
  });
  return { ends: kept, duplicates: { followed, unfollowed } };
}
