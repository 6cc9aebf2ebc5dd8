import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '#console/app/api.ts';
import { type StreamEvent, streamEvents, StreamRefused } from '#console/app/event-stream.ts';
import { session } from '#console/app/session.ts';

/** What the events of a stream have come to. */
export type Folded<State> = { readonly state: State; readonly failure: ApiFailure | null };

/**
 * Follows a stream while the component is shown. Each event changes the state at once; the page is drawn anew at most once
 * for each picture, so that a thousand events a second cost no more than sixty. No path follows nothing.
 */
export function useEvents<State>(
  path: string | null,
  start: State,
  fold: (state: State, event: StreamEvent) => State,
): Folded<State> {
  const [shown, setShown] = useState<Folded<State>>({ state: start, failure: null });
  const latest = useRef(fold);
  latest.current = fold;
  const isIn = session.value !== null;
  useEffect(() => {
    if (path === null || !isIn) return undefined;
    const leaving = new AbortController();
    let state = start;
    let waiting = 0;
    const draw = (): void => {
      waiting = 0;
      setShown({ state, failure: null });
    };
    async function follow(target: string): Promise<void> {
      try {
        for await (const event of streamEvents(target, leaving.signal)) {
          state = latest.current(state, event);
          if (waiting === 0) waiting = requestAnimationFrame(draw);
        }
      } catch (error) {
        if (!(error instanceof StreamRefused)) throw error;
        setShown({ state, failure: error.failure });
      }
    }
    void follow(path);
    return () => {
      leaving.abort();
      cancelAnimationFrame(waiting);
    };
  }, [path, isIn]);
  return shown;
}
