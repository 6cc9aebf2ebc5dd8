/** 5xx statuses that retrying does not fix: not implemented, HTTP version not supported. */
const PERMANENT_STATUSES: ReadonlySet<number> = new Set([501, 505]);

/** Whether a status of 400 or above reports a temporary failure, so that a later request may succeed. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || (status >= 500 && !PERMANENT_STATUSES.has(status));
}
