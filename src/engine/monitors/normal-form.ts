import { hash } from 'node:crypto';
import { compilePattern } from '#extract/select/patterns.ts';
import { canonicalKey } from '#extract/site/canonical-key.ts';
import { readMoment } from '#extract/values/dates.ts';
import type { Moment } from '#extract/values/dates.ts';
import { isJsonObject } from '#extract/values/json.ts';
import { collapseSpace } from '#extract/values/space.ts';
import type { Kind } from './shapes.ts';

/** A text with what is ignored left out. */
export type Cleaning = (text: string) => string;

/** Characters that patterns are asked of; what follows is compared as it is. */
const LONGEST_CLEANED = 2 * 1024 * 1024;
const DEEPEST = 64;

/** Leaves out what any of the RE2 expressions matches, one after the other. */
export function toCleaning(patterns: readonly string[]): Cleaning {
  if (patterns.length === 0) return (text) => text;
  const compiled = patterns.map(compilePattern);
  return (text) => {
    const head = compiled.reduce((rest, pattern) => pattern.without(rest), text.slice(0, LONGEST_CLEANED));
    return text.length > LONGEST_CLEANED ? head + text.slice(LONGEST_CLEANED) : head;
  };
}

/** The normal form of a text: cleaned, composed (NFC), every run of white space one space, ends trimmed. */
export function toPlain(text: string, clean: Cleaning): string {
  return collapseSpace(clean(text).normalize('NFC'));
}

/** The normal form of a text of lines: each line as `toPlain` has it, empty ones left out. */
export function toPlainLines(text: string, clean: Cleaning): string {
  const lines = clean(text)
    .normalize('NFC')
    .split(/\r\n?|\n/);
  return lines
    .map(collapseSpace)
    .filter((line) => line !== '')
    .join('\n');
}

/** One text for all values of a kind that count as equal. */
export function toNormal(kind: Kind, value: unknown, clean: Cleaning): string {
  if (typeof value !== 'string') return toCanonical(value, (text) => toPlain(text, clean));
  if (kind === 'url') return toUrlKey(value);
  return toPlain(value, clean);
}

/** Whether two texts name the same time: instants where both have one, else what both say of the day and its time. */
export function isSameTime(one: string, other: string): boolean {
  const [first, second] = [readMoment(one, null), readMoment(other, null)];
  if (first === null || second === null) return one === other;
  if (first.instant !== null && second.instant !== null) return first.instant === second.instant;
  return first.day === second.day && (isDay(first) || isDay(second) || first.time === second.time);
}

/** JSON with sorted members and texts as `toText` has them: equal for equal values; what lies deeper than 64 is left out. */
export function toCanonical(value: unknown, toText: (text: string) => string, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(toText(value));
  if (depth >= DEEPEST) return '"…"';
  if (Array.isArray(value)) return `[${value.map((item) => toCanonical(item, toText, depth + 1)).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${toCanonical(value[name], toText, depth + 1)}`);
  return `{${members.join()}}`;
}

/** SHA-256 of a text, hex. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'hex');
}

function toUrlKey(text: string): string {
  const url = URL.parse(text.trim());
  return url === null ? collapseSpace(text) : canonicalKey(url.href);
}

function isDay({ time }: Moment): boolean {
  return time === null;
}
