import { certainCurrencyOf, currencyOf, isCurrency, isCurrencySign, minorDigitsOf } from './currencies.ts';
import { findNumber, toJsonNumber, toPlainDigits } from './numbers.ts';

/** An amount in major units, exact in decimal digits, and its ISO 4217 code; null when the source names none. */
export type Money = { readonly amount: number; readonly currency: string | null };

type MoneyReading = { readonly locale: string | null; readonly currency: string | null };
/** The default currency of a sign that several share. */
type Doubt = 'likeliest' | 'none';

/** A sign or word right before a number, a minus between them allowed. */
const BEFORE = /([\p{L}]{0,3}\p{Sc}|\p{L}{1,3}\/\.?|\p{L}(?:\.\p{L})+|[\p{L}]{1,6})\.?\s?-?\s?$/u;
/** A code with the sign of a currency that shares it: `NZD $5`. */
const CODE_BEFORE = /(?<!\p{L})([A-Z]{3})\s?\p{Sc}\s?-?\s?$/u;
/** Currency suffixes of a number: a sign with letters or points, or a word. */
const SIGN_AFTER = /^\s?(?:[,.]-+|-+)?\s?(\p{L}{0,3}\p{Sc}|\p{L}{1,2}\/\.?|\p{L}(?:\.\p{L})+)/u;
const WORD_AFTER = /^\s?(?:[,.]-+|-+)?\s?([\p{L}'\p{M}]{1,7})/u;
/** Cents behind the sign of their currency: `35€ 99`. */
const CENTS_AFTER_SIGN = /(\d)\s?([€£$])\s?(\d{2})(?!\s?[\d.,%\p{L}\p{Sc}])/gu;
/** Cents that a space parts from their mark, at the end or before a currency: `119. 95`, `130, 38 zł`. */
const CENTS_AFTER_SPACE =
  /(?<!\d[.,]\s?\d{1,6})(\d[.,])\s(\d{2})(?=\s?(?:$|\p{Sc}|(?:zł|kč|kr|lei|ft|[A-Z]{3})(?!\p{L})))/gu;
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
  const plain = toPlainDigits(text.slice(0, LONGEST))
    .replaceAll(CENTS_AFTER_SIGN, '$1.$3 $2')
    .replaceAll(CENTS_AFTER_SPACE, '$1$2');
  const candidates = candidatesIn(plain, reading);
  const at = Math.max(
    0,
    candidates.findIndex((candidate) => candidate.sign !== null),
  );
  const chosen = candidates[at];
  if (chosen === undefined) return null;
  const amount = toJsonNumber(lowerEnd(plain, candidates, at));
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
  const left = text.slice(Math.max(0, start - 10), start);
  const code = CODE_BEFORE.exec(left)?.[1];
  if (code !== undefined && isCurrency(code)) return code;
  const before = BEFORE.exec(left)?.[1];
  if (before !== undefined && isCurrencySign(before)) return before;
  const right = text.slice(end, end + 12);
  const after = [SIGN_AFTER.exec(right)?.[1], WORD_AFTER.exec(right)?.[1]];
  return after.find((sign) => sign !== undefined && isCurrencySign(sign)) ?? null;
}

/** The lower end of the range that the chosen amount begins, or ends where the sign stands only there (`26 to 50 €`). */
function lowerEnd(text: string, candidates: readonly Candidate[], at: number): string {
  const [before, chosen, after] = [candidates[at - 1], candidates[at], candidates[at + 1]];
  if (chosen === undefined) return '';
  const joined = [isRange(text, before, chosen) ? before : undefined, isRange(text, chosen, after) ? after : undefined];
  const lower = joined.find((end) => end !== undefined && isBelow(end, chosen));
  return lower?.decimal ?? chosen.decimal;
}

function isRange(text: string, first: Candidate | undefined, second: Candidate | undefined): boolean {
  return first !== undefined && second !== undefined && RANGE.test(text.slice(first.end, second.start));
}

function isBelow(one: Candidate, other: Candidate): boolean {
  return Number(one.decimal) > 0 && Number(one.decimal) < Number(other.decimal);
}
