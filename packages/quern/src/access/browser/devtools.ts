import type { Readable, Writable } from 'node:stream';

/** An event that a browser sends unasked. */
export type DevToolsEvent = { readonly method: string; readonly params: unknown };

type Params = Readonly<Record<string, unknown>>;
type Listener = (event: DevToolsEvent) => void;
type OnMessage = (message: DevToolsMessage) => void;

/** A DevTools session with the browser or with one of its pages. */
export type TargetSession = {
  /** Sends one command and returns its unchecked result; throws the signal's reason, `CommandRefused` or `BrowserGone`. */
  readonly send: (method: string, params: Params, signal: AbortSignal) => Promise<unknown>;
  /** Receives all events of the session until the returned function is called. */
  readonly listen: (listener: Listener) => () => void;
};

/** The browser rejected a command. */
export class CommandRefused extends Error {
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'CommandRefused';
  }
}

/** The browser, or the page of a session, was closed or crashed. */
export class BrowserGone extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrowserGone';
  }
}

type PendingCommand = {
  readonly session: string;
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** A Chrome DevTools Protocol client: the sessions of one browser over one pipe. Itself the session of the browser. */
export class DevTools implements TargetSession {
  /** Resolves with the reason when the connection has ended. */
  readonly gone: Promise<BrowserGone>;
  readonly #pipe: DevToolsPipe;
  readonly #leave: (reason: BrowserGone) => void;
  /** Pending commands by id. */
  readonly #pending = new Map<number, PendingCommand>();
  /** Relayed commands of other drivers, by our ids. */
  readonly #relayed = new Map<number, { readonly id: number; readonly onMessage: OnMessage }>();
  readonly #drivers = new Set<OnMessage>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #lastId = 0;
  #end: BrowserGone | null = null;

  constructor(to: Writable, from: Readable) {
    const { promise, resolve } = Promise.withResolvers<BrowserGone>();
    [this.gone, this.#leave] = [promise, resolve];
    this.#pipe = new DevToolsPipe(to, from, {
      onMessage: (message) => this.#take(message),
      onEnd: (reason) => this.#finish(reason),
    });
  }

  async send(method: string, params: Params, signal: AbortSignal): Promise<unknown> {
    return this.#send(BROWSER_SESSION, { method, params }, signal);
  }

  listen(listener: Listener): () => void {
    return this.#listen(BROWSER_SESSION, listener);
  }

  /** The session that `Target.attachToTarget` opened with `flatten`. */
  session(id: string): TargetSession {
    return {
      send: async (method, params, signal) => this.#send(id, { method, params }, signal),
      listen: (listener) => this.#listen(id, listener),
    };
  }

  /**
   * Lets another driver use the same pipe with its own ids: `onMessage` receives its responses and all events of all sessions, in
   * order. The returned function sends commands.
   */
  relay(onMessage: OnMessage): (command: DevToolsCommand) => void {
    this.#drivers.add(onMessage);
    return ({ id, session, method, params }) => {
      const own = this.#nextId();
      this.#relayed.set(own, { id, onMessage });
      this.#pipe.write({ id: own, session, method, params });
    };
  }

  async #send(
    session: string,
    { method, params }: { readonly method: string; readonly params: Params },
    signal: AbortSignal,
  ): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#end !== null) throw this.#end;
    const id = this.#nextId();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { session, method, resolve, reject });
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#pipe.write({ id, session, method, params });
    try {
      return await promise;
    } finally {
      this.#pending.delete(id);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #listen(session: string, listener: Listener): () => void {
    const those = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, those.add(listener));
    return () => void those.delete(listener);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #take(message: DevToolsMessage): void {
    const { id, method, session, params } = message;
    if (id !== null) return this.#onAnswer(id, message);
    if (method === null) return;
    for (const listener of this.#listeners.get(session) ?? []) listener({ method, params });
    for (const onMessage of this.#drivers) onMessage(message);
    if (method === 'Target.detachedFromTarget')
      this.#dropSession(getMemberText(params, 'sessionId') ?? BROWSER_SESSION);
  }

  #onAnswer(id: number, message: DevToolsMessage): void {
    const other = this.#relayed.get(id);
    if (other !== undefined) {
      this.#relayed.delete(id);
      other.onMessage({ ...message, id: other.id });
      return;
    }
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (message.error === null) pending?.resolve(message.result);
    else pending?.reject(new CommandRefused(pending.method, message.error));
  }

  #dropSession(session: string): void {
    this.#listeners.delete(session);
    for (const [id, call] of this.#pending) {
      if (call.session !== session) continue;
      this.#pending.delete(id);
      call.reject(new BrowserGone('the page was closed'));
    }
  }

  #finish(reason: string): void {
    if (this.#end !== null) return;
    this.#end = new BrowserGone(reason);
    for (const call of this.#pending.values()) call.reject(this.#end);
    this.#pending.clear();
    this.#leave(this.#end);
  }
}

/** A message of the browser: a response has an `id`, an event has a `method`. */
export type DevToolsMessage = {
  readonly id: number | null;
  readonly session: string;
  readonly method: string | null;
  readonly params: unknown;
  readonly result: unknown;
  readonly error: string | null;
  /** The error code (JSON-RPC 2.0). */
  readonly errorCode: number | null;
};

/** A command to the browser; the session is empty for the browser itself. */
type DevToolsCommand = {
  readonly id: number;
  readonly session: string;
  readonly method: string;
  readonly params: unknown;
};

type PipeListeners = {
  readonly onMessage: (message: DevToolsMessage) => void;
  /** Called with the reason, possibly more than once, when the pipe breaks or closes. */
  readonly onEnd: (reason: string) => void;
};

/** The session of the browser itself. */
const BROWSER_SESSION = '';
/** Maximum size of a message; a screenshot of 20 megapixels in base64 fits. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/**
 * The two ends of `--remote-debugging-pipe`: JSON messages of the Chrome DevTools Protocol, each terminated by a NUL byte;
 * `sessionId` identifies the page.
 */
class DevToolsPipe {
  readonly #to: Writable;

  constructor(to: Writable, from: Readable, { onMessage, onEnd }: PipeListeners) {
    this.#to = to;
    const split = createSplitter((text) => onMessage(parseMessage(text)), MAX_MESSAGE_BYTES);
    from.on('data', (chunk: Buffer) => {
      if (!split(chunk)) from.destroy(new Error('a message of the browser is too large'));
    });
    for (const stream of [to, from]) {
      stream.on('error', (error) => onEnd(error.message));
      stream.on('close', () => onEnd('the browser ended'));
    }
  }

  /** Writes one command. Commands of one event loop turn are written together, because each write wakes the browser. */
  write({ id, session, method, params }: DevToolsCommand): void {
    const to = this.#to;
    if (to.writableCorked === 0) {
      to.cork();
      setImmediate(() => to.uncork());
    }
    to.write(
      `${JSON.stringify({ id, method, params, ...(session === BROWSER_SESSION ? {} : { sessionId: session }) })}\0`,
    );
  }
}

/** Splits a stream at NUL bytes; returns false if a piece is longer than `most` bytes. */
function createSplitter(onText: (text: string) => void, most: number): (chunk: Buffer) => boolean {
  let chunks: Buffer[] = [];
  let bytes = 0;
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, from)) {
      const last = chunk.subarray(from, at);
      onText(chunks.length === 0 ? last.toString() : Buffer.concat([...chunks, last]).toString());
      chunks = [];
      bytes = 0;
      from = at + 1;
    }
    if (from < chunk.byteLength) chunks.push(chunk.subarray(from));
    bytes += chunk.byteLength - from;
    return bytes <= most;
  };
}

function parseMessage(text: string): DevToolsMessage {
  const message: unknown = JSON.parse(text);
  const id = getMember(message, 'id');
  const error = getMember(message, 'error');
  const code = getMember(error, 'code');
  return {
    id: typeof id === 'number' ? id : null,
    session: getMemberText(message, 'sessionId') ?? BROWSER_SESSION,
    method: getMemberText(message, 'method'),
    params: getMember(message, 'params'),
    result: getMember(message, 'result'),
    error: error === undefined ? null : (getMemberText(error, 'message') ?? 'refused'),
    errorCode: typeof code === 'number' ? code : null,
  };
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** A string member of an object, else null. */
function getMemberText(value: unknown, name: string): string | null {
  const text = getMember(value, name);
  return typeof text === 'string' ? text : null;
}
