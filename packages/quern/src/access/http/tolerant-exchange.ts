import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { type Dispatcher, errors } from 'undici';
import { AnswerReader, type TolerantHead } from '#access/answer-reader.ts';

/** A request as `Dispatcher.dispatch` takes it. */
export type WireOptions = {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body?: string;
};

type TolerantParts = {
  readonly host: string;
  /** Connects to the target, by HTTP/1.1. */
  readonly dial: () => Promise<Socket>;
  readonly maxHeadBytes: number;
};

/**
 * Sends a request over a connection of its own and reads the answer as browsers do, for answers that undici refuses.
 * The connection is never used again: what such a server sends after its answer could be taken for the next one.
 */
export function dispatchTolerantly(
  parts: TolerantParts,
  asked: WireOptions,
  handler: Dispatcher.DispatchHandler,
): void {
  const exchange = new TolerantExchange(parts, handler);
  exchange.run(asked).catch((error: unknown) => {
    exchange.fail(error instanceof Error ? error : new Error(String(error)));
  });
}

class TolerantExchange implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  rawHeaders: string[] = [];
  readonly #parts: TolerantParts;
  readonly #handler: Dispatcher.DispatchHandler;
  #socket: Socket | null = null;
  #isOver = false;

  constructor(parts: TolerantParts, handler: Dispatcher.DispatchHandler) {
    this.#parts = parts;
    this.#handler = handler;
  }

  async run({ path, method, headers, body }: WireOptions): Promise<void> {
    const { host, dial, maxHeadBytes } = this.#parts;
    const socket = await dial();
    this.#socket = socket;
    const reader = new AnswerReader(
      {
        onHead: (head) => this.#onHead(head),
        onData: (piece) => this.#handler.onResponseData?.(this, piece),
      },
      maxHeadBytes,
    );
    const read = (work: () => void): void => {
      if (this.#isOver) return;
      try {
        work();
        if (reader.isComplete) this.#complete();
      } catch (error) {
        this.fail(error instanceof Error ? error : new Error(String(error)));
      }
    };
    socket.on('error', (error) => this.fail(error));
    socket.once('close', () => this.fail(new errors.SocketError('other side closed')));
    this.#handler.onRequestStart?.(this, {});
    if (this.aborted) return;
    socket.once('data', () => this.#handler.onResponseStarted?.());
    socket.on('data', (chunk: Buffer) => read(() => reader.push(chunk)));
    socket.once('end', () =>
      read(() => {
        if (!reader.end()) throw new errors.SocketError('other side closed');
      }),
    );
    const fields = ['host', host, 'connection', 'close', ...headers];
    if (body !== undefined) fields.push('content-length', String(Buffer.byteLength(body)));
    const lines = fields.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${fields[at + 1] ?? ''}\r\n`] : []));
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
    if (body !== undefined) socket.write(body);
  }

  /** Ends the exchange with an error, unless it is over. */
  fail(error: Error): void {
    if (this.#isOver) return;
    this.#close();
    this.#handler.onResponseError?.(this, error);
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    this.fail(reason);
    this.#socket?.destroy();
  }

  pause(): void {
    this.paused = true;
    this.#socket?.pause();
  }

  resume(): void {
    this.paused = false;
    this.#socket?.resume();
  }

  #onHead({ status, reason, fields }: TolerantHead): void {
    this.rawHeaders = [...fields];
    this.#handler.onResponseStart?.(this, status, toIncoming(fields), reason);
  }

  #complete(): void {
    if (this.#isOver) return;
    this.#close();
    this.#handler.onResponseEnd?.(this, {});
  }

  #close(): void {
    this.#isOver = true;
    this.#socket?.destroy();
  }
}

function toIncoming(fields: readonly string[]): IncomingHttpHeaders {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = (fields[at] ?? '').toLowerCase();
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [fields[at + 1] ?? '']);
    else values.push(fields[at + 1] ?? '');
  }
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
