import { ServiceError } from '#kernel/errors.ts';
import type { StoreUnavailable } from '#store/db.ts';

const RETRY_AFTER_SECONDS = 5;

/** What the caller learns when the store cannot serve. */
export function toBackendUnavailable(error: StoreUnavailable): ServiceError {
  return new ServiceError('backend_unavailable', 'the store cannot be read or written now: try again', {
    cause: error,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
