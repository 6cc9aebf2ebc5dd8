import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, call, isPassing, type QueryValue } from './api.ts';
import { pauseFor } from './event-stream.ts';
import { session } from './session.ts';

/** What a view knows of a thing of the service: the last answer stays while newer calls fail. */
export type Resource = {
  /** The last answer; undefined before the first. */
  readonly body: unknown;
  /** Why the newest call failed; null where it did not. */
  readonly failure: ApiFailure | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

export type ResourceOptions = {
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Asks again this often while the page is seen. */
  readonly everyMs?: number;
};

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 10_000;

/** Reads a thing, again when its path or query changes, and again with longer and longer waits while the service is away. */
export function useResource(path: string | null, { query = {}, everyMs }: ResourceOptions = {}): Resource {
  const [body, setBody] = useState<unknown>(undefined);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isLoading, setLoading] = useState(path !== null);
  const [asked, setAsked] = useState(0);
  const shown = useRef<string | null>(null);
  const wanted = JSON.stringify(query);
  const isIn = session.value !== null;
  const reload = useCallback(() => setAsked((count) => count + 1), []);

  useEffect(() => {
    if (path === null || !isIn) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    if (shown.current !== path + wanted) setBody(undefined);
    shown.current = path + wanted;

    async function follow(target: string): Promise<void> {
      let wait = FIRST_WAIT_MS;
      while (!signal.aborted) {
        setLoading(true);
        const answer = await call('GET', target, { query, signal });
        if (signal.aborted) return;
        setLoading(false);
        setFailure(answer.ok ? null : answer.failure);
        if (answer.ok) setBody(answer.body);
        const next = nextWait(answer.ok ? null : answer.failure, wait, everyMs);
        if (next === null) return;
        wait = answer.ok ? FIRST_WAIT_MS : Math.min(wait * 2, MAX_WAIT_MS);
        await pauseFor(next, signal);
        await untilSeen(signal);
      }
    }
    void follow(path);
    return () => leaving.abort();
  }, [path, wanted, everyMs, asked, isIn]);

  return { body, failure, isLoading, reload };
}

function nextWait(failure: ApiFailure | null, wait: number, everyMs: number | undefined): number | null {
  if (failure === null) return everyMs ?? null;
  if (!isPassing(failure)) return null;
  return failure.retryAfterSeconds === null ? wait : Math.max(wait, failure.retryAfterSeconds * 1000);
}

/** Waits while the page is hidden: what nobody sees is not asked for. */
function untilSeen(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible' || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
  });
}
