import { type ServiceError, toErrorBody } from '#kernel/errors.ts';

/** The failure of a run as its record and its events show it. */
export type RunError = ReturnType<typeof toRunError>;

export function toRunError(failure: ServiceError) {
  const { error, diagnostics } = toErrorBody(failure, '');
  const { outcome: _, ...more } = diagnostics ?? { outcome: 'failed' };
  return { ...error, retryable: failure.retryable, ...more };
}
