import { refuseParameter } from '#sites/framework/site.ts';
import { toCalendarDay } from '#extract/values/dates.ts';
import { dayAt, daysAfter } from './pacific.ts';

export const PERIODS = ['daily', 'weekly', 'monthly', 'yearly'] as const;

export type Period = (typeof PERIODS)[number];

/** A day, week, month or year that has a leaderboard. */
export type Term = {
  readonly period: Period;
  /** Its numbers as the site's addresses and queries have them, in their order. */
  readonly numbers: Readonly<Record<string, number>>;
  /** The first and the last day. */
  readonly start: string;
  readonly end: string;
};

type Parts = {
  readonly date?: string | undefined;
  readonly year?: number | undefined;
  readonly month?: number | undefined;
  readonly week?: number | undefined;
  readonly day?: number | undefined;
};

/** Which numbers name a term of each kind. */
const NAMED_BY = {
  daily: ['year', 'month', 'day'],
  weekly: ['year', 'week'],
  monthly: ['year', 'month'],
  yearly: ['year'],
} as const;

/** The term that is meant, the present one where nothing is said. Throws `invalid_request`. */
export function readTerm({ period, ...given }: Parts & { readonly period: Period }, now: number): Term {
  const { date, ...parts } = given;
  const named = NAMES.filter((name) => parts[name] !== undefined);
  if (date !== undefined && named.length > 0) return refuseParameter('date', `says already which ${named[0]} is meant`);
  if (named.length === 0) return termOf(period, date ?? dayAt(now));
  const wanted: readonly string[] = NAMED_BY[period];
  const extra = named.find((name) => !wanted.includes(name));
  if (extra !== undefined)
    return refuseParameter(extra, `names no ${period} leaderboard; it takes ${wanted.join(', ')}`);
  const missing = NAMES.find((name) => wanted.includes(name) && parts[name] === undefined);
  if (missing !== undefined) return refuseParameter(missing, `is needed beside ${named.join(', ')}`);
  const { year = 0, month = 1, day = 1, week } = parts;
  const first = week === undefined ? toCalendarDay(year, month, day) : mondayOf(year, week);
  return first === null ? refuseParameter(wanted.at(-1) ?? '', 'there is no such date') : termOf(period, first);
}

const NAMES = ['year', 'month', 'week', 'day'] as const;

/** The term of a kind that a day belongs to. */
export function termOf(period: Period, day: string): Term {
  const [year = 0, month = 0, number = 0] = day.split('-').map(Number);
  if (period === 'daily') return { period, numbers: { year, month, day: number }, start: day, end: day };
  if (period === 'weekly') return weekOf(day);
  if (period === 'yearly') return { period, numbers: { year }, start: `${year}-01-01`, end: `${year}-12-31` };
  const start = `${day.slice(0, 8)}01`;
  return { period, numbers: { year, month }, start, end: daysAfter(`${daysAfter(start, 31).slice(0, 8)}01`, -1) };
}

/** The ISO week, which belongs to the year of its Thursday. */
function weekOf(day: string): Term {
  const start = daysAfter(day, -weekdayOf(day));
  const year = Number(daysAfter(start, 3).slice(0, 4));
  const week = 1 + Math.round((Date.parse(start) - Date.parse(firstMonday(year))) / (7 * 86_400_000));
  return { period: 'weekly', numbers: { year, week }, start, end: daysAfter(start, 6) };
}

function mondayOf(year: number, week: number): string | null {
  const monday = daysAfter(firstMonday(year), 7 * (week - 1));
  return weekOf(monday).numbers['year'] === year ? monday : null;
}

/** The Monday of the week with 4 January. */
function firstMonday(year: number): string {
  const day = `${year}-01-04`;
  return daysAfter(day, -weekdayOf(day));
}

/** Days since Monday. */
function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** The path of its page: `/leaderboard/daily/2026/3/8`. */
export function pathOfTerm({ period, numbers }: Term): string {
  return `/leaderboard/${period}/${Object.values(numbers).join('/')}`;
}
