import { ServiceError } from '#kernel/errors.ts';
import type { StoreUnavailable } from './db.ts';

const RETRY_AFTER_SECONDS = 5;

/** The error for a caller while the store cannot be used. */
export function toBackendUnavailable(error: StoreUnavailable): ServiceError {
  return new ServiceError('backend_unavailable', 'the store cannot be read or written now: try again', {
    cause: error,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
