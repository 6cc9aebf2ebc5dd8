import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, call, type QueryValue } from './api.ts';
import { listAt, textAt } from './json.ts';
import { useResource } from './resource.ts';

/** What is read of a list that has a cursor. */
export type PagedList = {
  readonly rows: readonly unknown[];
  /** Whether the first page has come. */
  readonly isRead: boolean;
  /** Whether there is a page that was not read. */
  readonly hasMore: boolean;
  readonly failure: ApiFailure | null;
  /** Reads the next page, unless it is being read or there is none. */
  readonly readMore: () => void;
  readonly reload: () => void;
  /** Reads the page of the list again that has this row; what comes after it is read when it is scrolled to. */
  readonly reloadAt: (row: number) => Promise<void>;
};

/** A page that was read: the cursor that leads to it, and the place of its first row. */
type ListPage = { readonly cursor: string; readonly start: number };

type Reading = {
  /** What leads to the page after the last that was read; empty for none. */
  cursor: string;
  pages: readonly ListPage[];
  /** The call that is under way; null for none. */
  busy: Promise<void> | null;
  readonly leaving: AbortController;
};

type PagedListOptions = {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly pageSize?: number;
};

const PAGE_SIZE = 100;

/** Reads a list page by page; it begins again when its path or query changes. */
export function usePagedList(
  path: string | null,
  { query = {}, pageSize = PAGE_SIZE }: PagedListOptions = {},
): PagedList {
  const [rows, setRows] = useState<readonly unknown[]>([]);
  const [isRead, setRead] = useState(false);
  const [hasMore, setMore] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [asked, setAsked] = useState(0);
  const reading = useRef<Reading | null>(null);
  const shown = useRef<unknown>(null);
  const wanted = JSON.stringify(query);

  const read = useCallback(
    ({ cursor, start }: ListPage): void => {
      const current = reading.current;
      if (path === null || current === null || current.busy !== null) return;
      const { signal } = current.leaving;

      async function ask(target: string, on: Reading): Promise<void> {
        const from = cursor === '' ? {} : { cursor };
        const answer = await call('GET', target, { query: { ...query, limit: pageSize, ...from }, signal });
        if (signal.aborted) return;
        on.busy = null;
        setFailure(answer.ok ? null : answer.failure);
        if (!answer.ok) return;
        on.cursor = textAt(answer.body, 'next_cursor');
        setMore(on.cursor !== '');
        on.pages = [...on.pages.filter((page) => page.start < start), { cursor, start }];
        const fresh = listAt(answer.body, 'data');
        setRows((known) => [...known.slice(0, start), ...fresh]);
        setRead(true);
      }
      current.busy = ask(path, current);
    },
    [path, wanted, pageSize],
  );

  useEffect(() => {
    const leaving = new AbortController();
    reading.current = { cursor: '', pages: [], busy: null, leaving };
    // Reading the same list again keeps what is shown until the answer has come.
    if (shown.current !== read) {
      shown.current = read;
      setRead(false);
      setRows([]);
    }
    read({ cursor: '', start: 0 });
    return () => leaving.abort();
  }, [read, asked]);

  const readMore = useCallback(() => {
    const cursor = reading.current?.cursor ?? '';
    if (cursor !== '') read({ cursor, start: rows.length });
  }, [read, rows.length]);
  const reloadAt = useCallback(
    async (row: number): Promise<void> => {
      const current = reading.current;
      await current?.busy;
      const page = current?.pages.findLast(({ start }) => start <= row);
      if (page !== undefined && reading.current === current) read(page);
    },
    [read],
  );
  const reload = useCallback(() => setAsked((count) => count + 1), []);
  return { rows, isRead, hasMore, failure, readMore, reload, reloadAt };
}

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

/** Rows that a search looks through; what is older is not read for it. */
const MAX_SEARCHED = 2000;
/** As many found rows fill a view. */
const ENOUGH = 30;

/** What a search finds in a list. */
type SearchedRows = { readonly found: readonly unknown[]; readonly isCut: boolean };

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

/** The words that a member of rows had since the view was opened, for a choice among them; the chosen one is one of them. */
export function useSeenWords(rows: readonly unknown[], member: string, chosen: string): readonly string[] {
  const seen = useRef(new Set<string>());
  for (const word of [chosen, ...rows.map((row) => textAt(row, member))]) if (word !== '') seen.current.add(word);
  return [...seen.current].toSorted();
}
