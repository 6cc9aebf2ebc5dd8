/**
 * Parses a `Retry-After` header (RFC 9110, 10.2.3) as milliseconds to wait; null if it is neither a number of seconds
 * nor a date. `now` is the server's time in ms since 1970.
 */
export function parseRetryAfterMs(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - now;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
