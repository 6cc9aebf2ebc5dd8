import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { MALFORMED_MESSAGE, type DispatchOptions } from '#access/tolerant-exchange.ts';
import {
  getErrorCode,
  toTlsFailure,
  toConnectionFailure,
  findAttemptFailure,
  buildFailure,
  buildPageTooLarge,
  PROTOCOL_ERROR,
} from '#access/failure.ts';
import type { BodyCut, ReceivedResponse, ReceivedHead } from '#access/exchange-recorder.ts';
import { MAX_UNCOUNTED_BYTES, type VisitLimits } from '#access/limits.ts';
import { type RunUntimed, runTimed, type Submission } from '#access/page.ts';
import type { Clock, Timer } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import { loadUndici } from '#kernel/undici.ts';
import type { OriginConnections } from './connection-pools.ts';
import { concatBytes } from './content-decoding.ts';
import { countHeaderBytes, isRedirect, type RawResponse, toReceivedHead, toResponseHead } from './response-head.ts';

export type ExchangeRequest = {
  readonly url: URL;
  /** Alternating names and values, in the order to send. */
  readonly headers: string[];
  /** Absent for a GET. */
  readonly submission?: Submission | undefined;
  readonly limits: VisitLimits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the response as received, complete or not. */
  readonly onReceived?: (received: ReceivedResponse) => void;
  /** Memory share for a large body; reading pauses while there is no memory. */
  readonly share?: MemoryShare;
  /** Waits for that memory while the time limit is paused; absent if there is none. */
  readonly runUntimed?: RunUntimed | undefined;
};

/**
 * Sends one request and receives the response within `limits` and the signal. A request that the target must get at most
 * once is sent over a new connection: one that is reused may be closed by the target at that moment. Throws
 * `target_unreachable`, `timeout`, `content_too_large` or `unusable_response`.
 */
export async function sendRequest(connections: OriginConnections, request: ExchangeRequest): Promise<RawResponse> {
  if ((request.submission?.once ?? null) !== null) return sendTolerantly(connections, request);
  try {
    return await sendOnce(connections, request);
  } catch (error) {
    if (!isBrokenSocket(error)) throw error;
    return sendOnce(connections, request);
  }
}

/** Sends a request; if undici rejects the response, repeats the request and reads the response tolerantly, as browsers do. */
async function sendOnce(connections: OriginConnections, request: ExchangeRequest): Promise<RawResponse> {
  const { pool } = connections;
  const strict = new Exchange(connections, request);
  strict.send((asked, handler) => pool.dispatch(asked, handler));
  try {
    return await strict.answer;
  } catch (error) {
    if (!isParserRefusal(error)) throw error;
    return sendTolerantly(connections, request);
  }
}

/** Sends a request over a connection of its own, and reads the response as tolerantly as browsers do. */
async function sendTolerantly(connections: OriginConnections, request: ExchangeRequest): Promise<RawResponse> {
  const tolerant = new Exchange(connections, request);
  tolerant.send(connections.dispatchTolerantly);
  return tolerant.answer;
}

/** One request and its response, as undici's dispatch handler. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<RawResponse>;
  readonly #request: ExchangeRequest;
  readonly #peer: OriginConnections['getPeer'];
  readonly #resolve: (answer: RawResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #onAbort = (): void => this.#onTimeUp();
  readonly #chunks: Uint8Array[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #firstByte: Timer | undefined;
  #head: Omit<RawResponse, 'wire' | 'failure'> | null = null;
  #raw: ReceivedHead | null = null;
  #begun = false;
  #settled = false;
  #interim = 0;
  #bytes = 0;
  /** Number of chunks that wait for memory. */
  #waits = 0;

  constructor({ getPeer }: OriginConnections, request: ExchangeRequest) {
    const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#request = request;
    this.#peer = getPeer;
  }

  /** Sends the request, unless its signal has fired. */
  send(dispatch: (options: DispatchOptions, handler: Dispatcher.DispatchHandler) => void): void {
    const { url, headers, submission, signal } = this.#request;
    if (signal.aborted) return this.#onTimeUp();
    signal.addEventListener('abort', this.#onAbort, { once: true });
    dispatch(
      {
        path: `${url.pathname}${url.search}`,
        headers,
        method: submission?.method ?? 'GET',
        body: submission?.body ?? null,
        beforeWrite: submission?.once?.beforeSend,
      },
      this,
    );
    return undefined;
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    this.#controller = started;
    if (this.#settled) return started.abort(new Error('no longer wanted'));
    const { clock, limits } = this.#request;
    this.#firstByte = clock.after(limits.firstByteMs, () => this.#onFirstByteLate());
    return undefined;
  }

  onResponseStarted(): void {
    this.#begun = true;
  }

  onResponseStart(
    { rawHeaders }: Dispatcher.DispatchController,
    status: number,
    received: IncomingHttpHeaders,
    reason = '',
  ): void {
    this.#begun = true;
    if (status < 200) return this.#onInterim(status);
    const { limits, onReceived } = this.#request;
    this.#firstByte?.close();
    this.#head = toResponseHead(status, received);
    if (countHeaderBytes(received) > limits.headerBytes) return this.#stop(buildHeadersTooLarge(), 'length');
    if (onReceived !== undefined) this.#raw = toReceivedHead(status, reason, rawHeaders);
    if (Number(this.#head.headers['content-length']) > limits.wireBytes) {
      this.#stop(buildTooLarge(limits, { status, bytes: this.#bytes }), 'length');
    }
    return undefined;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const { limits } = this.#request;
    const head = this.#head;
    const before = this.#bytes;
    const bytes = before + chunk.byteLength;
    this.#bytes = bytes;
    this.#chunks.push(chunk);
    if (head !== null && isRedirect(head.status) && bytes > limits.redirectBytes) return this.#stop(null, 'length');
    if (bytes > limits.wireBytes) return this.#stop(buildTooLarge(limits, { status: head?.status, bytes }), 'length');
    return this.#makeRoom(before < MAX_UNCOUNTED_BYTES ? bytes : chunk.byteLength);
  }

  onResponseEnd(): void {
    this.#settle(null, null);
  }

  onResponseError(_: unknown, error: Error): void {
    const partial = { hasBegun: this.#begun, status: this.#head?.status, bytes: this.#bytes };
    this.#settle(toHttpFailure(error, partial), 'disconnect');
  }

  #onInterim(status: number): void {
    this.#interim += 1;
    if (this.#interim <= this.#request.limits.interim) return;
    this.#stop(
      buildFailure('unusable', MALFORMED_MESSAGE, { reason: 'interim_answers', status, isPermanent: true }),
      'length',
    );
  }

  /** Pauses the body until there is memory for this chunk; the signal ends the wait. */
  #makeRoom(piece: number): void {
    const { share, runUntimed = runTimed, signal } = this.#request;
    if (share === undefined || this.#bytes <= MAX_UNCOUNTED_BYTES || share.tryGrow(piece)) return;
    this.#controller?.pause();
    this.#waits += 1;
    const goOn = (): void => {
      this.#waits -= 1;
      if (this.#waits === 0) this.#controller?.resume();
    };
    runUntimed(async () => share.grow(piece, signal)).then(goOn, goOn);
  }

  #onTimeUp(): void {
    const reason = this.#head === null ? 'no_answer' : 'slow_body';
    this.#stop(buildFailure('timeout', TIMEOUT_MESSAGE, { reason, bytes: this.#bytes }), 'time');
  }

  #onFirstByteLate(): void {
    this.#stop(buildFailure('timeout', TIMEOUT_MESSAGE, { reason: 'first_byte' }), 'time');
  }

  /** Ends the exchange early; undici closes the connection or resets the stream. */
  #stop(error: ServiceError | null, cut: BodyCut): void {
    this.#settle(error, cut);
    this.#controller?.abort(error ?? new Error('enough was read'));
  }

  #settle(error: ServiceError | null, cut: BodyCut | null): void {
    if (this.#settled) return;
    this.#settled = true;
    const { signal, onReceived } = this.#request;
    this.#firstByte?.close();
    signal.removeEventListener('abort', this.#onAbort);
    // A response that is requested again is recorded then.
    if (this.#raw !== null && !isParserRefusal(error))
      onReceived?.({ ...this.#raw, body: this.#chunks, cut, ip: this.#peer() });
    if (this.#head === null || (error !== null && !this.#isPartial(cut, error))) {
      return this.#reject(error ?? buildFailure('unusable', MALFORMED_MESSAGE));
    }
    const failure = error instanceof ServiceError ? { failure: error } : {};
    return this.#resolve({ ...this.#head, wire: concatBytes(this.#chunks, this.#bytes), ...failure });
  }

  /** Whether the received part of a page is useful. */
  #isPartial(cut: BodyCut | null, error: Error): boolean {
    const isPage = this.#head !== null && !isRedirect(this.#head.status);
    return isPage && this.#bytes > 0 && (cut === 'time' || (cut === 'disconnect' && !isParserRefusal(error)));
  }
}

function buildTooLarge(
  limits: VisitLimits,
  seen: { readonly status: number | undefined; readonly bytes: number },
): ServiceError {
  return buildPageTooLarge(limits.wireBytes, { reason: 'wire_bytes', ...seen });
}

const TIMEOUT_MESSAGE = 'the target did not answer in time';

/** What was received before the failure. */
type PartialResponse = { readonly hasBegun: boolean; readonly status: number | undefined; readonly bytes: number };

/** Converts an error of undici to an error for the caller. */
export function toHttpFailure(error: Error, { hasBegun, status, bytes }: PartialResponse): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = getErrorCode(error);
  const facts = { status, bytes, cause: error };
  const { errors } = loadUndici();
  if (error instanceof errors.ConnectTimeoutError)
    return buildFailure('timeout', TIMEOUT_MESSAGE, { ...facts, reason: 'connect' });
  if (error instanceof errors.InvalidArgumentError) {
    return new ServiceError('invalid_request', `headers: ${error.message}`, { cause: error });
  }
  if (TLS_CODES.test(code)) return toTlsFailure(code, facts);
  if (error instanceof errors.HeadersOverflowError) return buildHeadersTooLarge();
  if (hasBegun || MALFORMED_CODES.test(code))
    return buildFailure('unusable', MALFORMED_MESSAGE, { ...facts, reason: PROTOCOL_ERROR });
  return toConnectionFailure(code, facts);
}

const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_|EPROTO$)/;
const MALFORMED_CODES = /^(HPE_|ERR_HTTP2_)/;

/** Whether the connection broke, for example a keep-alive connection that was closed just as it was reused; safe to retry. */
export function isBrokenSocket(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'target_unreachable') return false;
  const { cause } = error;
  const socketError = cause instanceof Error ? cause.cause : null;
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(getErrorCode(socketError));
}

/** The error for a response whose headers are too large. */
function buildHeadersTooLarge(): ServiceError {
  return buildFailure('unusable', MALFORMED_MESSAGE, { reason: 'header_bytes', isPermanent: true });
}

/** Whether undici's parser rejected the syntax of a response, which a more tolerant parser may accept. */
function isParserRefusal(error: unknown): boolean {
  const { facts } = findAttemptFailure(error) ?? {};
  const cause = facts?.cause;
  if (!(cause instanceof Error)) return false;
  const { errors } = loadUndici();
  // If the length is known, undici reports each parser error as a length mismatch; it reports status 100 as bad response.
  return (
    cause instanceof errors.HTTPParserError ||
    cause instanceof errors.ResponseContentLengthMismatchError ||
    (cause instanceof errors.SocketError && cause.message === 'bad response')
  );
}
