import { parseAmounts, normalizeAmountText } from './money.ts';
import { collapseSpace } from './space.ts';

/** The periods that pay is stated for. */
export const PAY_PERIODS = ['hour', 'day', 'week', 'month', 'year'] as const;

export type PayPeriod = (typeof PAY_PERIODS)[number];

/** The pay of a job in major units. Null means unknown; as `min` or `max` also an open end of the range. */
export type Pay = {
  readonly min: number | null;
  readonly max: number | null;
  readonly currency: string | null;
  readonly period: PayPeriod | null;
};

const WORDS: readonly (readonly [RegExp, PayPeriod])[] = [
  [/\b(?:hour|hourly|hr|hrs)\b/i, 'hour'],
  [/\b(?:day|daily|diem)\b/i, 'day'],
  [/\b(?:week|weekly|wk)\b/i, 'week'],
  [/\b(?:month|monthly|mo)\b/i, 'month'],
  [/\b(?:years?|yearly|yr|annual|annually|annum)\b|\bp\.a\./i, 'year'],
];
const MAX_LENGTH = 300;
/** 401(k) and similar savings plans, which look like amounts. */
const SAVINGS_PLAN = /\b40[13]\s?\(?[kb]\)?/gi;
const BETWEEN = /^\s?[+]?\s?\p{L}{0,3}\p{Sc}?\s?(?:[-–—]|to)\s?(?:\p{L}{0,3}\p{Sc}|[A-Z]{3})?\s?$/u;
const UPPER_BOUND = /\b(?:up to|at most|max(?:imum)?)\b/i;
const LOWER_BOUND = /\b(?:from|starting at|at least|min(?:imum)?)\b|\d\s?k?\s?\+/i;

/** The pay period of a text or a code such as `HOUR` or `per annum`; null if it contains none. */
export function findPayPeriod(text: string): PayPeriod | null {
  return WORDS.find(([word]) => word.test(text))?.[1] ?? null;
}

/** Parses the pay in an English text (`$43K - $60.2K a year`, `Up to $90 an hour`, `12K-26K Annually`); null if there is none. */
export function parsePay(text: string): Pay | null {
  const plain = normalizeAmountText(collapseSpace(text.slice(0, MAX_LENGTH)).replaceAll(SAVINGS_PLAN, ''));
  const amounts = parseAmounts(plain, { locale: 'en-US', currency: null });
  const [first, next] = amounts;
  if (first === undefined) return null;
  const second = next !== undefined && BETWEEN.test(plain.slice(first.end, next.start)) ? next : null;
  const low = Math.abs(first.amount);
  const high = second === null ? null : Math.abs(second.amount);
  const currency = amounts.find(({ isSigned }) => isSigned)?.currency ?? null;
  const period = findPayPeriod(plain);
  // A number without a currency and without a period is something else.
  if (low <= 0 || (currency === null && period === null)) return null;
  if (high !== null) {
    return low <= high ? { min: low, max: high, currency, period } : null;
  }
  if (UPPER_BOUND.test(plain)) return { min: null, max: low, currency, period };
  return { min: low, max: LOWER_BOUND.test(plain) ? null : low, currency, period };
}
