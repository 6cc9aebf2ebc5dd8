import {
  findCertainCurrency,
  currencyOf,
  isCurrency,
  isCurrencySign,
  minorDigitsOf,
  findCurrencyPart,
} from './currencies.ts';
import { createSeparatorReader } from './lone-marks.ts';
import { findDigitRun, shiftPoint, toJsonNumber, toPlainDigits } from './numbers.ts';
import { findReducedPrice } from './reduced-price.ts';
import { isEastAsianScale, parseScale } from './scales.ts';

/** An amount in major units, exact in decimal digits, and its ISO 4217 code; null when the source names none. */
export type Money = { readonly amount: number; readonly currency: string | null };

export type MoneyReading = { readonly locale: string | null; readonly currency: string | null };

/** A stretch of the text that a page shows in one place; not sure where its digits may belong to several amounts. */
export type PriceText = { readonly text: string; readonly isSure: boolean };

/** A sign or word right before a number, a minus between them allowed. */
const SIGN_BEFORE = /([\p{L}]{0,3}\p{Sc}|\p{L}{1,3}\/\.?|\p{L}(?:\.\p{L})+|[\p{L}]{1,6})\.?\s?-?\s?$/u;
/** A code with the sign of a currency that shares it: `NZD $5`. */
const CODE_BEFORE = /(?<!\p{L})([A-Z]{3})\s?\p{Sc}\s?-?\s?$/u;
/** Currency suffixes of a number: a sign with letters or points, or a word. */
const SIGN_AFTER = /^\s?(?:[,.]-+|-+)?\s?(\p{L}{0,3}\p{Sc}|\p{L}{1,2}\/\.?|\p{L}(?:\.\p{L})+)/u;
const WORD_AFTER = /^\s?(?:[,.]-+|-+)?\s?([\p{L}'\p{M}]{1,9})(?![\p{L}\p{M}])\.?/u;
/** Cents behind the sign of their currency: `35€99`, `35€ 99`. */
const CENTS_AFTER_SIGN = /(?<![\d.,'\p{Sc}]|\p{Sc}\s)(\d[\d.,']*)([€£$])\s?(\d{2})(?!\s?[\d.,%\p{L}\p{Sc}])/gu;
/** Cents that a space parts from their mark, at the end or before a currency: `119. 95`, `1299 ,00 €`. */
const CENTS_AFTER_SPACE =
  /(?<!\d(?:\s[.,]|[.,]\s)\s?\d{1,6})(?<=\d)(?:([.,])\s|\s([.,])\s?)(\d{2})(?=\s?(?:$|\p{Sc}|(?:zł|kč|kr|lei|ft|euros?|руб|грн|[A-Z]{3})(?!\p{L})))/giu;
const RAISED_CENTS = /(\d[\d.,' ]*)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/gu;
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** A dash for no cents: `5,–`. */
const NO_CENTS = /(?<=\d[.,])[–—]/gu;
const RANGE = /^\s?(?:[\p{Sc}\p{L}]{0,4})\s?(?:[-–—]|to|bis|à|a)\s?[\p{Sc}\p{L}]{0,4}\s?$/u;
/** Two digits behind a whole amount, which may be its cents. */
const LIKELY_CENTS = /^\s\d{2}(?!\s?[\d.,%\p{L}\p{Sc}/×])/u;
/** What is sold by amounts with three decimals. */
const BY_THREE_DECIMALS = /^\s?(?:\/|per|pro|par|al|za)\s?(?:l|lit(?:re|er|r|ro)|kwh|gal(?:lon)?)(?!\p{L})/iu;
/** Words before an amount that is not the one to pay, and what may stand between them and it. */
const OTHER_PRICE =
  /(?<!\p{L})(?:was|were|formerly|originally|original price|regular price|list price|(?:you )?save|instead of|r\.?r\.?p|msrp|uvp|statt|vorher|bisher|(?:sie |du )?sparen|(?:du )?sparst|ersparnis|ursprünglich|au lieu de|avant|économisez|antes|ahorra|en lugar de|invece di|anziché|risparmi|in plaats van|bespaar|zamiast|oszczędzasz|вместо|было|экономия|i stället för|spara|spar)(?:\.|\s(?:price|preis|was|war|prix|precio|prezzo))*[\s:(]*(?:\p{L}{0,3}\p{Sc}|[A-Z]{3})?\s?-?\s?$/iu;
const MAX_CHARS = 400;
const MAX_LOOK_BEHIND = 60;
const MAX_SIGN_DISTANCE = 10;
/** A minus at the start or right before the amount and its sign; with spaces on both sides it is a dash. */
const MINUS = /(?:^\s?-\s?|(?<!\p{L}|\d\s?|[.,])-)(?:\p{L}{0,3}\p{Sc}\s?)?$/u;

/** How a currency is chosen for a sign of several. */
type AmbiguityRule = 'likeliest' | 'none';

/** A number that may be a price. */
type Candidate = {
  /** In major units; null where it is not sure. */
  readonly decimal: string | null;
  /** The digits without scale, as a decimal. */
  readonly written: string | null;
  readonly hasScale: boolean;
  /** The sign, code or word next to the number that names a currency or, behind it, a part of one. */
  readonly sign: string | null;
  readonly place: 'before' | 'behind';
  readonly isPart: boolean;
  /** The number with its scale; `after` is past the sign behind it. */
  readonly start: number;
  readonly end: number;
  readonly after: number;
  /** Whether the words before it say that it is another price. */
  readonly isOther: boolean;
};

/** One of the amounts that a text names, with its place. */
export type Amount = Money & {
  readonly isSigned: boolean;
  readonly start: number;
  readonly end: number;
};

/**
 * The price that a text names (`€1.234,56`, `CHF 1'049.95`, `423.923 KD`); the lower end of a range; null when it names
 * none, or none for sure. The first number with a currency beside it wins over numbers without one.
 */
export function readMoney(text: string, reading: MoneyReading): Money | null {
  return chooseMoney([{ text, isSure: true }], reading, 'likeliest');
}

/** The same; a sign of several currencies that neither `currency` nor the locale's region decides leaves `currency` null. */
export function parseCertainMoney(text: string, reading: MoneyReading): Money | null {
  return chooseMoney([{ text, isSure: true }], reading, 'none');
}

/** The price to pay in texts that stand next to each other, where a lower one beside it is what it was reduced to; amounts in `without` are not it. */
export function readMoneyAmong(
  texts: readonly PriceText[],
  reading: MoneyReading,
  without: ReadonlySet<number>,
): Money | null {
  return chooseMoney(texts, reading, 'likeliest', without);
}

/** Whether a text says of the first amount in it that it is not the one to pay: `Save $20`. */
export function isSecondaryPriceText(text: string): boolean {
  const plain = normalizeMoneyText(text);
  return OTHER_PRICE.test(plain.slice(0, Math.max(0, plain.search(/\d/))).slice(-MAX_LOOK_BEHIND));
}

/** All amounts that a text names for sure, in order; the first of a range has the scale of the second: `80–100K`. */
export function parseAmounts(text: string, reading: MoneyReading): readonly Amount[] {
  const plain = normalizeMoneyText(text);
  const candidates = findCandidates(plain, reading);
  return candidates.flatMap((candidate, at) => {
    const next = candidates[at + 1];
    const decimal = isRange(plain, candidate, next) ? applySharedScale(candidate, next) : candidate.decimal;
    const money = decimal === null ? null : toMoney(candidate, decimal, reading, 'none');
    const { start, end, sign } = candidate;
    return money === null ? [] : [{ ...money, isSigned: sign !== null, start, end }];
  });
}

/** A text as {@link parseAmounts} counts the places of amounts in it. */
export function normalizeAmountText(text: string): string {
  return normalizeMoneyText(text);
}

/** A whole amount with cents that are written apart from it, smaller or raised; without them where they are a footnote; null where they may be either. */
export function withCents(whole: string, cents: string): string | null {
  const number = whole.trimEnd();
  if (/[.,]$/.test(number)) return cents.length <= 3 ? number + cents : null;
  // Prices of fuel end in a raised nine.
  if (/[.,]\d{1,2}$/.test(number)) return cents === '9' ? null : number;
  if (cents.length === 1) return number;
  return cents.length === 2 ? `${number}${number.includes('.') ? ',' : '.'}${cents}` : null;
}

function chooseMoney(
  texts: readonly PriceText[],
  reading: MoneyReading,
  doubt: AmbiguityRule,
  without: ReadonlySet<number> | null = null,
): Money | null {
  let whole = '';
  const all: Candidate[] = [];
  for (const { text, isSure } of texts) {
    if (whole.length >= MAX_CHARS) break;
    const plain = normalizeMoneyText(text);
    all.push(...findCandidates(plain, reading, whole).map((found) => (isSure ? found : { ...found, decimal: null })));
    whole += `${plain} `;
  }
  const candidates = all.filter(({ decimal }) => decimal === null || without?.has(Number(decimal)) !== true);
  const ranks: readonly ((candidate: Candidate) => boolean)[] = [
    ({ sign, isOther }) => sign !== null && !isOther,
    ({ sign }) => sign !== null,
    ({ isOther }) => !isOther,
    () => true,
  ];
  const rank = ranks.find((isRanked) => candidates.some(isRanked));
  const at = rank === undefined ? -1 : candidates.findIndex(rank);
  const chosen = candidates[at];
  const decimal =
    chosen === undefined
      ? null
      : ((without === null ? null : findReducedPrice(whole, candidates.slice(at))) ??
        chooseLowerEnd(whole, candidates, at));
  return chosen === undefined || decimal === null ? null : toMoney(chosen, decimal, reading, doubt);
}

function toMoney(
  { sign, isPart }: Candidate,
  decimal: string,
  reading: MoneyReading,
  doubt: AmbiguityRule,
): Money | null {
  const amount = toJsonNumber(decimal);
  const { currency, locale } = reading;
  if (amount === null) return null;
  if (sign === null) return { amount, currency };
  if (!isPart)
    return { amount, currency: (doubt === 'none' ? findCertainCurrency : currencyOf)(sign, currency, locale) };
  const part = findCurrencyPart(sign, currency, locale);
  return { amount, currency: (doubt === 'none' ? part?.certain : part?.likeliest) ?? null };
}

function normalizeMoneyText(text: string): string {
  return toPlainDigits(text.slice(0, MAX_CHARS))
    .replaceAll(NO_CENTS, '-')
    .replaceAll(RAISED_CENTS, (_, whole: string, raised: string) => {
      const digits = raised.replaceAll(/./gu, (sign) => String(RAISED.indexOf(sign)));
      // What is not sure is made no number.
      return withCents(whole, digits) ?? `${whole}.${digits}.`;
    })
    .replaceAll(CENTS_AFTER_SIGN, (written: string, whole: string, sign: string, cents: string) => {
      const joined = withCents(whole, cents);
      return joined === null || joined === whole ? written : `${joined} ${sign}`;
    })
    .replaceAll(CENTS_AFTER_SPACE, (_, near?: string, far?: string, cents = '') => `${near ?? far ?? ''}${cents}`);
}

/** The numbers of a text that may be prices, placed as behind `before`; a percentage is none. */
function findCandidates(text: string, reading: MoneyReading, before = ''): readonly Candidate[] {
  const found: Candidate[] = [];
  for (let from = 0; from < text.length;) {
    const last = found.at(-1);
    const candidate = findCandidate(text, from, last?.place === 'behind' ? last.after : from, reading);
    if (candidate === null) break;
    from = candidate.end;
    if (/^\s?%/.test(text.slice(candidate.end)) || /%\s?$/.test(text.slice(0, candidate.start))) continue;
    const joined = last === undefined ? null : joinPart(text, last, candidate);
    if (joined !== null) found.pop();
    const left = (before + text.slice(0, candidate.start)).slice(-MAX_LOOK_BEHIND);
    found.push(joined ?? { ...candidate, isOther: OTHER_PRICE.test(left) });
  }
  const moved = before.length;
  return found.map((one) => ({ ...one, start: one.start + moved, end: one.end + moved, after: one.after + moved }));
}

/** The first number from `from` on; a sign before it stands at `free` or behind. */
function findCandidate(text: string, from: number, free: number, reading: MoneyReading): Candidate | null {
  const rough = findDigitRun(text, from, () => 'decimals');
  if (rough === null) return null;
  const first = findSignBefore(text.slice(Math.max(free, rough.start - MAX_SIGN_DISTANCE), rough.start), reading);
  const scaled = parseScaledNumber(text, rough.end, first !== null, reading);
  const last = first === null ? findSignBehind(text, scaled.end, reading) : null;
  const sign = first ?? last?.sign ?? null;
  const currency = sign === null ? reading.currency : currencyOf(sign, reading.currency, reading.locale);
  const written = findDigitRun(text, rough.start, createSeparatorReader(currency, reading.locale))?.decimal ?? null;
  const candidate = {
    written,
    hasScale: scaled.power !== 0,
    sign,
    place: first === null ? ('behind' as const) : ('before' as const),
    isPart: last !== null && last.digits > 0,
    start: rough.start,
    end: scaled.end,
    after: last?.end ?? scaled.end,
    isOther: false,
  };
  const isSure = sign !== UNSURE_SIGN && !isIncomplete(text, candidate, currency);
  const decimal = isSure ? toMajorUnits(candidate, scaled, last?.digits ?? 0) : null;
  return { ...candidate, decimal: decimal !== null && isNegative(text, rough.start) ? `-${decimal}` : decimal };
}

/** The exact amount of a number with its scale, in the unit that its sign is a part of; null where it is not sure. */
function toMajorUnits(
  { written, sign }: Pick<Candidate, 'written' | 'sign'>,
  scaled: ScaledNumber,
  partDigits: number,
): string | null {
  if (written === null || scaled.power === null) return null;
  const unsigned = written.replace(/^-/, '');
  // A hundred pence are written as a pound, and many other things are counted in p and c.
  if (sign?.length === 1 && partDigits > 0 && /^\d{3,}$/.test(unsigned)) return null;
  if (partDigits > 0) return String(Number(`${unsigned}e-${partDigits}`));
  const whole = shiftPoint(unsigned, scaled.power);
  return scaled.added === 0 ? whole : String(Number(whole) + scaled.added);
}

/** Whether a number shows only a part of an amount, or one that more digits may belong to. */
function isIncomplete(
  text: string,
  { written, hasScale, sign, start, end, after }: Omit<Candidate, 'decimal'>,
  currency: string | null,
): boolean {
  const begin = text.charAt(start);
  if (begin === ',' || (begin === '.' && Number(written) === 0)) return true;
  // In `35 €99` the sign belongs to the amount before it or to the one behind.
  if (/\d\s€$/.test(text.slice(Math.max(0, start - 3), start)) && /^\d{2}$/.test(written ?? '')) return true;
  if (sign === null || hasScale) return false;
  const rest = text.slice(after);
  if (parseScale(rest, null)?.power != null && /^\s?\p{L}{3}/u.test(rest)) return true;
  if (BY_THREE_DECIMALS.test(rest) && /^\d{1,3}[.,]\d{3}$/.test(text.slice(start, end)) && !written?.includes('.'))
    return true;
  const hasCents = currency === null || minorDigitsOf(currency) > 0;
  return hasCents && /^-?\d+$/.test(written ?? '') && LIKELY_CENTS.test(rest);
}

function isNegative(text: string, start: number): boolean {
  return MINUS.test(text.slice(Math.max(0, start - MAX_LOOK_BEHIND), start));
}

/** What multiplies a number, and what a further number adds: `1億2000万`. */
type ScaledNumber = { readonly power: number | null; readonly added: number; readonly end: number };

function parseScaledNumber(text: string, end: number, isSigned: boolean, reading: MoneyReading): ScaledNumber {
  const rest = text.slice(end);
  const scale = parseScale(rest, reading.locale ?? 'en');
  if (scale === null) return { power: 0, added: 0, end };
  const past = end + scale.length;
  // A letter apart from the number is a size, a measure or the start of a word, unless a currency follows.
  if (
    scale.length === 2 &&
    /^\s[a-z]/i.test(rest) &&
    !/^\s?\p{Sc}|^\s?[A-Z]{3}\b|^\s?(?:kr|ft)\b/iu.test(text.slice(past))
  ) {
    const isMeasure = /^[-'/²³\d]/.test(text.slice(past));
    return { power: isSigned && !isMeasure ? null : 0, added: 0, end };
  }
  const next = isEastAsianScale(rest) && /^\d/.test(text.slice(past)) ? findDigitRun(text, past, () => 'unsure') : null;
  if (next === null) return { power: scale.power, added: 0, end: past };
  const following = parseScaledNumber(text, next.end, isSigned, reading);
  const isKnown = next.decimal !== null && following.power !== null;
  const added = isKnown ? Number(shiftPoint(next.decimal, following.power)) + following.added : 0;
  return { power: isKnown ? scale.power : null, added, end: following.end };
}

/** Stands for a sign that is written for several things. */
const UNSURE_SIGN = '?';

function findSignBefore(left: string, { currency, locale }: MoneyReading): string | null {
  const code = CODE_BEFORE.exec(left)?.[1];
  if (code !== undefined && isCurrency(code)) return code;
  const before = SIGN_BEFORE.exec(left)?.[1];
  if (before === undefined) return null;
  if (before === '¢') return currency === 'CRC' || /-CR$/i.test(locale ?? '') ? 'CRC' : UNSURE_SIGN;
  return isCurrencySign(before) ? before : null;
}

type SignBehind = {
  readonly sign: string;
  /** Above 0 for the part of a currency. */
  readonly digits: number;
  readonly end: number;
};

function findSignBehind(text: string, end: number, { currency, locale }: MoneyReading): SignBehind | null {
  const right = text.slice(end, end + 16);
  for (const pattern of [SIGN_AFTER, WORD_AFTER]) {
    const [whole = '', sign] = pattern.exec(right) ?? [];
    if (sign === undefined) continue;
    const past = end + whole.length;
    // Apart from this number and joined to the next, it belongs to that.
    if (!whole.startsWith(sign) && /^\.?\d/.test(text.slice(past))) continue;
    // Russian pages write the letter of either alphabet.
    if (/^p$/i.test(sign) && /^ru\b/i.test(locale ?? '')) return { sign: 'RUB', digits: 0, end: past };
    const part = findCurrencyPart(sign, currency, locale);
    if (part?.certain === null && sign === 'c') return { sign: UNSURE_SIGN, digits: 0, end: past };
    if (part !== null) return { sign, digits: part.digits, end: past };
    if (isCurrencySign(sign)) return { sign, digits: 0, end: past };
  }
  return null;
}

/** An amount with the part of it that follows: `10 руб. 50 коп.`; null where none does. */
function joinPart(text: string, whole: Candidate, part: Candidate): Candidate | null {
  if (!part.isPart || whole.isPart || whole.sign === null || !/^\d+$/.test(whole.written ?? '')) return null;
  if (!/^\s?(?:and|und|и|y|et|e|i)?\s?$/i.test(text.slice(whole.after, part.start))) return null;
  const isJoined =
    whole.place === 'behind' && whole.decimal !== null && part.decimal !== null && Number(part.decimal) < 1;
  const sum = Number(whole.decimal) + Number(part.decimal);
  return { ...whole, decimal: isJoined ? String(Math.round(sum * 100) / 100) : null, end: part.end, after: part.after };
}

/** The lower end of the range that the chosen amount begins, or ends where the sign stands only there (`26 to 50 €`). */
function chooseLowerEnd(text: string, candidates: readonly Candidate[], at: number): string | null {
  const [before, chosen, after] = [candidates[at - 1], candidates[at], candidates[at + 1]];
  if (chosen === undefined) return null;
  const own = isRange(text, chosen, after) ? applySharedScale(chosen, after) : chosen.decimal;
  const others = [
    ...(before !== undefined && isRange(text, before, chosen) ? [applySharedScale(before, chosen)] : []),
    ...(after !== undefined && isRange(text, chosen, after) ? [after.decimal] : []),
  ];
  if (own === null || others.includes(null)) return null;
  return others.find((end) => Number(end) > 0 && Number(end) < Number(own)) ?? own;
}

function isRange(text: string, first: Candidate, second: Candidate | undefined): boolean {
  return second !== undefined && RANGE.test(text.slice(first.end, second.start));
}

/** The lower end of a range, to which the scale behind the upper one belongs too: `1–2 million`. */
function applySharedScale(first: Candidate, second: Candidate | undefined): string | null {
  const isShared = second?.hasScale === true && !first.hasScale && Number(first.written) <= Number(second.written);
  if (!isShared || first.decimal === null) return first.decimal;
  // `$1 – $2 million` may be either.
  if (second.decimal === null || (first.sign !== null && second.sign !== null && first.place === second.place))
    return null;
  return String((Number(first.written) * Number(second.decimal)) / Number(second.written));
}
