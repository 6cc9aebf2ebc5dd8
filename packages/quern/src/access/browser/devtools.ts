import type { Readable, Writable } from 'node:stream';
import { BROWSER_SESSION, type DevToolsCommand, DevToolsPipe, memberText, type Message } from './devtools-pipe.ts';

/** An event that a browser sends unasked. */
export type DevToolsEvent = { readonly method: string; readonly params: unknown };

type Params = Readonly<Record<string, unknown>>;
type Listener = (event: DevToolsEvent) => void;
type OnMessage = (message: Message) => void;

/** A session with the browser itself or with one of its pages. */
export type TargetSession = {
  /** Sends one command; throws the signal's reason, `CommandRefused` or `BrowserGone`. The answer is unchecked. */
  readonly send: (method: string, params: Params, signal: AbortSignal) => Promise<unknown>;
  /** Hears every event of the session until the returned function is called. */
  readonly listen: (listener: Listener) => () => void;
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

/** A Chrome DevTools Protocol client: the sessions of one browser over one pipe. Itself the session of the browser. */
export class DevTools implements TargetSession {
  /** Resolves with the reason when no command can be sent any more. */
  readonly gone: Promise<BrowserGone>;
  readonly #pipe: DevToolsPipe;
  readonly #leave: (reason: BrowserGone) => void;
  /** Commands without an answer yet, by their ids. */
  readonly #pending = new Map<number, Pending>();
  /** Commands of other drivers, by our ids. */
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
   * Lets another driver use the same pipe, with ids of its own: `onMessage` gets the answers to it and every event of
   * every session, in the order of the browser. The returned function sends.
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

  #take(message: Message): void {
    const { id, method, session, params } = message;
    if (id !== null) return this.#onAnswer(id, message);
    if (method === null) return;
    for (const listener of this.#listeners.get(session) ?? []) listener({ method, params });
    for (const onMessage of this.#drivers) onMessage(message);
    if (method === 'Target.detachedFromTarget') this.#dropSession(memberText(params, 'sessionId') ?? BROWSER_SESSION);
  }

  #onAnswer(id: number, message: Message): void {
    const other = this.#relayed.get(id);
    if (other !== undefined) {
      this.#relayed.delete(id);
      other.onMessage({ ...message, id: other.id });
      return;
    }
    const one = this.#pending.get(id);
    this.#pending.delete(id);
    if (message.error === null) one?.resolve(message.result);
    else one?.reject(new CommandRefused(one.method, message.error));
  }

  #dropSession(session: string): void {
    this.#listeners.delete(session);
    for (const [id, one] of this.#pending) {
      if (one.session !== session) continue;
      this.#pending.delete(id);
      one.reject(new BrowserGone('the page was closed'));
    }
  }

  #finish(reason: string): void {
    if (this.#end !== null) return;
    this.#end = new BrowserGone(reason);
    for (const one of this.#pending.values()) one.reject(this.#end);
    this.#pending.clear();
    this.#leave(this.#end);
  }
}
