import { certainCurrencyOf, currencyOf, isCurrencySign, minorDigitsOf } from './currencies.ts';
import { findNumber, toJsonNumber, toPlainDigits } from './numbers.ts';

/** An amount in major units, exact in decimal digits, and its ISO 4217 code; null when the source names none. */
export type Money = { readonly amount: number; readonly currency: string | null };

type MoneyReading = { readonly locale: string | null; readonly currency: string | null };
/** What a sign of several currencies is read as when nothing decides. */
type Doubt = 'likeliest' | 'none';

/** A sign or word right before a number, a minus between them allowed. */
const BEFORE = /([\p{L}]{0,3}[\p{Sc}]|[\p{L}]{1,4}\.?)\s?-?\s?$/u;
const AFTER = /^\s?(?:[,.]-+|-+)?\s?([\p{Sc}]|[\p{L}]{1,7})/u;
const RANGE = /^\s?(?:[\p{Sc}\p{L}]{0,4})\s?(?:[-–—]|to|bis|à|a)\s?[\p{Sc}\p{L}]{0,4}\s?$/u;
const LONGEST = 400;

type Candidate = {
  readonly decimal: string;
  /** The sign, code or word beside the number that names a currency. */
  readonly sign: string | null;
  readonly start: number;
  readonly end: number;
};

/**
 * The price that a text names (`€1.234,56`, `CHF 1'049.95`, `423.923 KD`); the lower end of a range; null when it names none.
 * The first number with a currency beside it wins over numbers without one.
 */
export function readMoney(text: string, reading: MoneyReading): Money | null {
  return read(text, reading, 'likeliest');
}

/** The same; a sign of several currencies that neither `currency` nor the locale's region decides leaves `currency` null. */
export function readCertainMoney(text: string, reading: MoneyReading): Money | null {
  return read(text, reading, 'none');
}

function read(text: string, reading: MoneyReading, doubt: Doubt): Money | null {
  const plain = toPlainDigits(text.slice(0, LONGEST));
  const candidates = candidatesIn(plain, reading);
  const at = Math.max(
    0,
    candidates.findIndex((candidate) => candidate.sign !== null),
  );
  const chosen = candidates[at];
  if (chosen === undefined) return null;
  const amount = toJsonNumber(lowerEnd(plain, chosen, candidates[at + 1]));
  if (amount === null) return null;
  if (chosen.sign === null) return { amount, currency: reading.currency };
  const decide = doubt === 'none' ? certainCurrencyOf : currencyOf;
  return { amount, currency: decide(chosen.sign, reading.currency, reading.locale) };
}

function candidatesIn(text: string, reading: MoneyReading): readonly Candidate[] {
  const candidates: Candidate[] = [];
  let from = 0;
  while (from < text.length) {
    const rough = findNumber(text, { locale: reading.locale, minorDigits: 2 }, from);
    if (rough === null) break;
    const sign = signBeside(text, rough.start, rough.end);
    const digits = sign === null ? reading.currency : currencyOf(sign, reading.currency, reading.locale);
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
    candidates.push({ decimal, sign, start: rough.start, end: rough.end });
    from = rough.end;
  }
  return candidates;
}

function signBeside(text: string, start: number, end: number): string | null {
  const before = BEFORE.exec(text.slice(Math.max(0, start - 8), start))?.[1]?.replace(/\.$/, '');
  if (before !== undefined && isCurrencySign(before)) return before;
  const after = AFTER.exec(text.slice(end, end + 12))?.[1];
  return after !== undefined && isCurrencySign(after) ? after : null;
}

function lowerEnd(text: string, first: Candidate, second: Candidate | undefined): string {
  if (second === undefined || !RANGE.test(text.slice(first.end, second.start))) return first.decimal;
  return Number(second.decimal) < Number(first.decimal) && Number(second.decimal) > 0 ? second.decimal : first.decimal;
}
