import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, call, type QueryValue } from './api.ts';
import { listAt, textAt } from './reading.ts';

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
