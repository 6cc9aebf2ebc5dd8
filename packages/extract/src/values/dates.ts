import { toGregorian } from './calendars.ts';
import { MONTHS } from './months.ts';
import { toPlainDigits } from './numbers.ts';

/** A date as a source writes it. */
export type DateReading = {
  /** The calendar day as written, `2026-11-21`. */
  readonly day: string;
  /** The local time as written, `10:05:00`; null when the source has none. */
  readonly time: string | null;
  /** The instant in UTC, where the source gives a time and its zone. */
  readonly instant: string | null;
};

type FoundDay = { readonly day: string; readonly start: number; readonly end: number };
type DayOrder = 'day_first' | 'month_first';

const MAX_DATE_TEXT_LENGTH = 400;
const ISO_DATE =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:(?:T|\s{1,2})(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?(?![\d])/i;
const COMPACT = /^\s*((?:19|20)\d{2})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?)?\s*$/;
const EPOCH = /^\s*([01]?\d{9})(\d{3})?\s*$/;
const TIME =
  /(?<![\d:.])(\d{1,2})[:h](\d{2})(?::(\d{2}))?\s?(?:([ap])\.?m\.?(?![a-z]))?\s?(Z(?![a-z])|UTC|GMT|[+-]\d{2}:?\d{2}(?!\d))?/i;
/** A clock with a point, where what surrounds it says that it is no number: `klo 9.37`, `12.16 pm`, `14.12` at the end. */
const POINTED = /^[\s,]*(?:(?:um|kl|klo|ore|at|à)\.?\s?)?(\d{1,2})\.(\d{2})(?:\s?([ap])\.?m\b|\s?(?:uhr|h)\b|\s*$)/i;
/** Clocks, which stand between the parts of some dates: `Aug 05 12:00:00 2015`. */
const CLOCKS = /\d{1,2}:\d{2}(?::\d{2})?/g;
const YEAR_FIRST = /(?<!\d)((?:1[89]|20)\d{2})([-/.])\s?(\d{1,2})\2\s?(\d{1,2})(?!\d)/g;
const YEAR_LAST = /(?<![\d.,:/-])(\d{1,2})([-/.])\s?(\d{1,2})\2\s?((?:1[89]|20)\d{2}|\d{2})(?![\d%]|[.,/:-]\d)/g;
const EAST_ASIAN = /((?:1[89]|20)\d{2})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]?/g;
/** `22-Nov-13`, `22 Nov '13`: a year of two digits, said to be one by what stands before it. */
const SHORT_YEAR = /(?<!\d)(\d{1,2})[-/. ]?([\p{L}\p{M}]{3,12})(?:[-/]|\.-|[., ]{0,2}')(\d{2})(?!\d)/gu;
/** Combining marks belong to their word. */
const LETTER = /[\p{L}\p{M}]/u;
/** Words between the parts of a written date, as in "5 de mayo de 2026" or "am 5. Mai". */
const FILLERS: ReadonlySet<string> = new Set(
  'of de del d di da dal the den st nd rd th er m г tháng năm года р ta u წ লা সাল'.split(' '),
);
const MONTH_NUMBER_WORDS: ReadonlySet<string> = new Set(['tháng', 'thg']);

/** The day, and time and instant where given, that a text names: machine formats first, then the first written date; null when it names none. */
export function readMoment(text: string, locale: string | null): DateReading | null {
  const written = text.slice(0, MAX_DATE_TEXT_LENGTH);
  const plain = toGregorian(written, toPlainDigits(written).normalize('NFC'), locale);
  return parseMachineDate(plain) ?? parseWrittenDate(plain, locale);
}

/** A calendar day that exists, in years 1800 to 2099; null for any other. */
export function toCalendarDay(year: number, month: number, day: number): string | null {
  const last = month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0);
  if (!(year >= 1800 && year <= 2099 && day >= 1 && day <= last)) return null;
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function parseMachineDate(text: string): DateReading | null {
  const iso = ISO_DATE.exec(text);
  if (iso !== null)
    return toParsedDate(parseDay(iso[1], iso[2], iso[3]), toClock(iso[4], iso[5], iso[6]), iso[8], iso[7]);
  const compact = COMPACT.exec(text);
  if (compact !== null) {
    const day = parseDay(compact[1], compact[2], compact[3]);
    if (day !== null) return toParsedDate(day, toClock(compact[4], compact[5], compact[6]), compact[7]);
  }
  const epoch = EPOCH.exec(text);
  if (epoch === null) return null;
  const instant = new Date(Number(epoch[1]) * 1000 + Number(epoch[2] ?? 0)).toISOString();
  return { day: instant.slice(0, 10), time: instant.slice(11, 19), instant };
}

function parseWrittenDate(text: string, locale: string | null): DateReading | null {
  const found = findEarliest([
    findNumericDay(text, YEAR_FIRST, ([, year, , month, day]) => parseDay(year, month, day)),
    findNumericDay(text, EAST_ASIAN, ([, year, month, day]) => parseDay(year, month, day)),
    findNumericDay(text, YEAR_LAST, ([, first, mark, second, year]) =>
      toDayWithYearLast(first, second, year, mark === '.' ? 'day_first' : getDayOrder(locale)),
    ),
    findNumericDay(text, SHORT_YEAR, ([, day, month, year]) => {
      const number = MONTHS.get(month?.toLowerCase() ?? '');
      return number === undefined ? null : toCalendarDay(fullYear(year), number, Number(day));
    }),
    findDayWithMonthName(text),
  ]);
  if (found === null) return null;
  const after = text.slice(found.end, found.end + 40);
  const time =
    TIME.exec(after) ??
    TIME.exec(text.slice(Math.max(0, found.start - 24), found.start)) ??
    TIME.exec(text.slice(found.start, found.end));
  if (time === null) return toParsedDate(found.day, parsePointedClock(after));
  return toParsedDate(found.day, toClock(time[1], time[2], time[3], time[4]), time[5]);
}

function parsePointedClock(text: string): string | null {
  const [, hour, minute, half] = POINTED.exec(text) ?? [];
  return toClock(hour, minute, undefined, half);
}

function findEarliest(found: readonly (FoundDay | null)[]): FoundDay | null {
  return found.reduce(
    (best, next) => (next !== null && (best === null || next.start < best.start) ? next : best),
    null,
  );
}

function findNumericDay(
  text: string,
  pattern: RegExp,
  toDay: (parts: readonly (string | undefined)[]) => string | null,
): FoundDay | null {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const day = toDay(match);
    if (day !== null) return { day, start: match.index, end: match.index + match[0].length };
  }
  return null;
}

function toDayWithYearLast(
  first: string | undefined,
  second: string | undefined,
  year: string | undefined,
  order: DayOrder,
): string | null {
  const full = String(fullYear(year));
  const dayFirst = parseDay(full, second, first);
  const monthFirst = parseDay(full, first, second);
  return order === 'day_first' ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
}

/** A year of two digits lies in 1961 to 2060. */
function fullYear(year: string | undefined): number {
  return Number(year) + (year?.length !== 2 ? 0 : Number(year) > 60 ? 1900 : 2000);
}

/** `5 May 2026`, `May 5th, 2026`, `2026. május 5.` in any of the languages of {@link MONTHS}. */
function findDayWithMonthName(text: string): FoundDay | null {
  if (!/\d{4}/.test(text)) return null;
  const tokens = tokenize(text.replaceAll(CLOCKS, (clock) => ' '.repeat(clock.length)));
  for (let at = 0; at < tokens.length; at++) {
    const named = MONTHS.get(tokens[at]?.word ?? '');
    const numbered = MONTH_NUMBER_WORDS.has(tokens[at]?.word ?? '') ? Number(tokens[at + 1]?.word) : undefined;
    const month = named ?? numbered;
    if (month === undefined) continue;
    const after = numbered === undefined ? at + 1 : at + 2;
    const day =
      toDayFromTokens(tokens[after]?.word, month, tokens[at - 1]?.word) ??
      toDayFromTokens(tokens[after + 1]?.word, month, tokens[after]?.word) ??
      toDayFromTokens(tokens[at - 1]?.word, month, tokens[after]?.word) ??
      toDayFromTokens(tokens[at - 2]?.word, month, tokens[at - 1]?.word);
    if (day !== null) {
      const last = tokens[Math.min(after + 1, tokens.length - 1)];
      return {
        day,
        start: tokens[Math.max(0, at - 1)]?.start ?? 0,
        end: last === undefined ? text.length : Math.min(last.end, findDateEnd(tokens, after)),
      };
    }
  }
  return null;
}

type Token = { readonly word: string; readonly start: number; readonly end: number };

/** Words and numbers, and nothing else. */
function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const start = at;
    while (isDigit(text.charCodeAt(at))) at++;
    if (at === start) for (let width = measureLetter(text, at); width > 0; width = measureLetter(text, at)) at += width;
    if (at === start) at++;
    else {
      const word = text.slice(start, at).toLowerCase();
      if (FILLERS.has(word) && !MONTH_NUMBER_WORDS.has(word)) continue;
      tokens.push({ word, start, end: at });
    }
  }
  return tokens;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** How many codes the letter at `at` takes, 0 for what is none: asked of a pattern only beyond ASCII. */
function measureLetter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) ? 1 : 0;
  const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return LETTER.test(letter) ? letter.length : 0;
}

/** Where a written date ends: after the last number of the two tokens that can belong to it, but before a time. */
function findDateEnd(tokens: readonly Token[], after: number): number {
  const pair = tokens.slice(after, after + 2);
  const year = pair.find((token) => /^\d{4}$/.test(token.word));
  return year?.end ?? pair[0]?.end ?? 0;
}

function toDayFromTokens(year: string | undefined, month: number, day: string | undefined): string | null {
  if (year === undefined || day === undefined || !/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(day)) return null;
  return toCalendarDay(Number(year), month, Number(day));
}

function parseDay(year: string | undefined, month: string | undefined, day: string | undefined): string | null {
  return toCalendarDay(Number(year), Number(month), Number(day));
}

/** `10:05:00` from its parts; null when they are no time of day. */
function toClock(
  hour: string | undefined,
  minute: string | undefined,
  second: string | undefined,
  half?: string,
): string | null {
  if (hour === undefined || minute === undefined) return null;
  const noonless = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const parts = [noonless, Number(minute), Number(second ?? 0)];
  if (noonless > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return null;
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function toParsedDate(day: string | null, time: string | null, zone?: string, fraction?: string): DateReading | null {
  if (day === null) return null;
  if (time === null || zone === undefined) return { day, time, instant: null };
  const at = Date.parse(`${day}T${time}.${(fraction ?? '').slice(0, 3).padEnd(3, '0')}${toOffset(zone)}`);
  return { day, time, instant: Number.isNaN(at) ? null : new Date(at).toISOString() };
}

function toOffset(zone: string): string {
  if (/^[a-z]/i.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** Americans and Filipinos write the month first; bare English is read as theirs. */
function getDayOrder(locale: string | null): DayOrder {
  return locale !== null && /^en$|^[a-z]{2,3}(?:-[a-z]{4})?-(?:US|PH)$/i.test(locale) ? 'month_first' : 'day_first';
}
