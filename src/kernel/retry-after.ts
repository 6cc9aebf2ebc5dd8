/**
 * The wait that a `Retry-After` header asks for (RFC 9110, 10.2.3: seconds or a date), ms; null when it names none. `now`
 * is the time of whoever sent the date.
 */
export function readRetryAfter(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - now;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
