import { currencyOf, minorDigitsOf } from './currencies.ts';
import { findNumber, toJsonNumber, toPlainDigits } from './numbers.ts';

/** An amount in major units, exact in decimal digits, and its ISO 4217 code; null when the source names none. */
export type Money = { readonly amount: number; readonly currency: string | null };

type MoneyReading = { readonly locale: string | null; readonly currency: string | null };

/** A sign or word right before a number, a minus between them allowed. */
const BEFORE = /([\p{L}]{0,3}[\p{Sc}]|[\p{L}]{1,4}\.?)\s?-?\s?$/u;
const AFTER = /^\s?(?:[,.]-+|-+)?\s?([\p{Sc}]|[\p{L}]{1,7})/u;
const RANGE = /^\s?(?:[\p{Sc}\p{L}]{0,4})\s?(?:[-–—]|to|bis|à|a)\s?[\p{Sc}\p{L}]{0,4}\s?$/u;
const LONGEST = 400;

type Candidate = {
  readonly decimal: string;
  readonly currency: string | null;
  readonly start: number;
  readonly end: number;
};

/**
 * The price that a text names (`€1.234,56`, `CHF 1'049.95`, `423.923 KD`); the lower end of a range; null when it names none.
 * The first number with a currency beside it wins over numbers without one.
 */
export function readMoney(text: string, reading: MoneyReading): Money | null {
  const plain = toPlainDigits(text.slice(0, LONGEST));
  const candidates = candidatesIn(plain, reading);
  const at = Math.max(
    0,
    candidates.findIndex((candidate) => candidate.currency !== null),
  );
  const chosen = candidates[at];
  if (chosen === undefined) return null;
  const amount = toJsonNumber(lowerEnd(plain, chosen, candidates[at + 1]));
  return amount === null ? null : { amount, currency: chosen.currency ?? reading.currency };
}

function candidatesIn(text: string, reading: MoneyReading): readonly Candidate[] {
  const candidates: Candidate[] = [];
  let from = 0;
  while (from < text.length) {
    const rough = findNumber(text, { locale: reading.locale, minorDigits: 2 }, from);
    if (rough === null) break;
    const currency = currencyBeside(text, rough.start, rough.end, reading);
    const digits = currency ?? reading.currency;
    const exact =
      findNumber(
        text,
        { locale: reading.locale, minorDigits: digits === null ? 2 : minorDigitsOf(digits) },
        rough.start,
      ) ?? rough;
    const negative =
      /-\s?[\p{Sc}]?\s?$/u.test(text.slice(Math.max(0, rough.start - 4), rough.start)) &&
      !/\d\s?-\s?[\p{Sc}]?\s?$/u.test(text.slice(0, rough.start));
    const decimal = negative && !exact.decimal.startsWith('-') ? `-${exact.decimal}` : exact.decimal;
    candidates.push({ decimal, currency, start: rough.start, end: rough.end });
    from = rough.end;
  }
  return candidates;
}

function currencyBeside(text: string, start: number, end: number, { currency, locale }: MoneyReading): string | null {
  const before = BEFORE.exec(text.slice(Math.max(0, start - 8), start))?.[1]?.replace(/\.$/, '');
  const after = AFTER.exec(text.slice(end, end + 12))?.[1];
  return (
    (before === undefined ? null : currencyOf(before, currency, locale)) ??
    (after === undefined ? null : currencyOf(after, currency, locale))
  );
}

function lowerEnd(text: string, first: Candidate, second: Candidate | undefined): string {
  if (second === undefined || !RANGE.test(text.slice(first.end, second.start))) return first.decimal;
  return Number(second.decimal) < Number(first.decimal) && Number(second.decimal) > 0 ? second.decimal : first.decimal;
}
