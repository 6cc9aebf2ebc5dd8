/**
 * The wait that a `Retry-After` header requests (RFC 9110, 10.2.3: seconds or a date), ms; null if it is neither. `now` is
 * the time of the server that sent it.
 */
export function readRetryAfter(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - now;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
