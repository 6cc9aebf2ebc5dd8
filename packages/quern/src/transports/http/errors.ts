import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError, toErrorBody } from '#kernel/errors.ts';
import { STATUS_CODES } from '#kernel/node-http.ts';
import { StoreUnavailable } from '#store/db.ts';
import { toBackendUnavailable } from '#store/store-failure.ts';
import { MAX_BODY_BYTES } from './request-checks.ts';
import type { Exchanges } from './exchange.ts';
import { lingerOnSocket } from './linger.ts';
import type { ServerParts } from './server-parts.ts';

/** Default of `Retry-After` for rejected calls. */
const RETRY_AFTER_SECONDS = 2;

/** Converts anything thrown to the error that the caller gets; the log has the details. */
export function toRequestFailure(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof StoreUnavailable) return toBackendUnavailable(error);
  switch (getFrameworkStatus(error)) {
    case 413:
      return new ServiceError('payload_too_large', `the body is larger than ${MAX_BODY_BYTES} bytes`, { cause: error });
    case 415:
      return new ServiceError('unsupported_media_type', 'send the body with Content-Type: application/json', {
        cause: error,
      });
    case 400:
    case 414:
      return new ServiceError('invalid_request', 'the request is malformed', { cause: error });
    default:
      return new ServiceError(
        'internal_error',
        'an unexpected error; find it in the log of the service by request_id',
        {
          cause: error,
        },
      );
  }
}

function getFrameworkStatus(error: unknown): unknown {
  return error instanceof Error && 'statusCode' in error ? error.statusCode : null;
}

/** Computes `Retry-After` in seconds: always set for retryable 429 and 503; null if unknown for others. */
export function computeRetryAfterSeconds(error: ServiceError): number | null {
  const isTemporary = error.retryable && (error.status === 429 || error.status === 503);
  return error.retryAfterSeconds ?? (isTemporary ? RETRY_AFTER_SECONDS : null);
}

/** Returns status and message for a request that Node's parser rejected; `maxHeadBytes` is the limit of the request head. */
export function describeParserError(
  error: Error & { readonly code?: string },
  maxHeadBytes: number,
): { readonly status: number; readonly message: string } {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, message: 'the request took too long to arrive' };
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, message: `the request line and headers are longer than ${maxHeadBytes} bytes` };
  return { status: 400, message: 'the request is not valid HTTP/1.1' };
}

/** An error response to a connection without a parsed request; `listsDetails` if its body has `details`. */
type ConnectionRefusal = {
  readonly status: number;
  readonly message: string;
  readonly requestId: string;
  readonly listsDetails: boolean;
};

/** Writes an error response to a connection without a parsed request, then closes the connection. */
export function writeRefusal(
  socket: Duplex,
  { status, message, requestId, listsDetails: listsFaults }: ConnectionRefusal,
  clock: Clock,
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(toErrorBody(new ServiceError('invalid_request', message), requestId, listsFaults));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Credits-Used: 0',
    'X-Credits-Base: 0',
    'X-Credits-Surcharge: 0',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  lingerOnSocket(socket, clock);
}

/** Records the failure of an exchange for its headers and log line, and returns the error for the caller. */
export type RecordFailure = (request: FastifyRequest, error: unknown) => Promise<ServiceError>;

type FailureRecorderParts = Pick<ServerParts, 'remaining' | 'log'> & { readonly exchanges: Exchanges };

/** Creates the function through which everything thrown becomes an error response. */
export function createFailureRecorder({ remaining, log, exchanges }: FailureRecorderParts): RecordFailure {
  /** Reads the balance for an error response; null if that fails, since it must not replace the original failure. */
  async function findRemaining(request: FastifyRequest, failure: ServiceError): Promise<number | null> {
    const { caller } = exchanges.get(request);
    // Reading from a store that has just failed would only delay the response.
    if (caller === null || failure.cause instanceof StoreUnavailable) return null;
    try {
      return await remaining(caller);
    } catch (error) {
      log.error({ request_id: request.id, err: error }, 'the balance could not be read for a failed answer');
      return null;
    }
  }

  return async function noteFailure(request, error) {
    const failure = toRequestFailure(error);
    const isBug = failure.code === 'internal_error' && !exchanges.get(request).gone.signal.aborted;
    if (isBug) log.error({ request_id: request.id, err: failure.cause ?? failure }, 'internal error');
    exchanges.update(request, {
      code: failure.code,
      remaining: await findRemaining(request, failure),
      retryAfterSeconds: computeRetryAfterSeconds(failure),
    });
    return failure;
  };
}
