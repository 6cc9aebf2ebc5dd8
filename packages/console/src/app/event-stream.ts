import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFailure, sendRequest, toApiFailure } from './api.ts';
import { parseJson } from './json.ts';
import { runAfter } from './service-clock.ts';
import { session } from './session.ts';

/** One server-sent event; `data` is its parsed JSON. */
export type StreamEvent = { readonly id: string | null; readonly type: string; readonly data: unknown };

/** Thrown if reconnecting to a stream is useless, for example because its job was deleted. */
export class StreamRefusedError extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/** The connection is closed if one event is longer than this. */
const MAX_EVENT_LENGTH = 4_000_000;

/**
 * Yields the events of a stream and reconnects after lost connections and restarts of the service; each new connection
 * resumes after the last event. Ends when the signal fires or after an event `end`. Throws `StreamRefusedError` if the
 * service refuses the stream.
 */
export async function* streamEvents(path: string, signal: AbortSignal): AsyncGenerator<StreamEvent, void> {
  let lastId: string | null = null;
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const headers = { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) };
    const response = await sendRequest('GET', path, { signal, timeoutMs: Infinity }, headers);
    if (response instanceof Response && response.ok && response.body !== null) {
      for await (const event of readEvents(response.body)) {
        wait = FIRST_WAIT_MS;
        lastId = event.id ?? lastId;
        yield event;
        if (event.type === 'end') return;
      }
    } else if (response instanceof Response && response.status < 500 && response.status !== 429) {
      throw new StreamRefusedError(toApiFailure(response, parseJson(await response.text().catch(() => ''))));
    }
    await sleep(wait, signal);
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
        const event = parseEvent(block);
        if (event !== null) yield event;
      }
    }
  } catch {
    // A broken connection is handled like a closed one: the next connection resumes after the last event.
  }
}

function parseEvent(block: string): StreamEvent | null {
  const fields = block
    .split(/\r?\n/)
    .map((line) => /^(\w+):\s?(.*)$/.exec(line))
    .filter((match) => match !== null);
  const readControlValue = (name: string): string | null => fields.findLast(([, field]) => field === name)?.[2] ?? null;
  const data = fields.filter(([, field]) => field === 'data').map(([, , value]) => value);
  if (data.length === 0) return null;
  return { id: readControlValue('id'), type: readControlValue('event') ?? 'message', data: parseJson(data.join('\n')) };
}

/** Waits for `ms` milliseconds, or until the signal fires. It never rejects. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = runAfter(ms, end);
    signal.addEventListener('abort', end);
  });
}

/** The state computed from the events of a stream, and why the stream failed, if it did. */
type StreamState<State> = { readonly state: State; readonly failure: ApiFailure | null };

/**
 * Follows a stream while the component is mounted. Each event updates the state at once, but the component renders at
 * most once per animation frame, so a thousand events a second cost no more than sixty. A null path follows nothing.
 */
export function useEventStream<State>(
  path: string | null,
  start: State,
  update: (state: State, event: StreamEvent) => State,
): StreamState<State> {
  const [shown, setShown] = useState<StreamState<State>>({ state: start, failure: null });
  const latest = useRef(update);
  latest.current = update;
  const isIn = session.value !== null;
  useEffect(() => {
    if (path === null || !isIn) return undefined;
    const controller = new AbortController();
    let state = start;
    let frameRequest = 0;
    const draw = (): void => {
      frameRequest = 0;
      setShown({ state, failure: null });
    };
    async function follow(target: string): Promise<void> {
      try {
        for await (const event of streamEvents(target, controller.signal)) {
          state = latest.current(state, event);
          if (frameRequest === 0) frameRequest = requestAnimationFrame(draw);
        }
      } catch (error) {
        if (!(error instanceof StreamRefusedError)) throw error;
        setShown({ state, failure: error.failure });
      }
    }
    void follow(path);
    return () => {
      controller.abort();
      cancelAnimationFrame(frameRequest);
    };
  }, [path, isIn]);
  return shown;
}
