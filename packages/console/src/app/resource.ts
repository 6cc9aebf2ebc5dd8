import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, callApi, isTemporary, type QueryValue } from './api.ts';
import { sleep } from './event-stream.ts';
import { session } from './session.ts';

/** The state of a resource of the API. The last response stays while newer calls fail. */
export type Resource = {
  /** The body of the last successful response; undefined before the first. */
  readonly body: unknown;
  /** Why the latest call failed; null if it succeeded. */
  readonly failure: ApiFailure | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

/** The options of `useResource`. */
export type ResourceOptions = {
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Interval between refreshes while the page is visible. */
  readonly refreshMs?: number;
};

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 10_000;

/** Loads a resource, and loads it again when its path or query changes. Retries with growing delays while the service is unavailable. */
export function useResource(path: string | null, { query = {}, refreshMs }: ResourceOptions = {}): Resource {
  const [body, setBody] = useState<unknown>(undefined);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isLoading, setLoading] = useState(path !== null);
  const [reloadCount, setReloadCount] = useState(0);
  const shown = useRef<string | null>(null);
  const wanted = JSON.stringify(query);
  const isIn = session.value !== null;
  const reload = useCallback(() => setReloadCount((count) => count + 1), []);

  useEffect(() => {
    if (path === null || !isIn) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    if (shown.current !== path + wanted) setBody(undefined);
    shown.current = path + wanted;

    async function follow(target: string): Promise<void> {
      let wait = FIRST_WAIT_MS;
      while (!signal.aborted) {
        setLoading(true);
        const answer = await callApi('GET', target, { query, signal });
        if (signal.aborted) return;
        setLoading(false);
        setFailure(answer.ok ? null : answer.failure);
        if (answer.ok) setBody(answer.body);
        const next = computeNextWaitMs(answer.ok ? null : answer.failure, wait, refreshMs);
        if (next === null) return;
        wait = answer.ok ? FIRST_WAIT_MS : Math.min(wait * 2, MAX_WAIT_MS);
        await sleep(next, signal);
        await waitUntilVisible(signal);
      }
    }
    void follow(path);
    return () => controller.abort();
  }, [path, wanted, refreshMs, reloadCount, isIn]);

  return { body, failure, isLoading, reload };
}

function computeNextWaitMs(failure: ApiFailure | null, wait: number, refreshMs: number | undefined): number | null {
  if (failure === null) return refreshMs ?? null;
  if (!isTemporary(failure)) return null;
  return failure.retryAfterSeconds === null ? wait : Math.max(wait, failure.retryAfterSeconds * 1000);
}

/** Waits while the page is hidden, since nobody sees the result. */
function waitUntilVisible(signal: AbortSignal): Promise<void> {
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
