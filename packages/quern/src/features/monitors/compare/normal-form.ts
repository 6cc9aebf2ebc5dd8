import { hash } from 'node:crypto';
import { compilePattern } from '#extract/select/patterns.ts';
import { toCanonicalKey } from '#extract/urls/canonical-key.ts';
import { type ParsedDate, parseDate } from '#extract/values/dates.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseMoneyText } from '#extract/values/money.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { parseValue } from '#extract/values/typed-values.ts';
import type { ComparedValue } from './baseline.ts';
import type { FieldShape, ValueKind } from './shapes.ts';

/** Removes the ignored parts of a text. */
export type TextCleaner = (text: string) => string;

/** Maximum number of characters that patterns are applied to. The rest of a text is compared as it is. */
const MAX_CLEANED_LENGTH = 2 * 1024 * 1024;
const MAX_DEPTH = 64;

/** Builds a cleaner that removes the matches of RE2 expressions, one expression after another. */
export function buildTextCleaner(patterns: readonly string[]): TextCleaner {
  if (patterns.length === 0) return (text) => text;
  const compiled = patterns.map(compilePattern);
  return (text) => {
    const head = compiled.reduce((rest, pattern) => pattern.remove(rest), text.slice(0, MAX_CLEANED_LENGTH));
    return text.length > MAX_CLEANED_LENGTH ? head + text.slice(MAX_CLEANED_LENGTH) : head;
  };
}

/** Normalizes a text: cleaned, composed (NFC), white space collapsed, ends trimmed. */
export function normalizeText(text: string, clean: TextCleaner): string {
  return collapseSpace(clean(text).normalize('NFC'));
}

/** Normalizes each line like `normalizeText`, and removes empty lines. */
export function normalizeLines(text: string, clean: TextCleaner): string {
  const lines = clean(text)
    .normalize('NFC')
    .split(/\r\n?|\n/);
  return lines
    .map(collapseSpace)
    .filter((line) => line !== '')
    .join('\n');
}

/** Formats a value so that all values of the kind that count as equal have the same text. */
export function normalizeValue(kind: ValueKind, value: unknown, clean: TextCleaner): string {
  if (typeof value !== 'string') return formatCanonicalJson(value, (text) => normalizeText(text, clean));
  if (kind === 'url') return normalizeUrl(value);
  return normalizeText(value, clean);
}

/** Whether two texts are the same time: by instant if both have one, else by day and time of day. */
export function isSameTime(one: string, other: string): boolean {
  const [first, second] = [parseDate(one, null), parseDate(other, null)];
  if (first === null || second === null) return one === other;
  if (first.instant !== null && second.instant !== null) return first.instant === second.instant;
  return first.day === second.day && (isDateOnly(first) || isDateOnly(second) || first.time === second.time);
}

/**
 * Formats canonical JSON with sorted members and strings mapped by `toText`. Values nested deeper than 64 levels are
 * cut.
 */
export function formatCanonicalJson(value: unknown, toText: (text: string) => string, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(toText(value));
  if (depth >= MAX_DEPTH) return '"…"';
  if (Array.isArray(value)) return `[${value.map((item) => formatCanonicalJson(item, toText, depth + 1)).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${formatCanonicalJson(value[name], toText, depth + 1)}`);
  return `{${members.join()}}`;
}

/** SHA-256 of a text, in hex. */
export function computeDigest(text: string): string {
  return hash('sha256', text, 'hex');
}

function normalizeUrl(text: string): string {
  const url = URL.parse(text.trim());
  return url === null ? collapseSpace(text) : toCanonicalKey(url.href);
}

function isDateOnly({ time }: ParsedDate): boolean {
  return time === null;
}

const NO_CONTEXT = { locale: null, currency: null, baseUrl: 'about:blank' };

/** Reads a value by its shape: null if there is none, undefined if it does not fit. */
export function readValue(shape: FieldShape, value: unknown): ComparedValue | undefined {
  if (value === null || value === undefined) return { value: null };
  if (shape.kind === 'list' || shape.kind === 'rows') return Array.isArray(value) ? { value } : undefined;
  return READERS[shape.kind](value);
}

const READERS: Readonly<Record<ValueKind, (value: unknown) => ComparedValue | undefined>> = {
  any: (value) => ({ value }),
  string: (value) => (typeof value === 'string' ? { value } : undefined),
  url: (value) => (typeof value === 'string' ? { value } : undefined),
  date: (value) => (typeof value === 'string' && parseDate(value, null) !== null ? { value } : undefined),
  number: (value) => (isFiniteNumber(value) ? { value } : undefined),
  boolean: readBoolean,
  money: readPrice,
};

function readBoolean(value: unknown): ComparedValue | undefined {
  if (typeof value === 'boolean') return { value };
  const read = typeof value === 'string' ? parseValue('boolean', value, NO_CONTEXT) : null;
  return read === null ? undefined : { value: read };
}

function readPrice(value: unknown): ComparedValue | undefined {
  if (isFiniteNumber(value)) return { value, currency: null };
  const price = typeof value === 'string' ? parseMoneyText(value, NO_CONTEXT) : value;
  if (!isJsonObject(price)) return undefined;
  const { amount, currency } = price;
  if (amount === null) return { value: null };
  return isFiniteNumber(amount)
    ? { value: amount, currency: typeof currency === 'string' ? currency : null }
    : undefined;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
