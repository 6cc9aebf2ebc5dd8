import { toCalendarDay } from '#extract/values/dates.ts';
import { refuseParameter } from '#sites/framework/site.ts';

export const PERIODS = ['daily', 'weekly', 'monthly', 'yearly'] as const;

export type Period = (typeof PERIODS)[number];

/** A day, week, month or year that has a leaderboard. */
export type Term = {
  readonly period: Period;
  /** The numbers in the site's URLs and queries, in their order. */
  readonly numbers: Readonly<Record<string, number>>;
  /** The first and the last day. */
  readonly start: string;
  readonly end: string;
};

type TermParts = {
  readonly date?: string | undefined;
  readonly year?: number | undefined;
  readonly month?: number | undefined;
  readonly week?: number | undefined;
  readonly day?: number | undefined;
};

/** The numbers that identify a term of each kind. */
const TERM_PARTS = {
  daily: ['year', 'month', 'day'],
  weekly: ['year', 'week'],
  monthly: ['year', 'month'],
  yearly: ['year'],
} as const;

/** Reads the term from the input, by default the current one. Throws `invalid_request`. */
export function readTerm({ period, ...termParts }: TermParts & { readonly period: Period }, now: number): Term {
  const { date, ...parts } = termParts;
  const named = PART_NAMES.filter((name) => parts[name] !== undefined);
  if (date !== undefined && named.length > 0) return refuseParameter('date', `cannot be combined with ${named[0]}`);
  if (named.length === 0) return findTerm(period, date ?? formatDay(now));
  const wanted: readonly string[] = TERM_PARTS[period];
  const extra = named.find((name) => !wanted.includes(name));
  if (extra !== undefined)
    return refuseParameter(extra, `does not apply to a ${period} leaderboard, which takes ${wanted.join(', ')}`);
  const missing = PART_NAMES.find((name) => wanted.includes(name) && parts[name] === undefined);
  if (missing !== undefined) return refuseParameter(missing, `is required with ${named.join(', ')}`);
  const { year = 0, month = 1, day = 1, week } = parts;
  const first = week === undefined ? toCalendarDay(year, month, day) : findMonday(year, week);
  return first === null ? refuseParameter(wanted.at(-1) ?? '', 'there is no such date') : findTerm(period, first);
}

const PART_NAMES = ['year', 'month', 'week', 'day'] as const;

/** Finds the term of a kind that contains a day. */
export function findTerm(period: Period, day: string): Term {
  const [year = 0, month = 0, number = 0] = day.split('-').map(Number);
  if (period === 'daily') return { period, numbers: { year, month, day: number }, start: day, end: day };
  if (period === 'weekly') return findWeek(day);
  if (period === 'yearly') return { period, numbers: { year }, start: `${year}-01-01`, end: `${year}-12-31` };
  const start = `${day.slice(0, 8)}01`;
  return { period, numbers: { year, month }, start, end: addDays(`${addDays(start, 31).slice(0, 8)}01`, -1) };
}

/** Finds the ISO week of a day. The week belongs to the year of its Thursday. */
function findWeek(day: string): Term {
  const start = addDays(day, -findWeekday(day));
  const year = Number(addDays(start, 3).slice(0, 4));
  const week = 1 + Math.round((Date.parse(start) - Date.parse(findFirstMonday(year))) / (7 * 86_400_000));
  return { period: 'weekly', numbers: { year, week }, start, end: addDays(start, 6) };
}

function findMonday(year: number, week: number): string | null {
  const monday = addDays(findFirstMonday(year), 7 * (week - 1));
  return findWeek(monday).numbers['year'] === year ? monday : null;
}

/** Finds the Monday of ISO week 1, which contains 4 January. */
function findFirstMonday(year: number): string {
  const day = `${year}-01-04`;
  return addDays(day, -findWeekday(day));
}

/** Days since Monday. */
function findWeekday(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Builds the path of a leaderboard, such as `/leaderboard/daily/2026/3/8`. */
export function buildTermPath({ period, numbers }: Term): string {
  return `/leaderboard/${period}/${Object.values(numbers).join('/')}`;
}

/** The site's days begin a minute after midnight, Pacific time. */
const ZONE = 'America/Los_Angeles';
// Created on first use, because the first format of a process loads the data of all time zones.
let dayFormat: Intl.DateTimeFormat | undefined;
let hourFormat: Intl.DateTimeFormat | undefined;
const MINUTE_MS = 60_000;

/** Formats the site's day at a given time, such as `2026-03-08`. */
export function formatDay(now: number): string {
  dayFormat ??= new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, year: 'numeric', month: '2-digit', day: '2-digit' });
  return dayFormat.format(new Date(now - MINUTE_MS));
}

/** Finds when a day of the site begins, ISO 8601 in UTC. */
export function findDayStart(day: string): string {
  const [winter, summer] = [`${day}T08:00:00.000Z`, `${day}T07:00:00.000Z`];
  hourFormat ??= new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit' });
  return hourFormat.format(new Date(summer)) === '00' ? summer : winter;
}

export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
