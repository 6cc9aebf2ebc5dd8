import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { BodyCut, Received, ReceivedHead } from '#access/exchange-recorder.ts';
import { failed, pageTooLarge } from '#access/failure.ts';
import { SMALL_BYTES, type VisitLimits } from '#access/limits.ts';
import type { Clock, Timer } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import { type Untimed, waitTimed } from '#access/page.ts';
import type { Connections } from './connection-pools.ts';
import { concat } from './content-decoding.ts';
import { MALFORMED } from '#access/answer-reader.ts';
import { isBrokenSocket, isRefusedForm, SLOW, toHttpFailure, tooManyHeaders } from './exchange-errors.ts';
import { headerBytes, isRedirect, type RawResponse, toReceivedHead, toResponseHead } from './response-head.ts';
import type { WireOptions } from './tolerant-exchange.ts';

export type WireRequest = {
  readonly url: URL;
  /** Names and values in turn, in the order to send. */
  readonly headers: string[];
  /** Sent by POST; a GET without. */
  readonly post?: string;
  readonly limits: VisitLimits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the answer as it came, whole or not. */
  readonly seen?: (received: Received) => void;
  /** Grows with the bytes of a large body; while there is no memory, nothing more is read. */
  readonly share?: MemoryShare;
  /** Waits for that memory; absent where no time of a visit runs. */
  readonly untimed?: Untimed | undefined;
};

/**
 * Sends one GET, or a POST that changes nothing, and receives the answer, bounded by `limits` and the signal. Throws
 * `target_unreachable`, `timeout`, `content_too_large` or `unusable_response`.
 */
export async function exchange(connections: Connections, request: WireRequest): Promise<RawResponse> {
  try {
    return await exchangeOnce(connections, request);
  } catch (error) {
    if (!isBrokenSocket(error)) throw error;
    return exchangeOnce(connections, request);
  }
}

/** One exchange; an answer that undici refuses is asked for again, and read as browsers do. */
async function exchangeOnce(connections: Connections, request: WireRequest): Promise<RawResponse> {
  const { pool, dispatchTolerantly } = connections;
  const strict = new Exchange(connections, request);
  strict.send((asked, handler) => pool.dispatch(asked, handler));
  try {
    return await strict.answer;
  } catch (error) {
    if (!isRefusedForm(error)) throw error;
    const tolerant = new Exchange(connections, request);
    tolerant.send(dispatchTolerantly);
    return tolerant.answer;
  }
}

/** One request on a connection and its answer, as undici's handler of it. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<RawResponse>;
  readonly #request: WireRequest;
  readonly #peer: Connections['peer'];
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
  /** Pieces that wait for memory. */
  #waits = 0;

  constructor({ peer }: Connections, request: WireRequest) {
    const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#request = request;
    this.#peer = peer;
  }

  /** Sends the request, unless its signal has fired. */
  send(dispatch: (asked: WireOptions, handler: Dispatcher.DispatchHandler) => void): void {
    const { url, headers, post, signal } = this.#request;
    if (signal.aborted) return this.#onTimeUp();
    signal.addEventListener('abort', this.#onAbort, { once: true });
    dispatch(
      {
        path: `${url.pathname}${url.search}`,
        headers,
        ...(post === undefined ? { method: 'GET' } : { method: 'POST', body: post }),
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
    const { limits, seen } = this.#request;
    this.#firstByte?.close();
    this.#head = toResponseHead(status, received);
    if (headerBytes(received) > limits.headerBytes) return this.#stop(tooManyHeaders(), 'length');
    if (seen !== undefined) this.#raw = toReceivedHead(status, reason, rawHeaders);
    if (Number(this.#head.headers['content-length']) > limits.wireBytes) {
      this.#stop(tooLarge(limits, { status, bytes: this.#bytes }), 'length');
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
    if (bytes > limits.wireBytes) return this.#stop(tooLarge(limits, { status: head?.status, bytes }), 'length');
    return this.#makeRoom(before < SMALL_BYTES ? bytes : chunk.byteLength);
  }

  onResponseEnd(): void {
    this.#settle(null, null);
  }

  onResponseError(_: unknown, error: Error): void {
    const partial = { begun: this.#begun, status: this.#head?.status, bytes: this.#bytes };
    this.#settle(toHttpFailure(error, partial), 'disconnect');
  }

  #onInterim(status: number): void {
    this.#interim += 1;
    if (this.#interim <= this.#request.limits.interim) return;
    this.#stop(failed('unusable', MALFORMED, { reason: 'interim_answers', status, isPermanent: true }), 'length');
  }

  /** Waits with the rest of the body until there is memory for this piece; the time limit ends the wait. */
  #makeRoom(piece: number): void {
    const { share, untimed = waitTimed, signal } = this.#request;
    if (share === undefined || this.#bytes <= SMALL_BYTES || share.tryGrow(piece)) return;
    this.#controller?.pause();
    this.#waits += 1;
    const goOn = (): void => {
      this.#waits -= 1;
      if (this.#waits === 0) this.#controller?.resume();
    };
    untimed(async () => share.grow(piece, signal)).then(goOn, goOn);
  }

  #onTimeUp(): void {
    const reason = this.#head === null ? 'no_answer' : 'slow_body';
    this.#stop(failed('timeout', SLOW, { reason, bytes: this.#bytes }), 'time');
  }

  #onFirstByteLate(): void {
    this.#stop(failed('timeout', SLOW, { reason: 'first_byte' }), 'time');
  }

  /** Ends the exchange early; undici closes the connection or resets the stream. */
  #stop(error: ServiceError | null, cut: BodyCut): void {
    this.#settle(error, cut);
    this.#controller?.abort(error ?? new Error('enough was read'));
  }

  #settle(error: ServiceError | null, cut: BodyCut | null): void {
    if (this.#settled) return;
    this.#settled = true;
    const { signal, seen } = this.#request;
    this.#firstByte?.close();
    signal.removeEventListener('abort', this.#onAbort);
    // An answer that is asked for again is recorded then.
    if (this.#raw !== null && !isRefusedForm(error))
      seen?.({ ...this.#raw, body: this.#chunks, cut, ip: this.#peer() });
    if (this.#head === null || (error !== null && !this.#isPartial(cut, error))) {
      return this.#reject(error ?? failed('unusable', MALFORMED));
    }
    const failure = error instanceof ServiceError ? { failure: error } : {};
    return this.#resolve({ ...this.#head, wire: concat(this.#chunks, this.#bytes), ...failure });
  }

  /** Whether what came of a page is worth having. */
  #isPartial(cut: BodyCut | null, error: Error): boolean {
    const isPage = this.#head !== null && !isRedirect(this.#head.status);
    return isPage && this.#bytes > 0 && (cut === 'time' || (cut === 'disconnect' && !isRefusedForm(error)));
  }
}

function tooLarge(
  limits: VisitLimits,
  seen: { readonly status: number | undefined; readonly bytes: number },
): ServiceError {
  return pageTooLarge(limits.wireBytes, { reason: 'wire_bytes', ...seen });
}
