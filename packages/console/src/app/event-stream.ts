import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, send, toApiFailure } from './api.ts';
import { jsonIn } from './json.ts';
import { doLater } from './service-clock.ts';
import { session } from './session.ts';

/** One event of a stream; `data` is its JSON. */
export type StreamEvent = { readonly id: string | null; readonly type: string; readonly data: unknown };

/** Thrown by a stream that will not come back, as one of a deleted job. */
export class StreamRefused extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/** An event larger than this is dropped with its connection. */
const MAX_EVENT_LENGTH = 4_000_000;

/**
 * Events as they come, over lost connections and restarts of the service: each new connection goes on after the last
 * event that was seen. It ends with its signal or after an event `end`, and throws `StreamRefused` where the service says that there is none.
 */
export async function* streamEvents(path: string, signal: AbortSignal): AsyncGenerator<StreamEvent, void> {
  let lastId: string | null = null;
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const headers = { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) };
    const response = await send('GET', path, { signal, timeoutMs: Infinity }, headers);
    if (response instanceof Response && response.ok && response.body !== null) {
      for await (const event of readEvents(response.body)) {
        wait = FIRST_WAIT_MS;
        lastId = event.id ?? lastId;
        yield event;
        if (event.type === 'end') return;
      }
    } else if (response instanceof Response && response.status < 500 && response.status !== 429) {
      throw new StreamRefused(toApiFailure(response, jsonIn(await response.text().catch(() => ''))));
    }
    await pauseFor(wait, signal);
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      if (text.length > MAX_EVENT_LENGTH) return;
      for (const block of blocks) {
        const event = toEvent(block);
        if (event !== null) yield event;
      }
    }
  } catch {
    // A connection that breaks ends like one that closes: the next one goes on after the last event.
  }
}

function toEvent(block: string): StreamEvent | null {
  const fields = block
    .split(/\r?\n/)
    .map((line) => /^(\w+):\s?(.*)$/.exec(line))
    .filter((match) => match !== null);
  const controlValue = (name: string): string | null => fields.findLast(([, field]) => field === name)?.[2] ?? null;
  const data = fields.filter(([, field]) => field === 'data').map(([, , value]) => value);
  if (data.length === 0) return null;
  return { id: controlValue('id'), type: controlValue('event') ?? 'message', data: jsonIn(data.join('\n')) };
}

/** Waits; an abort ends the wait. */
export function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = doLater(ms, end);
    signal.addEventListener('abort', end);
  });
}

/** What the events of a stream have come to. */
type Folded<State> = { readonly state: State; readonly failure: ApiFailure | null };

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
