import type { Dispatcher } from 'undici';
import type { Clock } from '#kernel/clock.ts';
import type { ServiceError } from '#kernel/errors.ts';
import { getErrorCode, findAttemptFailure, buildFailure } from '#access/failure.ts';
import { isBrokenSocket, toHttpFailure } from './exchange.ts';
import type { Guard } from '#access/guard/guard.ts';
import type { VisitLimits } from '#access/limits.ts';
import { type OriginConnections, createConnectionPools } from './connection-pools.ts';

/** Maximum bytes of a response body to read. */
const MAX_BODY_BYTES = 65_536;
/** A connection that is refused or reset within this time is retried once. */
const QUICK_RETRY_MS = 1000;
const TIMEOUT_MESSAGE = 'the receiver did not answer in time';
const MALFORMED_MESSAGE = 'the receiver sent a malformed answer';

export type PostRequest = {
  readonly url: URL;
  /** Alternating names and values. */
  readonly headers: string[];
  readonly body: Uint8Array;
  /** Maximum bytes of the response body to return. */
  readonly maxKeptBytes: number;
};

/** A response of any status; redirects are not followed. */
export type PostResponse = {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly date: string | null;
  /** The beginning of the body. */
  readonly bodyStart: Uint8Array;
};

export type PostClientOptions = {
  readonly guard: Pick<Guard, 'resolve'>;
  readonly limits: VisitLimits;
  readonly authorities: readonly string[];
  readonly clock: Clock;
};

export type PostClient = ReturnType<typeof createPostClient>;

/**
 * Creates a client that posts to URLs of callers (webhooks), checked by the guard and connected to checked addresses only. `post`
 * throws `target_unreachable`, `timeout` if the signal fires first, or `unusable_response`.
 */
export function createPostClient({ guard, limits, authorities, clock }: PostClientOptions) {
  const pools = createConnectionPools({ limits, authorities, clock });
  return {
    async post(request: PostRequest, signal: AbortSignal): Promise<PostResponse> {
      const addresses = await guard.resolve(request.url, signal);
      const connections = pools.poolFor({ origin: request.url.origin, addresses, upstream: null, insecureTls: false });
      const began = clock.monotonic();
      try {
        return await postOnce(connections, request, { limits, signal });
      } catch (error) {
        if (!isConnectionLost(error) || clock.monotonic() - began >= QUICK_RETRY_MS) throw error;
        return postOnce(connections, request, { limits, signal });
      }
    },
    close: pools.close,
  };
}

type PostBounds = { readonly limits: VisitLimits; readonly signal: AbortSignal };

function postOnce(
  { pool }: OriginConnections,
  request: PostRequest,
  { limits, signal }: PostBounds,
): Promise<PostResponse> {
  const { url, headers, body, maxKeptBytes } = request;
  const { promise, resolve, reject } = Promise.withResolvers<PostResponse>();
  let controller: Dispatcher.DispatchController | null = null;
  let head: Omit<PostResponse, 'bodyStart'> | null = null;
  let begun = false;
  let settled = false;
  let interim = 0;
  let bytes = 0;
  const chunks: Uint8Array[] = [];

  function settle(error: ServiceError | null): void {
    if (settled) return;
    settled = true;
    signal.removeEventListener('abort', onAbort);
    if (error !== null || head === null) reject(error ?? buildFailure('unusable', MALFORMED_MESSAGE));
    else resolve({ ...head, bodyStart: Buffer.concat(chunks).subarray(0, maxKeptBytes) });
  }
  /** Ends the exchange early; undici closes the connection or resets the stream. */
  function stop(error: ServiceError | null): void {
    settle(error);
    controller?.abort(error ?? new Error('enough was read'));
  }
  function onAbort(): void {
    stop(buildFailure('timeout', TIMEOUT_MESSAGE));
  }

  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  if (settled) return promise;
  pool.dispatch(
    { path: `${url.pathname}${url.search}`, method: 'POST', headers, body },
    {
      onRequestStart(started) {
        controller = started;
        if (settled) started.abort(new Error('no longer wanted'));
      },
      onResponseStarted() {
        begun = true;
      },
      onResponseStart(_, status, received) {
        if (status < 200) {
          interim += 1;
          if (interim > limits.interim)
            stop(buildFailure('unusable', MALFORMED_MESSAGE, { reason: 'interim_answers' }));
          return;
        }
        head = { status, retryAfter: toHeaderText(received['retry-after']), date: toHeaderText(received['date']) };
      },
      onResponseData(_, chunk) {
        if (bytes < maxKeptBytes) chunks.push(chunk.subarray(0, maxKeptBytes - bytes));
        bytes += chunk.byteLength;
        if (bytes >= MAX_BODY_BYTES) stop(null);
      },
      onResponseEnd() {
        settle(null);
      },
      onResponseError(_, error) {
        settle(toHttpFailure(error, { hasBegun: begun, status: head?.status, bytes }));
      },
    },
  );
  return promise;
}

function toHeaderText(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : (value?.[0] ?? null);
}

/** Whether the connection was refused or broke before the response started. */
function isConnectionLost(error: unknown): boolean {
  return isBrokenSocket(error) || getErrorCode(findAttemptFailure(error)?.facts.cause) === 'ECONNREFUSED';
}
