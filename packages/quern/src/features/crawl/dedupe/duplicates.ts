import type { PageEnd } from '#features/crawl/crawl-page.ts';
import type { KnownKeys } from './known-keys.ts';

/** Duplicates whose new links are followed: this many, or this many for each stored page. */
const MAX_FOLLOWED = 1000;
const FOLLOWED_PER_PAGE = 10;

/** Pages that are only followed because `include` does not match them: this many, or this many for each of `max_pages`. */
const MAX_PASSED = 1000;
const PASSED_PER_PAGE = 10;

/** Pages that were not stored and had new links, by whether those were followed. */
export type FollowedPages = { readonly followed: number; readonly unfollowed: number };

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

/** What is counted of pages that were not stored: duplicates of stored pages, and pages that `include` does not match. */
type LinkCounts = { readonly duplicates: FollowedPages; readonly passed: FollowedPages };

/** The ends without the links of unstored pages beyond the limits, and the new counts. */
export function limitUnstoredLinks(
  all: readonly PageEnd[],
  { counts, stored, maxPages }: { readonly counts: LinkCounts; readonly stored: number; readonly maxPages: number },
): { readonly ends: readonly PageEnd[] } & LinkCounts {
  const most = Math.max(MAX_FOLLOWED, FOLLOWED_PER_PAGE * stored);
  const duplicates = limitLinks(all, counts.duplicates, { most, isLimited: isRepeated });
  const mostPassed = Math.max(MAX_PASSED, PASSED_PER_PAGE * maxPages);
  const passed = limitLinks(duplicates.ends, counts.passed, { most: mostPassed, isLimited: isPassed });
  return { ends: passed.ends, duplicates: duplicates.counts, passed: passed.counts };
}

/** Whether a page is only followed. */
function isPassed({ fate }: PageEnd): boolean {
  return fate.kind === 'skipped' && fate.reason === 'filter';
}

function isRepeated(end: PageEnd): boolean {
  return end.fate.kind === 'skipped' && !isPassed(end);
}

/**
 * The ends without the links of limited pages beyond the limit. A duplicate mostly links to what its original links to;
 * where duplicates keep bringing new URLs, as a session id in the path does, there is no end.
 */
function limitLinks(
  ends: readonly PageEnd[],
  before: FollowedPages,
  { most, isLimited }: { readonly most: number; readonly isLimited: (end: PageEnd) => boolean },
): { readonly ends: readonly PageEnd[]; readonly counts: FollowedPages } {
  let { followed, unfollowed } = before;
  const kept = ends.map((end) => {
    if (!isLimited(end) || !end.links.some(({ skip }) => skip === null)) return end;
    if (followed < most) {
      followed += 1;
      return end;
    }
    unfollowed += 1;
    return { ...end, links: [] };
  });
  return { ends: kept, counts: { followed, unfollowed } };
}
