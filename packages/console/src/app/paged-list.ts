import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, callApi, type QueryValue } from './api.ts';
import { getList, getText } from './json.ts';
import { useResource } from './resource.ts';

/** A list of the API that is loaded page by page with a cursor. */
export type PagedList = {
  readonly rows: readonly unknown[];
  /** Whether the first page has arrived. */
  readonly isLoaded: boolean;
  /** Whether the list has further pages. */
  readonly hasMore: boolean;
  readonly failure: ApiFailure | null;
  /** Loads the next page, unless a page is loading or there is none. */
  readonly loadMore: () => void;
  readonly reload: () => void;
  /** Reloads the page that contains this row. Later pages are loaded again when the reader scrolls to them. */
  readonly reloadRow: (row: number) => Promise<void>;
};

/** A loaded page: its cursor, and the index of its first row. */
type ListPage = { readonly cursor: string; readonly start: number };

type ReadState = {
  /** The cursor of the next page; empty if there is none. */
  cursor: string;
  pages: readonly ListPage[];
  /** The running call; null if there is none. */
  busy: Promise<void> | null;
  readonly controller: AbortController;
};

type PagedListOptions = {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly pageSize?: number;
};

const PAGE_SIZE = 100;

/** Loads a list page by page, and starts again when its path or query changes. */
export function usePagedList(
  path: string | null,
  { query = {}, pageSize = PAGE_SIZE }: PagedListOptions = {},
): PagedList {
  const [rows, setRows] = useState<readonly unknown[]>([]);
  const [isLoaded, setRead] = useState(false);
  const [hasMore, setMore] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [reloadCount, setReloadCount] = useState(0);
  const reading = useRef<ReadState | null>(null);
  const shown = useRef<unknown>(null);
  const wanted = JSON.stringify(query);

  const read = useCallback(
    ({ cursor, start }: ListPage): void => {
      const current = reading.current;
      if (path === null || current === null || current.busy !== null) return;
      const { signal } = current.controller;

      async function ask(target: string, on: ReadState): Promise<void> {
        const from = cursor === '' ? {} : { cursor };
        const answer = await callApi('GET', target, { query: { ...query, limit: pageSize, ...from }, signal });
        if (signal.aborted) return;
        on.busy = null;
        setFailure(answer.ok ? null : answer.failure);
        if (!answer.ok) return;
        on.cursor = getText(answer.body, 'next_cursor');
        setMore(on.cursor !== '');
        on.pages = [...on.pages.filter((page) => page.start < start), { cursor, start }];
        const fresh = getList(answer.body, 'data');
        setRows((known) => [...known.slice(0, start), ...fresh]);
        setRead(true);
      }
      current.busy = ask(path, current);
    },
    [path, wanted, pageSize],
  );

  useEffect(() => {
    const controller = new AbortController();
    reading.current = { cursor: '', pages: [], busy: null, controller };
    // A reload of the same list keeps the rows until the response arrives.
    if (shown.current !== read) {
      shown.current = read;
      setRead(false);
      setRows([]);
    }
    read({ cursor: '', start: 0 });
    return () => controller.abort();
  }, [read, reloadCount]);

  const loadMore = useCallback(() => {
    const cursor = reading.current?.cursor ?? '';
    if (cursor !== '') read({ cursor, start: rows.length });
  }, [read, rows.length]);
  const reloadRow = useCallback(
    async (row: number): Promise<void> => {
      const current = reading.current;
      await current?.busy;
      const page = current?.pages.findLast(({ start }) => start <= row);
      if (page !== undefined && reading.current === current) read(page);
    },
    [read],
  );
  const reload = useCallback(() => setReloadCount((count) => count + 1), []);
  return { rows, isLoaded, hasMore, failure, loadMore, reload, reloadRow };
}

const REFRESH_MS = 4000;
const NEWEST_COUNT = 30;

/** Loads a list that is sorted newest first, and refreshes its newest rows while the page is visible. */
export function useLiveList(path: string, query: Readonly<Record<string, QueryValue>>): PagedList {
  const list = usePagedList(path, { query });
  const newest = useResource(path, { query: { ...query, limit: NEWEST_COUNT }, refreshMs: REFRESH_MS });
  return { ...list, rows: mergeNewest(list.rows, getList(newest.body, 'data')) };
}

/** Merges refreshed records into the rows: new ones come first, known ones are replaced. */
function mergeNewest(rows: readonly unknown[], newest: readonly unknown[]): readonly unknown[] {
  if (newest.length === 0) return rows;
  const fresh = new Map(newest.map((row) => [getText(row, 'id'), row]));
  const known = new Set(rows.map((row) => getText(row, 'id')));
  return [
    ...newest.filter((row) => !known.has(getText(row, 'id'))),
    ...rows.map((row) => fresh.get(getText(row, 'id')) ?? row),
  ];
}

/** A search loads at most this many rows. */
const MAX_SEARCHED_ROWS = 2000;
/** A search stops loading pages once it has this many matches, which fill a view. */
const ENOUGH_MATCHES = 30;

/** The rows that match a search, and whether older rows were not searched. */
type RowSearch = { readonly found: readonly unknown[]; readonly isCut: boolean };

/** Finds the rows whose text contains all words. Loads further pages while there are few matches. */
export function useRowSearch(list: PagedList, search: string, toText: (row: unknown) => string): RowSearch {
  const { rows, loadMore } = list;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const text = toText(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const isCut = words.length > 0 && rows.length >= MAX_SEARCHED_ROWS;
  const isOn = words.length > 0 && found.length < ENOUGH_MATCHES && !isCut;
  useEffect(() => {
    if (isOn) loadMore();
  }, [isOn, rows.length, loadMore]);
  return { found, isCut };
}

/** Collects the values of a member over all rows seen since the view was opened, and the chosen value, for a filter. */
export function useKnownValues(rows: readonly unknown[], member: string, chosen: string): readonly string[] {
  const seen = useRef(new Set<string>());
  for (const word of [chosen, ...rows.map((row) => getText(row, member))]) if (word !== '') seen.current.add(word);
  return [...seen.current].toSorted();
}
