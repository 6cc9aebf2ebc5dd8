import type { Readable, Writable } from 'node:stream';

/** What a browser says unasked. */
export type DevToolsEvent = { readonly method: string; readonly params: unknown };

type Params = Readonly<Record<string, unknown>>;
type Listener = (event: DevToolsEvent) => void;

/** One conversation with the browser itself or with one of its pages. */
export type TargetSession = {
  /** Sends one command; throws the signal's reason, `CommandRefused` or `BrowserGone`. The answer is unchecked. */
  readonly send: (method: string, params: Params, signal: AbortSignal) => Promise<unknown>;
  /** Hears every event of the session until the returned function is called. */
  readonly listen: (listener: Listener) => () => void;
};

export type DevTools = TargetSession & {
  /** The conversation that `Target.attachToTarget` opened with `flatten`. */
  readonly session: (id: string) => TargetSession;
  /**
   * Another driver's conversation over the same pipe, with ids of its own: `tell` hears the answers to it and every event
   * of every session, in the order of the browser. The returned function sends.
   */
  readonly relay: (tell: (message: Message) => void) => (command: Relayed) => void;
  /** Resolves with the reason when nothing more can be said. */
  readonly gone: Promise<BrowserGone>;
};

/** A command of another driver; the session is empty for the browser itself. */
export type Relayed = {
  readonly id: number;
  readonly session: string;
  readonly method: string;
  readonly params: unknown;
};

/** One message of the browser: an answer has an `id`, an event a `method`. */
export type Message = {
  readonly id: number | null;
  readonly session: string;
  readonly method: string | null;
  readonly params: unknown;
  readonly result: unknown;
  readonly error: string | null;
  /** The number of an error (JSON-RPC 2.0). */
  readonly errorCode: number | null;
};

/** The browser understood a command and did not do it. */
export class CommandRefused extends Error {
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'CommandRefused';
  }
}

/** The browser, or the page of a session, is no longer there. */
export class BrowserGone extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrowserGone';
  }
}

type Pending = {
  readonly session: string;
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** The browser's own conversation. */
const BROWSER = '';
/** A screenshot of 20 million pixels fits, in base64. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Speaks the Chrome DevTools Protocol over the two ends of `--remote-debugging-pipe`: JSON messages, each ended by a NUL
 * byte, pages told apart by `sessionId`.
 */
export function openDevTools(to: Writable, from: Readable): DevTools {
  const pending = new Map<number, Pending>();
  const listeners = new Map<string, Set<Listener>>();
  const { promise: gone, resolve: leave } = Promise.withResolvers<BrowserGone>();
  const relayed = new Map<number, { readonly id: number; readonly tell: (message: Message) => void }>();
  const tapped = new Set<(message: Message) => void>();
  let lastId = 0;
  let end: BrowserGone | null = null;

  function finish(message: string): void {
    if (end !== null) return;
    end = new BrowserGone(message);
    for (const one of pending.values()) one.reject(end);
    pending.clear();
    leave(end);
  }

  function dropSession(session: string): void {
    listeners.delete(session);
    for (const [id, one] of pending) {
      if (one.session !== session) continue;
      pending.delete(id);
      one.reject(new BrowserGone('the page was closed'));
    }
  }

  function take(message: Message): void {
    const { id, method, session } = message;
    if (id !== null) {
      const other = relayed.get(id);
      if (other !== undefined) {
        relayed.delete(id);
        other.tell({ ...message, id: other.id });
        return;
      }
      const one = pending.get(id);
      pending.delete(id);
      if (message.error === null) one?.resolve(message.result);
      else one?.reject(new CommandRefused(one.method, message.error));
      return;
    }
    if (method === null) return;
    for (const listener of listeners.get(session) ?? []) listener({ method, params: message.params });
    for (const tell of tapped) tell(message);
    if (method === 'Target.detachedFromTarget') dropSession(memberText(message.params, 'sessionId') ?? BROWSER);
  }

  async function send(
    session: string,
    command: { readonly method: string; readonly params: Params },
    signal: AbortSignal,
  ) {
    signal.throwIfAborted();
    if (end !== null) throw end;
    const id = (lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    pending.set(id, { session, method: command.method, resolve, reject });
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    write(id, session, command);
    try {
      return await promise;
    } finally {
      pending.delete(id);
      signal.removeEventListener('abort', onAbort);
    }
  }

  function relay(tell: (message: Message) => void): (command: Relayed) => void {
    tapped.add(tell);
    return ({ id, session, method, params }) => {
      const own = (lastId += 1);
      relayed.set(own, { id, tell });
      write(own, session, { method, params });
    };
  }

  /** What is said in one turn goes in one piece: each that comes by itself wakes the browser. */
  function write(id: number, session: string, command: { readonly method: string; readonly params: unknown }): void {
    if (to.writableCorked === 0) {
      to.cork();
      setImmediate(() => to.uncork());
    }
    to.write(`${JSON.stringify({ id, ...command, ...(session === BROWSER ? {} : { sessionId: session }) })}\0`);
  }

  function open(session: string): TargetSession {
    return {
      send: async (method, params, signal) => send(session, { method, params }, signal),
      listen(listener) {
        const those = listeners.get(session) ?? new Set();
        listeners.set(session, those.add(listener));
        return () => void those.delete(listener);
      },
    };
  }

  const split = splitter((text) => take(readMessage(text)), MOST_BYTES);
  from.on('data', (chunk: Buffer) => {
    if (!split(chunk)) from.destroy(new Error('a message of the browser is too large'));
  });
  for (const stream of [to, from]) {
    stream.on('error', (error) => finish(error.message));
    stream.on('close', () => finish('the browser ended'));
  }
  return { ...open(BROWSER), session: open, relay, gone };
}

/** Cuts a stream at its NUL bytes; false when a piece is longer than `most`. */
function splitter(onText: (text: string) => void, most: number): (chunk: Buffer) => boolean {
  let held: Buffer[] = [];
  let bytes = 0;
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, from)) {
      const last = chunk.subarray(from, at);
      onText(held.length === 0 ? last.toString() : Buffer.concat([...held, last]).toString());
      held = [];
      bytes = 0;
      from = at + 1;
    }
    if (from < chunk.byteLength) held.push(chunk.subarray(from));
    bytes += chunk.byteLength - from;
    return bytes <= most;
  };
}

function readMessage(text: string): Message {
  const message: unknown = JSON.parse(text);
  const id = member(message, 'id');
  const error = member(message, 'error');
  const code = member(error, 'code');
  return {
    id: typeof id === 'number' ? id : null,
    session: memberText(message, 'sessionId') ?? BROWSER,
    method: memberText(message, 'method'),
    params: member(message, 'params'),
    result: member(message, 'result'),
    error: error === undefined ? null : (memberText(error, 'message') ?? 'refused'),
    errorCode: typeof code === 'number' ? code : null,
  };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function memberText(value: unknown, name: string): string | null {
  const text = member(value, name);
  return typeof text === 'string' ? text : null;
}
