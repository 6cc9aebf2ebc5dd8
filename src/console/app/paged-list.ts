import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call } from './api.ts';
import type { ApiFailure, QueryValue } from './api.ts';
import { listAt, textAt } from './reading.ts';

/** What is read of a list that has a cursor. */
export type PagedList = {
  readonly rows: readonly unknown[];
  /** Whether the first page has come. */
  readonly isRead: boolean;
  readonly failure: ApiFailure | null;
  /** Reads the next page, unless it is being read or there is none. */
  readonly readMore: () => void;
  readonly reload: () => void;
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
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [asked, setAsked] = useState(0);
  const reading = useRef<{ cursor: string; isBusy: boolean; leaving: AbortController } | null>(null);
  const shown = useRef<unknown>(null);
  const wanted = JSON.stringify(query);

  const read = useCallback(
    async (from: string): Promise<void> => {
      const current = reading.current;
      if (path === null || current === null || current.isBusy) return;
      current.isBusy = true;
      const { signal } = current.leaving;
      const answer = await call('GET', path, {
        query: { ...query, limit: pageSize, ...(from === '' ? {} : { cursor: from }) },
        signal,
      });
      if (signal.aborted) return;
      current.isBusy = false;
      setFailure(answer.ok ? null : answer.failure);
      if (!answer.ok) return;
      current.cursor = textAt(answer.body, 'next_cursor');
      const fresh = listAt(answer.body, 'data');
      setRows((known) => (from === '' ? fresh : [...known, ...fresh]));
      setRead(true);
    },
    [path, wanted, pageSize],
  );

  useEffect(() => {
    const leaving = new AbortController();
    reading.current = { cursor: '', isBusy: false, leaving };
    // Reading the same list again keeps what is shown until the answer has come.
    if (shown.current !== read) {
      shown.current = read;
      setRead(false);
      setRows([]);
    }
    void read('');
    return () => leaving.abort();
  }, [read, asked]);

  const readMore = useCallback(() => {
    const cursor = reading.current?.cursor ?? '';
    if (cursor !== '') void read(cursor);
  }, [read]);
  const reload = useCallback(() => setAsked((count) => count + 1), []);
  return { rows, isRead, failure, readMore, reload };
}
