import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { ServiceError } from '#kernel/errors.ts';
import { loadUndici } from '#kernel/undici.ts';
import { buildFailure, PROTOCOL_ERROR } from './failure.ts';
import type { Submission } from './page.ts';

export const MALFORMED_MESSAGE = 'the target sent a malformed answer';

/** The head of an HTTP/1 response as Latin-1. */
export type TolerantResponseHead = {
  readonly status: number;
  readonly reason: string;
  /** Alternating names and values, as sent, trimmed. */
  readonly fields: readonly string[];
};

type ResponseHandler = {
  /** Called with each head, including those of interim responses. */
  readonly onHead: (head: TolerantResponseHead) => void;
  readonly onData: (piece: Buffer) => void;
};

/** What the reader expects next. */
type ReaderState = 'head' | 'bytes' | 'rest' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer' | 'nothing';

const LF = 0x0a;
const CR = 0x0d;
/** The longest line between two chunks. */
const MAX_LINE_BYTES = 4096;

/**
 * Reads one HTTP/1 response as tolerantly as browsers: accepts bare line feeds, folded lines, white space before a colon, invalid
 * header lines, Content-Length together with chunks, a repeated or invalid Content-Length, and unknown codings. Rejects two
 * different lengths, NUL, and data that does not start as HTTP.
 */
export class TolerantResponseReader {
  readonly #handler: ResponseHandler;
  readonly #maxHeadBytes: number;
  #awaited: ReaderState = 'head';
  /** The pieces of an incomplete head or line. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Length of the current line without carriage returns. */
  #lineChars = 0;
  /** Whether the status line was read. */
  #isBegun = false;
  /** Remaining bytes of the body or chunk. */
  #left = 0;

  constructor(handler: ResponseHandler, maxHeadBytes: number) {
    this.#handler = handler;
    this.#maxHeadBytes = maxHeadBytes;
  }

  /** Whether the response is complete. */
  get isComplete(): boolean {
    return this.#awaited === 'nothing';
  }

  /** Reads a chunk; drops bytes after a complete response. Throws `unusable_response`. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.byteLength > 0 && this.#awaited !== 'nothing') rest = this.#take(rest);
  }

  /** Ends the response with its connection; returns whether it is complete. */
  end(): boolean {
    if (this.#awaited === 'rest') this.#awaited = 'nothing';
    return this.isComplete;
  }

  #take(bytes: Buffer): Buffer {
    switch (this.#awaited) {
      case 'head':
        return this.#takeHead(bytes);
      case 'bytes':
      case 'chunk':
        return this.#takeCounted(bytes);
      case 'rest':
        this.#handler.onData(bytes);
        return bytes.subarray(bytes.byteLength);
      default:
        return this.#takeLine(bytes);
    }
  }

  /** Reads up to the blank line after a head; skips blank lines before it. */
  #takeHead(bytes: Buffer): Buffer {
    for (let at = 0; at < bytes.byteLength; at += 1) {
      const byte = bytes[at];
      if (byte !== LF) {
        if (byte !== CR) this.#lineChars += 1;
        continue;
      }
      const isBlank = this.#lineChars === 0;
      this.#lineChars = 0;
      if (!isBlank && !this.#isBegun) this.#begin(bytes.subarray(0, at));
      if (!isBlank) continue;
      const head = this.#join(bytes.subarray(0, at + 1)).toString('latin1');
      if (head.trim() !== '') this.#onHead(head);
      return bytes.subarray(at + 1);
    }
    return this.#keep(bytes, this.#maxHeadBytes);
  }

  /** Rejects data that does not start as HTTP, without waiting for a blank line. */
  #begin(last: Buffer): void {
    const line = Buffer.concat([...this.#pieces, last])
      .toString('latin1')
      .trim();
    if (!STATUS_LINE.test(line)) throw buildMalformedError(PROTOCOL_ERROR);
    this.#isBegun = true;
  }

  #takeCounted(bytes: Buffer): Buffer {
    const piece = bytes.subarray(0, this.#left);
    this.#left -= piece.byteLength;
    this.#handler.onData(piece);
    if (this.#left === 0) this.#awaited = this.#awaited === 'chunk' ? 'chunk end' : 'nothing';
    return bytes.subarray(piece.byteLength);
  }

  #takeLine(bytes: Buffer): Buffer {
    const end = bytes.indexOf(LF);
    if (end < 0) return this.#keep(bytes, MAX_LINE_BYTES);
    this.#onLine(this.#join(bytes.subarray(0, end)).toString('latin1').trim());
    return bytes.subarray(end + 1);
  }

  #onLine(line: string): void {
    if (this.#awaited === 'trailer') {
      if (line === '') this.#awaited = 'nothing';
      return;
    }
    if (this.#awaited === 'chunk end') {
      if (line !== '') throw buildMalformedError(PROTOCOL_ERROR);
      this.#awaited = 'chunk size';
      return;
    }
    const size = /^[\da-f]{1,13}(?=\s*(?:;|$))/i.exec(line)?.[0];
    if (size === undefined) throw buildMalformedError(PROTOCOL_ERROR);
    this.#left = Number.parseInt(size, 16);
    this.#awaited = this.#left === 0 ? 'trailer' : 'chunk';
  }

  #onHead(text: string): void {
    const head = parseHead(text);
    this.#isBegun = false;
    this.#handler.onHead(head);
    if (head.status === 101) throw buildMalformedError(PROTOCOL_ERROR);
    if (head.status < 200) return;
    this.#awaited = this.#bodyOf(head);
  }

  /** What follows a head (RFC 9112 section 6.3). */
  #bodyOf({ status, fields }: TolerantResponseHead): ReaderState {
    if (status === 204 || status === 304) return 'nothing';
    if (listFieldValues(fields, 'transfer-encoding').some((coding) => coding.toLowerCase() === 'chunked'))
      return 'chunk size';
    const lengths = listFieldValues(fields, 'content-length');
    if (lengths.length === 0 || !lengths.every((one) => /^\d{1,15}$/.test(one))) return 'rest';
    const [length = 0, ...others] = new Set(lengths.map(Number));
    if (others.length > 0) throw buildMalformedError('lengths');
    this.#left = length;
    return length === 0 ? 'nothing' : 'bytes';
  }

  #keep(bytes: Buffer, maxBytes: number): Buffer {
    this.#pieces.push(bytes);
    this.#bytes += bytes.byteLength;
    if (this.#bytes > maxBytes) throw buildMalformedError(this.#awaited === 'head' ? 'header_bytes' : PROTOCOL_ERROR);
    return bytes.subarray(bytes.byteLength);
  }

  #join(last: Buffer): Buffer {
    const whole = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    this.#bytes = 0;
    if (this.#awaited === 'head' && whole.byteLength > this.#maxHeadBytes) throw buildMalformedError('header_bytes');
    return whole;
  }
}

/** A status line; like browsers, tolerates up to four bytes before it and any version. */
const STATUS_LINE = /^[^\n]{0,4}?HTTP(?:\/\d+(?:\.\d+)?)?[ \t]+(\d{3})(?!\d)[ \t]*(.*)$/i;

function parseHead(text: string): TolerantResponseHead {
  if (text.includes('\0')) throw buildMalformedError(PROTOCOL_ERROR);
  const [first = '', ...lines] = text.trim().split(/\r*\n/);
  const [, status, reason = ''] = STATUS_LINE.exec(first) ?? [];
  if (status === undefined || Number(status) < 100) throw buildMalformedError(PROTOCOL_ERROR);
  const fields: string[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (fields.length > 0) fields.push(`${fields.pop() ?? ''} ${cleanFieldValue(line)}`);
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    if (colon > 0 && FIELD_NAME.test(name)) fields.push(name, cleanFieldValue(line.slice(colon + 1)));
  }
  return { status: Number(status), reason: cleanFieldValue(reason), fields };
}

/** A name of a field (RFC 9110 section 5.6.2). */
const FIELD_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Replaces control characters, which are not allowed in header values. */
function cleanFieldValue(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0001-\u0008\u000a-\u001f\u007f]/g, ' ').trim();
}

/** The items of a list header, which may be split over several headers of the same name. */
function listFieldValues(fields: readonly string[], name: string): readonly string[] {
  const values = fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.toLowerCase() === name);
  return values.flatMap((value) => value.split(',')).map((one) => one.trim());
}

function buildMalformedError(reason: string): ServiceError {
  return buildFailure('unusable', MALFORMED_MESSAGE, { reason, isPermanent: true });
}

/** A request as `Dispatcher.dispatch` takes it. */
export type DispatchOptions = {
  readonly path: string;
  readonly method: 'GET' | Submission['method'];
  /** Alternating names and values. */
  readonly headers: string[];
  readonly body: string | null;
  /** Called before the request is written; an error prevents that. Only `dispatchTolerantly` calls it. */
  readonly beforeWrite: (() => Promise<void>) | undefined;
};

type TolerantOptions = {
  readonly host: string;
  /** Opens a connection for HTTP/1.1 to the target. */
  readonly dial: () => Promise<Socket>;
  readonly maxHeadBytes: number;
};

/**
 * Sends a request once over a new connection and reads the response tolerantly, also responses that undici rejects. The
 * connection is not reused, because further bytes of such a server could be taken for the next response.
 */
export function dispatchTolerantly(
  parts: TolerantOptions,
  options: DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): void {
  const exchange = new TolerantExchange(parts, handler);
  exchange.run(options).catch((error: unknown) => {
    exchange.fail(error instanceof Error ? error : new Error(String(error)));
  });
}

class TolerantExchange implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  rawHeaders: string[] = [];
  readonly #parts: TolerantOptions;
  readonly #handler: Dispatcher.DispatchHandler;
  #socket: Socket | null = null;
  #isOver = false;

  constructor(parts: TolerantOptions, handler: Dispatcher.DispatchHandler) {
    this.#parts = parts;
    this.#handler = handler;
  }

  async run({ path, method, headers, body, beforeWrite }: DispatchOptions): Promise<void> {
    const { host, dial, maxHeadBytes } = this.#parts;
    const socket = await dial();
    this.#socket = socket;
    const reader = new TolerantResponseReader(
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
    socket.once('close', () => this.fail(new (loadUndici().errors.SocketError)('other side closed')));
    this.#handler.onRequestStart?.(this, {});
    await beforeWrite?.();
    if (this.#isOver) return;
    socket.once('data', () => this.#handler.onResponseStarted?.());
    socket.on('data', (chunk: Buffer) => read(() => reader.push(chunk)));
    socket.once('end', () =>
      read(() => {
        if (!reader.end()) throw new (loadUndici().errors.SocketError)('other side closed');
      }),
    );
    const fields = ['host', host, 'connection', 'close', ...headers];
    if (method !== 'GET') fields.push('content-length', String(Buffer.byteLength(body ?? '')));
    const lines = fields.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${fields[at + 1] ?? ''}\r\n`] : []));
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
    if (body !== null) socket.write(body);
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

  #onHead({ status, reason, fields }: TolerantResponseHead): void {
    this.rawHeaders = [...fields];
    this.#handler.onResponseStart?.(this, status, toIncomingHeaders(fields), reason);
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

function toIncomingHeaders(fields: readonly string[]): IncomingHttpHeaders {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = (fields[at] ?? '').toLowerCase();
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [fields[at + 1] ?? '']);
    else values.push(fields[at + 1] ?? '');
  }
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
