import type { FoundIds } from './index-store.ts';

/**
 * Finds at most so many pages that hold any of what is asked for: by the rarest that are in as many pages together, since pages
 * that hold but common words come after theirs; by all where those find too few, as some of their pages are of other tenants or
 * counted twice.
 */
export async function findByRarest<T extends { readonly pages: number }>(
  asked: readonly T[],
  most: number,
  find: (some: readonly T[]) => Promise<readonly number[]>,
): Promise<FoundIds> {
  const taken: T[] = [];
  let pages = 0;
  for (const one of asked.toSorted((a, b) => a.pages - b.pages)) {
    if (pages >= most) break;
    taken.push(one);
    pages += one.pages;
  }
  const first = await find(taken);
  const ids = first.length < most && taken.length < asked.length ? await find(asked) : first;
  return { ids, isWhole: ids.length < most };
}
