import type { IncomingHttpHeaders } from 'node:http';
import { errors } from 'undici';
import type { Dispatcher } from 'undici';
import type { Timer } from '#kernel/clock.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import { concat } from './content-decoding.ts';
import { errorCodeOf, toTlsFailure, toUnreached } from '#access/error-causes.ts';
import { failed, pageTooLarge, PROTOCOL } from '#access/failure.ts';
import { SMALL_BYTES } from '#access/limits.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { Connections } from './connection-pools.ts';
import type { BodyCut, Received, ReceivedHead } from '#access/exchange-recorder.ts';

/** One answer on the wire, before decoding and without following redirects. */
export type RawResponse = {
  readonly status: number;
  /** Lower-case names; repeated fields joined by `, `, but for the first Location. */
  readonly headers: Readonly<Record<string, string>>;
  readonly setCookies: readonly string[];
  readonly wire: Uint8Array<ArrayBuffer>;
};

export type WireRequest = {
  readonly url: URL;
  /** Names and values in turn, in the order to send. */
  readonly headers: string[];
  /** Sent by POST; a GET without. */
  readonly post?: string;
  readonly limits: VisitLimits;
  readonly signal: AbortSignal;
  /** Told of the answer as it came, whole or not. */
  readonly seen?: (received: Received) => void;
  /** Grows with what comes of a large body; while there is no room, nothing more is read. */
  readonly share?: MemoryShare;
};

/**
 * Sends one GET, or a POST that only asks, and takes the answer in, bounded by `limits` and the signal. Throws `target_unreachable`, `timeout`,
 * `content_too_large` or `unusable_response`.
 */
export async function exchange(connections: Connections, request: WireRequest): Promise<RawResponse> {
  try {
    return await exchangeOnce(connections, request);
  } catch (error) {
    if (!isBrokenSocket(error)) throw error;
    return exchangeOnce(connections, request);
  }
}

function exchangeOnce(
  { pool, peer }: Connections,
  { url, headers, post, limits, signal, seen, share }: WireRequest,
): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  let controller: Dispatcher.DispatchController | null = null;
  let firstByte: Timer | undefined;
  let head: Omit<RawResponse, 'wire'> | null = null;
  let raw: ReceivedHead | null = null;
  let begun = false;
  let settled = false;
  let interim = 0;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let waits = 0;

  function settle(error: ServiceError | null, cut: BodyCut | null): void {
    if (settled) return;
    settled = true;
    firstByte?.close();
    signal.removeEventListener('abort', onAbort);
    if (raw !== null) seen?.({ ...raw, body: chunks, cut, ip: peer() });
    if (error === null && head !== null) resolve({ ...head, wire: concat(chunks, bytes) });
    else reject(error ?? failed('unusable', MALFORMED));
  }
  /** Ends the exchange early; undici closes the connection or resets the stream. */
  function stop(error: ServiceError | null, cut: BodyCut): void {
    settle(error, cut);
    controller?.abort(error ?? new Error('enough was read'));
  }
  /** Waits with the rest of the body until there is room for this piece; when the time is up `onAbort` ends the wait. */
  function makeRoom(piece: number): void {
    if (share === undefined || bytes <= SMALL_BYTES || share.tryGrow(piece)) return;
    controller?.pause();
    waits += 1;
    const goOn = (): void => {
      waits -= 1;
      if (waits === 0) controller?.resume();
    };
    share.grow(piece, signal).then(goOn, goOn);
  }
  function onAbort(): void {
    stop(failed('timeout', SLOW, { reason: head === null ? 'no_answer' : 'slow_body', bytes }), 'time');
  }
  function onFirstByteLate(): void {
    stop(failed('timeout', SLOW, { reason: 'first_byte' }), 'time');
  }

  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  if (settled) return promise;
  pool.dispatch(
    {
      path: `${url.pathname}${url.search}`,
      headers,
      ...(post === undefined ? { method: 'GET' } : { method: 'POST', body: post }),
    },
    {
      onRequestStart(started) {
        controller = started;
        if (settled) return started.abort(new Error('no longer wanted'));
        firstByte = SYSTEM_CLOCK.after(limits.firstByteMs, onFirstByteLate);
      },
      onResponseStarted() {
        begun = true;
      },
      onResponseStart({ rawHeaders }, status, received, reason = '') {
        begun = true;
        if (status < 200) {
          interim += 1;
          if (interim > limits.interim) {
            stop(failed('unusable', MALFORMED, { reason: 'interim_answers', status }), 'length');
          }
          return;
        }
        firstByte?.close();
        head = readHead(status, received);
        if (sizeOf(received) > limits.headerBytes) return stop(tooManyHeaders(), 'length');
        if (seen !== undefined) raw = toReceivedHead(status, reason, rawHeaders);
        if (Number(head.headers['content-length']) > limits.wireBytes) {
          stop(tooLarge(limits, { status, bytes }), 'length');
        }
      },
      onResponseData(_, chunk) {
        bytes += chunk.byteLength;
        chunks.push(chunk);
        if (head !== null && isRedirect(head.status) && bytes > limits.redirectBytes) return stop(null, 'length');
        if (bytes > limits.wireBytes) return stop(tooLarge(limits, { status: head?.status, bytes }), 'length');
        makeRoom(bytes - chunk.byteLength < SMALL_BYTES ? bytes : chunk.byteLength);
      },
      onResponseEnd() {
        settle(null, null);
      },
      onResponseError(_, error) {
        settle(toHttpFailure(error, { begun, status: head?.status, bytes }), 'disconnect');
      },
    },
  );
  return promise;
}

/** The statuses that lead elsewhere (RFC 9110 section 15.4). */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

const SLOW = 'the target did not answer in time';
const MALFORMED = 'the target sent a malformed answer';

function tooLarge(
  limits: VisitLimits,
  seen: { readonly status: number | undefined; readonly bytes: number },
): ServiceError {
  return pageTooLarge(limits.wireBytes, { reason: 'wire_bytes', ...seen });
}

function tooManyHeaders(): ServiceError {
  return failed('unusable', MALFORMED, { reason: 'header_bytes' });
}

function readHead(status: number, received: IncomingHttpHeaders): Omit<RawResponse, 'wire'> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(received)) {
    const value = received[name];
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of typeof value === 'string' ? [value] : value) addField(headers, name, one);
  }
  const cookies: string | string[] | undefined = received['set-cookie'];
  return { status, headers, setCookies: typeof cookies === 'string' ? [cookies] : (cookies ?? []) };
}

/** Adds a field under its lower-case name to what came before (RFC 9110 section 5.3); a second Location says nothing new. */
export function addField(headers: Record<string, string>, name: string, value: string): void {
  const key = name.toLowerCase();
  const before = headers[key];
  if (before === undefined) headers[key] = value;
  else if (key !== 'location') headers[key] = `${before}, ${value}`;
}

/** HTTP/2 does not bound fields as the HTTP/1.1 parser does. */
function sizeOf(received: IncomingHttpHeaders): number {
  let bytes = 0;
  for (const name of Object.keys(received)) {
    const value = received[name];
    const values = typeof value === 'string' ? [value] : (value ?? []);
    for (const one of values) bytes += name.length + one.length;
  }
  return bytes;
}

/** What of an answer had come when it failed. */
export type PartialResponse = { readonly begun: boolean; readonly status: number | undefined; readonly bytes: number };

/** The caller’s error for what undici says. */
export function toHttpFailure(error: Error, { begun, status, bytes }: PartialResponse): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = errorCodeOf(error);
  const facts = { status, bytes, cause: error };
  if (error instanceof errors.ConnectTimeoutError) return failed('timeout', SLOW, { ...facts, reason: 'connect' });
  if (error instanceof errors.InvalidArgumentError) {
    return new ServiceError('invalid_request', `headers: ${error.message}`, { cause: error });
  }
  if (TLS_CODES.test(code)) return toTlsFailure(code, facts);
  if (error instanceof errors.HeadersOverflowError) return tooManyHeaders();
  if (LENGTHS.test(error.message)) return failed('unusable', MALFORMED, { ...facts, reason: 'lengths' });
  if (begun || MALFORMED_CODES.test(code)) return failed('unusable', MALFORMED, { ...facts, reason: PROTOCOL });
  return toUnreached(code, facts);
}

const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_|EPROTO$)/;
/** What the parser says of heads that do not tell where the answer ends; a length said twice is no other to it than two. */
const LENGTHS = /content-length|transfer-encoding/i;
const MALFORMED_CODES = /^(HPE_|ERR_HTTP2_)/;

/** Whether a connection broke: a kept-alive one may close just as it is used again, and what only asks is safe to send once more. */
export function isBrokenSocket(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'target_unreachable') return false;
  const { cause } = error;
  const socketError = cause instanceof Error ? cause.cause : null;
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(errorCodeOf(socketError));
}

type RawHeaders = Dispatcher.DispatchController['rawHeaders'];

/** The head of an answer by the fields that undici keeps as they came: bytes of HTTP/1.1, texts of HTTP/2. */
export function toReceivedHead(status: number, reason: string, raw: RawHeaders): ReceivedHead {
  if (Array.isArray(raw)) {
    const headers = raw.map((one) => (typeof one === 'string' ? one : one.toString('latin1')));
    return { protocol: 'http/1.1', status, reason, headers };
  }
  const headers = Object.entries(raw ?? {}).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, one]),
  );
  return { protocol: 'h2', status, reason, headers };
}
