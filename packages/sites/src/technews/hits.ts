import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer, SiteRecord } from '#sites/framework/answers.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, countOf, line, list } from '#extract/values/raw.ts';
import { fromHit } from './api-item.ts';
import type { NewsItem } from './item-record.ts';

/** A page of the index, counted from 1, and how many items each has: a caller may change `limit`. */
type PageToken = { readonly page: number; readonly size: number };

/** The page that a token stands for, null for none. */
export function pageTokenOf(cursor: string | null): PageToken | null {
  const [, page, size] = /^(\d{1,4})x(\d{1,3})$/.exec(cursor ?? '') ?? [];
  return page === undefined || size === undefined ? null : { page: Number(page), size: Number(size) };
}

type Wanted = { readonly tags: string | null; readonly byDate: boolean; readonly query: string | null };

/** Asks the forum's index for items. */
export function askIndex({ tags, byDate, query }: Wanted, { page, size }: PageToken): SiteRequest {
  return {
    origin: 'search',
    path: byDate ? '/api/v1/search_by_date' : '/api/v1/search',
    query: { query, tags, page: page - 1, hitsPerPage: size },
  };
}

type Hits = {
  /** A page of a list; `empty()` where the index found nothing. */
  readonly toPage: <T extends object>(
    toRecord: (items: readonly NewsItem[], total: number | null) => T,
  ) => SiteRecord<T> | SiteAnswer;
};

/** What the index found; `query` is what it was asked for, where it was. */
export function readHits(body: string, query: string | null): Hits | { readonly refusal: SiteAnswer } {
  const raw = tryParse(body);
  const hits = at(raw, 'hits');
  if (!Array.isArray(hits)) return { refusal: unusable('what the index found') };
  if (query !== null && (line(at(raw, 'query')) ?? query) !== query) {
    return { refusal: unusable('the results of another search') };
  }
  const items = list(hits).flatMap((hit) => fromHit(hit) ?? []);
  if (items.length === 0 && hits.length > 0) return { refusal: unusable('items that can be read') };
  const count = (name: string): number | null => countOf(at(raw, name), null)?.value ?? null;
  const [page, pages, size] = [count('page') ?? 0, count('nbPages') ?? 0, count('hitsPerPage') ?? items.length];
  const total = count('nbHits');
  return {
    toPage: (toRecord) =>
      items.length === 0 ? empty() : pageOf(toRecord(items, total), page + 1 < pages ? `${page + 2}x${size}` : null),
  };
}
