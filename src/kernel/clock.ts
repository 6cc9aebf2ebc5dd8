/** The one source of wall-clock time, in ms since 1970. */
export type Clock = { readonly now: () => number };

/** The calendar month of an instant in UTC, `2026-11`: the billing cycle. */
export function toMonth(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}

/** The day of an instant in UTC, `2026-11-21`. */
export function toDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** The instant as the contract writes it: ISO 8601 UTC with `Z`. */
export function toTimestamp(now: number): string {
  return new Date(now).toISOString();
}

/** The first instant (ms) of the UTC day after `now`. */
export function nextDay(now: number): number {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1);
}

/** The first instants (ms) of the UTC month of `now` and of the month after it. */
export function cycleOf(now: number): { readonly start: number; readonly end: number } {
  const at = new Date(now);
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}
