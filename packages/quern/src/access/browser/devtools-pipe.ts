import type { Readable, Writable } from 'node:stream';

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

/** A command to the browser; the session is empty for the browser itself. */
export type DevToolsCommand = {
  readonly id: number;
  readonly session: string;
  readonly method: string;
  readonly params: unknown;
};

export type PipeListeners = {
  readonly onMessage: (message: Message) => void;
  /** Called with the reason, possibly more than once, when the pipe breaks or closes. */
  readonly onEnd: (reason: string) => void;
};

/** The session of the browser itself. */
export const BROWSER_SESSION = '';
/** The longest message; a screenshot of 20 million pixels fits, in base64. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * The two ends of `--remote-debugging-pipe`: JSON messages of the Chrome DevTools Protocol, each ended by a NUL byte,
 * pages told apart by `sessionId`.
 */
export class DevToolsPipe {
  readonly #to: Writable;

  constructor(to: Writable, from: Readable, { onMessage, onEnd }: PipeListeners) {
    this.#to = to;
    const split = splitter((text) => onMessage(readMessage(text)), MAX_BYTES);
    from.on('data', (chunk: Buffer) => {
      if (!split(chunk)) from.destroy(new Error('a message of the browser is too large'));
    });
    for (const stream of [to, from]) {
      stream.on('error', (error) => onEnd(error.message));
      stream.on('close', () => onEnd('the browser ended'));
    }
  }

  /** Writes one command; those of one turn of the event loop go in one piece, since each piece wakes the browser. */
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
    session: memberText(message, 'sessionId') ?? BROWSER_SESSION,
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

/** A member of a value where that is an object and the member a text, else null. */
export function memberText(value: unknown, name: string): string | null {
  const text = member(value, name);
  return typeof text === 'string' ? text : null;
}
