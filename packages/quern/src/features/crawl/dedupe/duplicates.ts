import { createNearDuplicateIndex } from '#extract/urls/near-duplicates.ts';
import type { Simhash } from '#extract/urls/simhash.ts';
import type { PageEnd } from '#features/crawl/crawl-page.ts';
import type { KnownKeys } from './known-keys.ts';

/** Duplicates whose new links are followed: this many, or a multiple of the stored pages if that is more. */
const MAX_FOLLOWED_DUPLICATES = 1000;
const FOLLOWED_DUPLICATES_PER_PAGE = 10;

/**
 * Pages that do not match `include` whose links are followed: this many, or a multiple of `max_pages` if that is more.
 */
const MAX_FOLLOWED_UNMATCHED = 1000;
const FOLLOWED_UNMATCHED_PER_PAGE = 10;

/** Number of pages that were not stored and had new links, by whether these were followed. */
export type FollowCounts = { readonly followed: number; readonly unfollowed: number };

/** Marks duplicates as skipped: pages whose content or final URL is known, from earlier or from the same batch. */
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

/** Counts of pages that were not stored: duplicates of stored pages, and pages that do not match `include`. */
type LinkCounts = { readonly duplicates: FollowCounts; readonly passed: FollowCounts };

/** Removes the links of unstored pages beyond the limits; returns the ends and the new counts. */
export function limitUnstoredLinks(
  all: readonly PageEnd[],
  { counts, stored, maxPages }: { readonly counts: LinkCounts; readonly stored: number; readonly maxPages: number },
): { readonly ends: readonly PageEnd[] } & LinkCounts {
  const most = Math.max(MAX_FOLLOWED_DUPLICATES, FOLLOWED_DUPLICATES_PER_PAGE * stored);
  const duplicates = limitLinks(all, counts.duplicates, { most, isLimited: isSkippedDuplicate });
  const mostPassed = Math.max(MAX_FOLLOWED_UNMATCHED, FOLLOWED_UNMATCHED_PER_PAGE * maxPages);
  const passed = limitLinks(duplicates.ends, counts.passed, { most: mostPassed, isLimited: isUnmatched });
  return { ends: passed.ends, duplicates: duplicates.counts, passed: passed.counts };
}

/** Whether only the links of a page are used because it does not match `include`. */
function isUnmatched({ fate }: PageEnd): boolean {
  return fate.kind === 'skipped' && fate.reason === 'filter';
}

function isSkippedDuplicate(end: PageEnd): boolean {
  return end.fate.kind === 'skipped' && !isUnmatched(end);
}

/**
 * Removes the links of limited pages beyond the limit. A duplicate mostly has the links of its original. If duplicates
 * keep yielding new URLs, for example through a session id in the path, the crawl would never end.
 */
function limitLinks(
  ends: readonly PageEnd[],
  before: FollowCounts,
  { most, isLimited }: { readonly most: number; readonly isLimited: (end: PageEnd) => boolean },
): { readonly ends: readonly PageEnd[]; readonly counts: FollowCounts } {
  let { followed, unfollowed } = before;
  const checkedEnds = ends.map((end) => {
    if (!isLimited(end) || !end.links.some(({ skip }) => skip === null)) return end;
    if (followed < most) {
      followed += 1;
      return end;
    }
    unfollowed += 1;
    return { ...end, links: [] };
  });
  return { ends: checkedEnds, counts: { followed, unfollowed } };
}

export type NearDuplicateMarker = ReturnType<typeof createNearDuplicateMarker>;

/**
 * Creates the marker of near-duplicates. It knows the pages that this process stored and those that were added.
 * `findUrlBySeq` returns the URL of a page by its sequence number.
 */
export function createNearDuplicateMarker(findUrlBySeq: (seq: number) => Promise<string | null>) {
  const index = createNearDuplicateIndex();

  return {
    add(simhash: Simhash, seq: number): void {
      index.add(simhash, seq);
    },

    /** Marks each page that is a near-duplicate of an earlier page, stored or in the same batch. */
    async mark(ends: readonly PageEnd[]): Promise<readonly PageEnd[]> {
      const earlier = createNearDuplicateIndex();
      const marked: PageEnd[] = [];
      for (const end of ends) {
        const { claim, fate } = end;
        if (fate.kind !== 'stored' || fate.simhash === null || fate.element === null) {
          marked.push(end);
          continue;
        }
        const inBatch = earlier.find(fate.simhash);
        const seq = inBatch ?? index.find(fate.simhash);
        const url = inBatch === null ? (seq === null ? null : await findUrlBySeq(seq)) : findUrl(ends, inBatch);
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

/** Formats a hash as 16 hexadecimal digits for the database. */
export function formatSimhash({ high, low }: Simhash): string {
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

export function parseSimhash(text: string): Simhash {
  return { high: Number.parseInt(text.slice(0, 8), 16), low: Number.parseInt(text.slice(8), 16) };
}

function findUrl(ends: readonly PageEnd[], seq: number): string | null {
  return ends.find(({ claim }) => claim.seq === seq)?.claim.url ?? null;
}
