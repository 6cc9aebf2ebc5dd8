import { findDecimal, shiftPoint, toJsonNumber, normalizeDigits, isEastAsianScale, parseScale } from './numbers.ts';

/** A count; `approximate` is true if the source abbreviated or rounded it. */
export type Count = { readonly value: number; readonly approximate: boolean };

const MAX_COUNT_LENGTH = 200;
const PLUS_AFTER = /^\s?\p{L}*\.?\s?\+/u;

/**
 * Parses a count as pages show it: `12,345`, `2.2K`, `1,5 mil` in Spanish, `3万`, `1億2000万`, `100+`. A capital M is a
 * million in every locale. Null if there is no count, if it is negative, or if its unit is ambiguous without a locale.
 */
export function parseCount(text: string, locale: string | null): Count | null {
  const plain = normalizeDigits(text.slice(0, MAX_COUNT_LENGTH));
  let found = findDecimal(plain, locale);
  let total = 0;
  let approximate = false;
  while (found !== null) {
    const rest = plain.slice(found.end);
    const scale = parseScale(rest, locale);
    const power = scale === null ? 0 : scale.power;
    if (power === null || found.decimal.startsWith('-')) return null;
    const value = toJsonNumber(shiftPoint(found.decimal, power));
    if (value === null) return null;
    total += value;
    approximate ||= power > 0 || PLUS_AFTER.test(rest);
    const end = found.end + (scale?.length ?? 0);
    const isComposed = isEastAsianScale(rest) && /^\d/.test(plain.slice(end));
    found = isComposed ? findDecimal(plain, locale, end) : null;
    if (found === null) return Number.isSafeInteger(total) ? { value: total, approximate } : null;
  }
  return null;
}
