import { type PagedList, usePagedList } from './paged-list.ts';
import type { QueryValue } from './api.ts';
import { listAt, textAt } from './reading.ts';
import { useResource } from './resource.ts';

const OFTEN_MS = 4000;
const NEWEST = 30;

/** A list that is newest first, read page by page; its newest rows are read again while one looks. */
export function useLiveList(path: string, query: Readonly<Record<string, QueryValue>>): PagedList {
  const list = usePagedList(path, { query });
  const newest = useResource(path, { query: { ...query, limit: NEWEST }, everyMs: OFTEN_MS });
  return { ...list, rows: mergeNewest(list.rows, listAt(newest.body, 'data')) };
}

/** The rows with the newest records in them: what is new comes first, what is known is replaced. */
function mergeNewest(rows: readonly unknown[], newest: readonly unknown[]): readonly unknown[] {
  if (newest.length === 0) return rows;
  const fresh = new Map(newest.map((row) => [textAt(row, 'id'), row]));
  const known = new Set(rows.map((row) => textAt(row, 'id')));
  return [
    ...newest.filter((row) => !known.has(textAt(row, 'id'))),
    ...rows.map((row) => fresh.get(textAt(row, 'id')) ?? row),
  ];
}
