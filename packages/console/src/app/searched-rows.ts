import { useEffect } from 'preact/hooks';
import type { PagedList } from './paged-list.ts';

/** Rows that a search looks through; what is older is not read for it. */
const MAX_SEARCHED = 2000;
/** As many found rows fill a view. */
const ENOUGH = 30;

/** What a search finds in a list. */
export type SearchedRows = { readonly found: readonly unknown[]; readonly isCut: boolean };

/** The rows in whose text all words stand; while few are found, the list is read on. */
export function useSearchedRows(list: PagedList, search: string, toText: (row: unknown) => string): SearchedRows {
  const { rows, readMore } = list;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const text = toText(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const isCut = words.length > 0 && rows.length >= MAX_SEARCHED;
  const isOn = words.length > 0 && found.length < ENOUGH && !isCut;
  useEffect(() => {
    if (isOn) readMore();
  }, [isOn, rows.length, readMore]);
  return { found, isCut };
}
