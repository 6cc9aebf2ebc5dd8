import { parseCount, type Count } from './counts.ts';
import { readMoment } from './dates.ts';
import { parseDurationMs } from './durations.ts';
import { parseAmounts } from './money.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { collapseSpace } from './space.ts';
import { toPlainUrl, toWebUrl } from './web-urls.ts';

/** Plain digits, or groups of three behind commas as English pages write them. */
const INTEGER = /^[+-]?(?:\d{1,16}|\d{1,3}(?:,\d{3}){1,5})(?:\.0+)?$/;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,3})?$/;
/** From 1973 to the end of 2099; in between lies no second that is also a millisecond of that time. */
const EPOCH_SECONDS = { least: 100_000_000, most: 4_102_444_799 } as const;

/** The value at a path of own members and list positions; undefined when the path ends before. */
export function at(raw: unknown, ...path: readonly (string | number)[]): unknown {
  let value = raw;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value.at(step) : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined || value === null) return undefined;
  }
  return value;
}

/** A list as it is; empty for anything else. */
export function list(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}

/** A text or a number as text in NFC, lines kept and ends trimmed; null when nothing is left. */
export function text(raw: unknown): string | null {
  if (typeof raw === 'number' && Number.isFinite(raw)) return String(raw);
  if (typeof raw !== 'string') return null;
  const plain = (raw.includes('\0') ? raw.replaceAll('\0', '') : raw).toWellFormed().normalize('NFC').trim();
  return plain === '' ? null : plain;
}

/** The same on one line: runs of white space of any kind as one space. */
export function line(raw: unknown): string | null {
  const plain = text(raw);
  return plain === null ? null : collapseSpace(plain);
}

/** A whole number, or a text that is one (`12`, `12,345`); null beyond 2^53 − 1. For what people read, see {@link countOf}. */
export function integer(raw: unknown): number | null {
  const value = typeof raw === 'string' && INTEGER.test(raw.trim()) ? Number(raw.trim().replaceAll(',', '')) : raw;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value + 0 : null;
}

/** A whole number that is not negative: many sites say by -1 that they do not tell a count. */
export function natural(raw: unknown): number | null {
  const value = integer(raw);
  return value === null || value < 0 ? null : value;
}

/** A number, or a text that is one as JSON writes it. */
export function decimal(raw: unknown): number | null {
  const value = typeof raw === 'string' && NUMBER.test(raw.trim()) ? Number(raw.trim()) : raw;
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
}

const NO_MONEY_CONTEXT = { locale: null, currency: null };

/** An amount of structured data, which some write as people do; null when negative, one of several, or none. */
export function statedAmount(raw: unknown): number | null {
  const written = typeof raw === 'string' ? parseAmounts(raw, NO_MONEY_CONTEXT) : [];
  const value = decimal(raw) ?? (written.length === 1 ? (written[0]?.amount ?? null) : null);
  return value === null || value < 0 ? null : value;
}

/** True or false; null for anything else, words included. */
export function boolean(raw: unknown): boolean | null {
  return typeof raw === 'boolean' ? raw : null;
}

/** A count as a number or as a page shows it (`2.2K`, `1,5 mil`), never negative; null when it is neither. */
export function countOf(raw: unknown, locale: string | null): Count | null {
  const exact = integer(raw);
  if (exact !== null) return exact < 0 ? null : { value: exact, approximate: false };
  return typeof raw === 'string' ? parseCount(raw, locale) : null;
}

/**
 * A point in time as ISO 8601 in UTC with `Z`, from a date with a zone or from seconds or milliseconds since 1970; the day
 * alone where the source gives no zone or no time. Words relative to now ("3 days ago") and times beyond 2099 are null.
 */
export function moment(raw: unknown, locale: string | null = null): string | null {
  const epoch = decimal(raw);
  if (epoch !== null) return formatEpoch(epoch);
  if (typeof raw !== 'string') return null;
  const read = readMoment(raw, locale);
  return read === null ? null : (read.instant ?? read.day);
}

/** A duration in milliseconds, from a text that names its units (`PT1M35S`, `3:45`, `1 hr 2 min`); null for a bare number. */
export function duration(raw: unknown): number | null {
  return typeof raw === 'string' ? parseDurationMs(raw) : null;
}

/** Seconds as milliseconds, fractions rounded; null when negative or no number. */
export function seconds(raw: unknown): number | null {
  const value = decimal(raw);
  const milliseconds = value === null ? -1 : Math.round(value * 1000);
  return Number.isSafeInteger(milliseconds) && milliseconds >= 0 ? milliseconds + 0 : null;
}

/** An absolute http or https URL without redirectors and tracking parameters; null for anything else. */
export function url(raw: unknown, baseUrl: string): string | null {
  return typeof raw === 'string' ? toPlainUrl(raw, baseUrl) : null;
}

/** The address of one's own pages, which people write with or without a scheme. */
export function homepage(raw: unknown, base: string): string | null {
  const given = line(raw);
  return given === null ? null : url(/^[a-z]+:/i.test(given) ? given : `https://${given}`, base);
}

/** The address of an image or a video, every parameter kept, since such addresses are often signed. */
export function mediaUrl(raw: unknown, baseUrl: string): string | null {
  return typeof raw === 'string' ? toWebUrl(raw, baseUrl) : null;
}

function formatEpoch(value: number): string | null {
  const milliseconds = value <= EPOCH_SECONDS.most ? Math.floor(value * 1000) : Math.floor(value);
  if (milliseconds < EPOCH_SECONDS.least * 1000 || milliseconds > EPOCH_SECONDS.most * 1000 + 999) return null;
  return new Date(milliseconds).toISOString();
}
