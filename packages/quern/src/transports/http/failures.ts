import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import { toRetryAfter, toRequestFailure } from './errors.ts';
import type { Exchanges } from './exchange.ts';
import type { ServerParts } from './parts.ts';

/** Records the failure of an exchange for its headers and its log line, and answers the error for the caller. */
export type NoteFailure = (request: FastifyRequest, error: unknown) => Promise<ServiceError>;

type FailureParts = Pick<ServerParts, 'remaining' | 'log'> & { readonly exchanges: Exchanges };

/** The one way in which anything thrown becomes an answer. */
export function buildFailures({ remaining, log, exchanges }: FailureParts): NoteFailure {
  /** The balance that a failed answer shows; failing to read it must not replace the original failure. */
  async function findRemaining(request: FastifyRequest, failure: ServiceError): Promise<number | null> {
    const { caller } = exchanges.of(request);
    // A store that has just failed would only make the caller wait longer.
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
    const isBug = failure.code === 'internal_error' && !exchanges.of(request).gone.signal.aborted;
    if (isBug) log.error({ request_id: request.id, err: failure.cause ?? failure }, 'internal error');
    exchanges.note(request, {
      code: failure.code,
      remaining: await findRemaining(request, failure),
      retryAfterSeconds: toRetryAfter(failure),
    });
    return failure;
  };
}
