import { type Count, parseCount, normalizeDigits } from './numbers.ts';
import { parseDate } from './dates.ts';
import { isJsonObject } from './json-object.ts';
import { parseAmounts } from './money.ts';
import { collapseSpace } from './space.ts';
import { toDirectUrl, toWebUrl } from './web-urls.ts';

/** Plain digits, or groups of three separated by commas, as in English. */
const INTEGER = /^[+-]?(?:\d{1,16}|\d{1,3}(?:,\d{3}){1,5})(?:\.0+)?$/;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,3})?$/;
/**
 * Timestamps from 1973 to the end of 2099: within these bounds a number of seconds is never also a plausible number of
 * milliseconds.
 */
const EPOCH_SECONDS = { least: 100_000_000, most: 4_102_444_799 } as const;

/** The value at a path of member names and list indexes; undefined if any step is missing or null. */
export function getPath(raw: unknown, ...path: readonly (string | number)[]): unknown {
  let value = raw;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value.at(step) : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined || value === null) return undefined;
  }
  return value;
}

/** A list as it is; an empty list for anything else. */
export function toArray(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}

/** A string or number as text in NFC, trimmed, with its lines; null if it is empty or anything else. */
export function toText(raw: unknown): string | null {
  if (typeof raw === 'number' && Number.isFinite(raw)) return String(raw);
  if (typeof raw !== 'string') return null;
  const plain = (raw.includes('\0') ? raw.replaceAll('\0', '') : raw).toWellFormed().normalize('NFC').trim();
  return plain === '' ? null : plain;
}

/** Like {@link text}, but on one line with single spaces. */
export function toLine(raw: unknown): string | null {
  const plain = toText(raw);
  return plain === null ? null : collapseSpace(plain);
}

/**
 * A whole number, or a text that is one (`12`, `12,345`); null if it is none or no safe integer. For counts as people
 * write them, see {@link toCount}.
 */
export function toInteger(raw: unknown): number | null {
  const value = typeof raw === 'string' && INTEGER.test(raw.trim()) ? Number(raw.trim().replaceAll(',', '')) : raw;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value + 0 : null;
}

/** A whole number that is not negative, else null: many sites use -1 for an unknown count. */
export function toNatural(raw: unknown): number | null {
  const value = toInteger(raw);
  return value === null || value < 0 ? null : value;
}

/** A number, or a text that is one in JSON syntax; null otherwise. */
export function toNumber(raw: unknown): number | null {
  const value = typeof raw === 'string' && NUMBER.test(raw.trim()) ? Number(raw.trim()) : raw;
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
}

const NO_MONEY_CONTEXT = { locale: null, currency: null };

/** An amount of structured data, as a number or as people write it; null if it is negative, ambiguous or absent. */
export function parseAmount(raw: unknown): number | null {
  const written = typeof raw === 'string' ? parseAmounts(raw, NO_MONEY_CONTEXT) : [];
  const value = toNumber(raw) ?? (written.length === 1 ? (written[0]?.amount ?? null) : null);
  return value === null || value < 0 ? null : value;
}

/** True or false; null for anything else, including words. */
export function toBoolean(raw: unknown): boolean | null {
  return typeof raw === 'boolean' ? raw : null;
}

/** A count, as a number or as a page shows it (`2.2K`, `1,5 mil`); null if it is negative or absent. */
export function toCount(raw: unknown, locale: string | null): Count | null {
  const exact = toInteger(raw);
  if (exact !== null) return exact < 0 ? null : { value: exact, approximate: false };
  return typeof raw === 'string' ? parseCount(raw, locale) : null;
}

/**
 * A time as ISO 8601 in UTC with `Z`, from a date with a time zone or from seconds or milliseconds since 1970. Only the
 * day if the source has no time or no time zone. Null for relative times ("3 days ago") and times after 2099.
 */
export function toTimestamp(raw: unknown, locale: string | null = null): string | null {
  const epoch = toNumber(raw);
  if (epoch !== null) return formatEpoch(epoch);
  if (typeof raw !== 'string') return null;
  const read = parseDate(raw, locale);
  return read === null ? null : (read.instant ?? read.day);
}

/** A duration in milliseconds, from a text with units (`PT1M35S`, `3:45`, `1 hr 2 min`); null for a bare number. */
export function toDurationMs(raw: unknown): number | null {
  return typeof raw === 'string' ? parseDurationMs(raw) : null;
}

/** Converts seconds to whole milliseconds; null if negative or no number. */
export function secondsToMs(raw: unknown): number | null {
  const value = toNumber(raw);
  const milliseconds = value === null ? -1 : Math.round(value * 1000);
  return Number.isSafeInteger(milliseconds) && milliseconds >= 0 ? milliseconds + 0 : null;
}

/** An absolute http or https URL, with redirectors and tracking parameters removed; null for anything else. */
export function toCleanUrl(raw: unknown, baseUrl: string): string | null {
  return typeof raw === 'string' ? toDirectUrl(raw, baseUrl) : null;
}

/** The URL of a person's or company's website, which people write with or without a scheme. */
export function toHomepageUrl(raw: unknown, base: string): string | null {
  const line = toLine(raw);
  return line === null ? null : toCleanUrl(/^[a-z]+:/i.test(line) ? line : `https://${line}`, base);
}

/** The URL of an image or video. Its query is kept, because such URLs are often signed. */
export function toMediaUrl(raw: unknown, baseUrl: string): string | null {
  return typeof raw === 'string' ? toWebUrl(raw, baseUrl) : null;
}

function formatEpoch(value: number): string | null {
  const milliseconds = value <= EPOCH_SECONDS.most ? Math.floor(value * 1000) : Math.floor(value);
  if (milliseconds < EPOCH_SECONDS.least * 1000 || milliseconds > EPOCH_SECONDS.most * 1000 + 999) return null;
  return new Date(milliseconds).toISOString();
}

const MAX_DURATION_LENGTH = 200;
/** The duration format of ISO 8601, without years and months, which have no fixed length. */
const ISO_DURATION =
  /^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:[.,]\d{1,9})?)S)?)?$/i;
const ISO_UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const;
const CLOCK_DURATION = /^-?(?:(\d{1,4}):)?(\d{1,4}):(\d{2})(?:[.,](\d{1,3}))?$/;
const DURATION_PART = /(\d{1,6}(?:[.,]\d{1,3})?)\s?(\p{L}{1,12})\.?/gu;
const BETWEEN_DURATION_PARTS = /^[\s,;.·]*(?:(?:and|und|et|y|e|en|og|och|i|и)\s)?\s*$/iu;

const UNIT_MS_BY_WORD: ReadonlyMap<string, number> = new Map(
  [
    [86_400_000, 'd day days tag tage tagen jour jours día días giorno giorni dia dias dag dagen д дн день 日 天 일'],
    [
      3_600_000,
      'h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur timer tim godz ч час часа часов 時間 小时 小時 시간',
    ],
    [
      60_000,
      'm min mins minute minutes minuten minuto minutos minuti minuut minuter min мин минута минуты минут 分 分钟 分鐘 분',
    ],
    [
      1000,
      's sec secs second seconds sek sekunde sekunden seconde secondes seg segundo segundos secondi seconden sekunder с сек секунд секунды 秒 초',
    ],
    [1, 'ms'],
  ].flatMap(([unit, words]) =>
    String(words)
      .split(' ')
      .map((word): [string, number] => [word, Number(unit)]),
  ),
);

/**
 * Parses a duration as milliseconds: ISO 8601 (`PT1M35S`), a clock (`3:45`, `1:02:03`) or numbers with units (`1 hr 2
 * min`, `2 Std. 5 Min.`). Null for a bare number, for years and months, and for anything else.
 */
export function parseDurationMs(written: string): number | null {
  const plain = normalizeDigits(written.slice(0, MAX_DURATION_LENGTH)).trim();
  return parseIsoDuration(plain) ?? parseClockDuration(plain) ?? parseUnitDuration(plain);
}

function parseIsoDuration(written: string): number | null {
  const match = ISO_DURATION.exec(written);
  if (match === null || match.slice(1).every((part) => part === undefined)) return null;
  return toWholeMs(
    ISO_UNITS_MS.reduce((sum, unit, place) => sum + unit * Number((match[place + 1] ?? '0').replace(',', '.')), 0),
  );
}

function parseClockDuration(written: string): number | null {
  const match = CLOCK_DURATION.exec(written);
  if (match === null || written.startsWith('-')) return null;
  const [, hours = '0', minutes = '0', wholeSeconds = '0', fraction = '0'] = match;
  if (Number(wholeSeconds) > 59 || (match[1] !== undefined && Number(minutes) > 59)) return null;
  return toWholeMs(
    Number(hours) * 3_600_000 +
      Number(minutes) * 60_000 +
      Number(wholeSeconds) * 1000 +
      Number(fraction.padEnd(3, '0')),
  );
}

function parseUnitDuration(written: string): number | null {
  let total = 0;
  let end = 0;
  for (const part of written.matchAll(DURATION_PART)) {
    const unit = UNIT_MS_BY_WORD.get(part[2]?.toLowerCase() ?? '');
    if (unit === undefined || !BETWEEN_DURATION_PARTS.test(written.slice(end, part.index))) return null;
    total += unit * Number((part[1] ?? '').replace(',', '.'));
    end = part.index + part[0].length;
  }
  return end === 0 || written.slice(end).trim() !== '' ? null : toWholeMs(total);
}

function toWholeMs(value: number): number | null {
  const whole = Math.round(value);
  return Number.isSafeInteger(whole) ? whole : null;
}
