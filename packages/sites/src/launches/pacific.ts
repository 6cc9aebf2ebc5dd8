/** The site's days are those of its home: they begin a minute after midnight, Pacific time. */
const ZONE = 'America/Los_Angeles';
// The first of a process reads the data of all zones, which a start does without.
let dayFormat: Intl.DateTimeFormat | undefined;
let hourFormat: Intl.DateTimeFormat | undefined;
const MINUTE_MS = 60_000;

/** The site's day at a time, `2026-03-08`. */
export function dayAt(now: number): string {
  dayFormat ??= new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, year: 'numeric', month: '2-digit', day: '2-digit' });
  return dayFormat.format(new Date(now - MINUTE_MS));
}

/** When a day of the site begins, ISO 8601 UTC. */
export function startOf(day: string): string {
  const [winter, summer] = [`${day}T08:00:00.000Z`, `${day}T07:00:00.000Z`];
  hourFormat ??= new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit' });
  return hourFormat.format(new Date(summer)) === '00' ? summer : winter;
}

/** A day so many days later, or earlier. */
export function daysAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
