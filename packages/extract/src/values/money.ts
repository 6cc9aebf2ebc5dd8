import {
  chooseCurrency,
  createSeparatorReader,
  findCertainCurrency,
  findCurrencyPart,
  getMinorDigits,
  isCurrencyCode,
  isCurrencySign,
} from './currencies.ts';
import { findDigitRun, isEastAsianScale, normalizeDigits, parseScale, shiftPoint, toJsonNumber } from './numbers.ts';
import { collapseSpace } from './space.ts';

/** The price members of a record; `currency` is an ISO 4217 code. Null means unknown, never 0. */
export type PriceFields = {
  readonly price: number | null;
  readonly currency: string | null;
  readonly price_text: string | null;
};

/** The members for an unknown price. */
export const NO_PRICE: PriceFields = { price: null, currency: null, price_text: null };

/**
 * Parses a price, keeping its wording in `price_text`. `context.currency` is the currency that the source states
 * elsewhere; without one, a sign of several currencies yields null. A negative amount is not a price.
 */
export function parsePriceFields(
  text: string | null,
  context: { readonly locale: string | null; readonly currency: string | null },
): PriceFields {
  const wording = text === null ? '' : collapseSpace(text);
  if (wording === '') return NO_PRICE;
  const money = parseCertainMoney(wording, context);
  if (money === null || money.amount < 0) return { ...NO_PRICE, price_text: wording };
  return { price: money.amount, currency: money.currency, price_text: wording };
}

/** An amount in major units, and its ISO 4217 code; `currency` is null if the source names none. */
export type Money = { readonly amount: number; readonly currency: string | null };

/** The locale of a text, and the currency to assume where an amount names none; null if unknown. */
export type MoneyContext = { readonly locale: string | null; readonly currency: string | null };

/** A text that a page shows in one place. `isSure` is false if its digits may belong to several amounts. */
export type PriceText = { readonly text: string; readonly isSure: boolean };

/** A currency sign or word right before a number, optionally with a minus between them. */
const SIGN_BEFORE = /([\p{L}]{0,3}\p{Sc}|\p{L}{1,3}\/\.?|\p{L}(?:\.\p{L})+|[\p{L}]{1,6})\.?\s?-?\s?$/u;
/** A currency code followed by a sign that several currencies share: `NZD $5`. */
const CODE_BEFORE = /(?<!\p{L})([A-Z]{3})\s?\p{Sc}\s?-?\s?$/u;
/** A currency sign or abbreviation after a number; `WORD_AFTER` matches a currency word there. */
const SIGN_AFTER = /^\s?(?:[,.]-+|-+)?\s?(\p{L}{0,3}\p{Sc}|\p{L}{1,2}\/\.?|\p{L}(?:\.\p{L})+)/u;
const WORD_AFTER = /^\s?(?:[,.]-+|-+)?\s?([\p{L}'\p{M}]{1,9})(?![\p{L}\p{M}])\.?/u;
/** Cents after the currency sign: `35€99`, `35€ 99`. */
const CENTS_AFTER_SIGN = /(?<![\d.,'\p{Sc}]|\p{Sc}\s)(\d[\d.,']*)([€£$])\s?(\d{2})(?!\s?[\d.,%\p{L}\p{Sc}])/gu;
/** Cents with a space before or after the decimal mark, at the end or before a currency: `119. 95`, `1299 ,00 €`. */
const CENTS_AFTER_SPACE =
  /(?<!\d(?:\s[.,]|[.,]\s)\s?\d{1,6})(?<=\d)(?:([.,])\s|\s([.,])\s?)(\d{2})(?=\s?(?:$|\p{Sc}|(?:zł|kč|kr|lei|ft|euros?|руб|грн|[A-Z]{3})(?!\p{L})))/giu;
const RAISED_CENTS = /(\d[\d.,' ]*)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/gu;
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** A dash in place of cents: `5,–`. */
const NO_CENTS = /(?<=\d[.,])[–—]/gu;
const RANGE = /^\s?(?:[\p{Sc}\p{L}]{0,4})\s?(?:[-–—]|to|bis|à|a)\s?[\p{Sc}\p{L}]{0,4}\s?$/u;
/** Two digits after a whole amount and a space, which may be its cents. */
const LIKELY_CENTS = /^\s\d{2}(?!\s?[\d.,%\p{L}\p{Sc}/×])/u;
/** Units of goods that are priced with three decimals. */
const BY_THREE_DECIMALS = /^\s?(?:\/|per|pro|par|al|za)\s?(?:l|lit(?:re|er|r|ro)|kwh|gal(?:lon)?)(?!\p{L})/iu;
/** Words before an amount that is not the price to pay, such as "was" or "save", up to the amount. */
const OTHER_PRICE =
  /(?<!\p{L})(?:was|were|formerly|originally|original price|regular price|list price|(?:you )?save|instead of|r\.?r\.?p|msrp|uvp|statt|vorher|bisher|(?:sie |du )?sparen|(?:du )?sparst|ersparnis|ursprünglich|au lieu de|avant|économisez|antes|ahorra|en lugar de|invece di|anziché|risparmi|in plaats van|bespaar|zamiast|oszczędzasz|вместо|было|экономия|i stället för|spara|spar)(?:\.|\s(?:price|preis|was|war|prix|precio|prezzo))*[\s:(]*(?:\p{L}{0,3}\p{Sc}|[A-Z]{3})?\s?-?\s?$/iu;
const MAX_CHARS = 400;
const MAX_LOOK_BEHIND = 60;
const MAX_SIGN_DISTANCE = 10;
/** A minus sign at the start or right before the amount and its sign; with spaces on both sides it is a dash. */
const MINUS = /(?:^\s?-\s?|(?<!\p{L}|\d\s?|[.,])-)(?:\p{L}{0,3}\p{Sc}\s?)?$/u;

/** What to do with a sign of several currencies: take the most likely one, or none. */
type AmbiguityRule = 'likeliest' | 'none';

/** A number that may be a price. */
type Candidate = {
  /** In major units; null if the amount is uncertain. */
  readonly decimal: string | null;
  /** The digits as a decimal, before the scale word is applied; null if they are ambiguous. */
  readonly written: string | null;
  readonly hasScale: boolean;
  /** The sign, code or word next to the number that names a currency or, after the number, a subunit. */
  readonly sign: string | null;
  readonly place: 'before' | 'behind';
  readonly isPart: boolean;
  /** The number and its scale span `start` to `end`; `after` is the end of the sign behind it. */
  readonly start: number;
  readonly end: number;
  readonly after: number;
  /** Whether the words before it mark it as a price that is not to be paid. */
  readonly isOther: boolean;
};

/** An amount in a text, and its position. `isSigned` is true if a currency sign, code or word is next to it. */
export type Amount = Money & {
  readonly isSigned: boolean;
  readonly start: number;
  readonly end: number;
};

/**
 * Parses the price in a text (`€1.234,56`, `CHF 1'049.95`, `423.923 KD`); of a range its lower end. A number next to a
 * currency takes precedence over one without. Null if there is no price, or if it is uncertain.
 */
export function parseMoneyText(text: string, context: MoneyContext): Money | null {
  return chooseMoney([{ text, isSure: true }], context, 'likeliest');
}

/**
 * Like {@link parseMoneyText}, but `currency` is null for a sign of several currencies if neither the given currency nor the
 * locale's region decides.
 */
export function parseCertainMoney(text: string, context: MoneyContext): Money | null {
  return chooseMoney([{ text, isSure: true }], context, 'none');
}

/**
 * Parses the price to pay from neighbouring texts: of two prices side by side the reduced one. Amounts in `without` are
 * ignored.
 */
export function parsePriceTexts(
  texts: readonly PriceText[],
  context: MoneyContext,
  without: ReadonlySet<number>,
): Money | null {
  return chooseMoney(texts, context, 'likeliest', without);
}

/** Whether the words before the first amount mark it as one that is not to be paid: `Save $20`. */
export function isSecondaryPriceText(text: string): boolean {
  const plain = normalizeMoneyText(text);
  return OTHER_PRICE.test(plain.slice(0, Math.max(0, plain.search(/\d/))).slice(-MAX_LOOK_BEHIND));
}

/** All certain amounts of a text, in order. The first end of a range takes the scale of the second: `80–100K`. */
export function parseAmounts(text: string, context: MoneyContext): readonly Amount[] {
  const plain = normalizeMoneyText(text);
  const candidates = findCandidates(plain, context);
  return candidates.flatMap((candidate, at) => {
    const next = candidates[at + 1];
    const decimal = isRange(plain, candidate, next) ? applySharedScale(candidate, next) : candidate.decimal;
    const money = decimal === null ? null : toMoney(candidate, decimal, context, 'none');
    const { start, end, sign } = candidate;
    return money === null ? [] : [{ ...money, isSigned: sign !== null, start, end }];
  });
}

/** The text to which the positions of {@link parseAmounts} refer. */
export function normalizeAmountText(text: string): string {
  return normalizeMoneyText(text);
}

/**
 * Joins a whole amount with cents that are set apart, smaller or raised. Returns the amount alone if the digits are a
 * footnote mark, null if they may be either.
 */
export function joinCents(whole: string, cents: string): string | null {
  const number = whole.trimEnd();
  if (/[.,]$/.test(number)) return cents.length <= 3 ? number + cents : null;
  // Fuel prices end in a raised nine.
  if (/[.,]\d{1,2}$/.test(number)) return cents === '9' ? null : number;
  if (cents.length === 1) return number;
  return cents.length === 2 ? `${number}${number.includes('.') ? ',' : '.'}${cents}` : null;
}

function chooseMoney(
  texts: readonly PriceText[],
  context: MoneyContext,
  doubt: AmbiguityRule,
  without: ReadonlySet<number> | null = null,
): Money | null {
  let whole = '';
  const all: Candidate[] = [];
  for (const { text, isSure } of texts) {
    if (whole.length >= MAX_CHARS) break;
    const plain = normalizeMoneyText(text);
    all.push(...findCandidates(plain, context, whole).map((found) => (isSure ? found : { ...found, decimal: null })));
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
  return chosen === undefined || decimal === null ? null : toMoney(chosen, decimal, context, doubt);
}

function toMoney(
  { sign, isPart }: Candidate,
  decimal: string,
  context: MoneyContext,
  doubt: AmbiguityRule,
): Money | null {
  const amount = toJsonNumber(decimal);
  const { currency, locale } = context;
  if (amount === null) return null;
  if (sign === null) return { amount, currency };
  if (!isPart)
    return { amount, currency: (doubt === 'none' ? findCertainCurrency : chooseCurrency)(sign, currency, locale) };
  const part = findCurrencyPart(sign, currency, locale);
  return { amount, currency: (doubt === 'none' ? part?.certain : part?.likeliest) ?? null };
}

function normalizeMoneyText(text: string): string {
  return normalizeDigits(text.slice(0, MAX_CHARS))
    .replaceAll(NO_CENTS, '-')
    .replaceAll(RAISED_CENTS, (_, whole: string, raised: string) => {
      const digits = raised.replaceAll(/./gu, (sign) => String(RAISED.indexOf(sign)));
      // Two dots make the text unreadable as a number, so that an uncertain amount is not used.
      return joinCents(whole, digits) ?? `${whole}.${digits}.`;
    })
    .replaceAll(CENTS_AFTER_SIGN, (written: string, whole: string, sign: string, cents: string) => {
      const joined = joinCents(whole, cents);
      return joined === null || joined === whole ? written : `${joined} ${sign}`;
    })
    .replaceAll(CENTS_AFTER_SPACE, (_, near?: string, far?: string, cents = '') => `${near ?? far ?? ''}${cents}`);
}

/**
 * The numbers of a text that may be prices; percentages are skipped. Positions are counted from the start of `before`,
 * the text that precedes it.
 */
function findCandidates(text: string, context: MoneyContext, before = ''): readonly Candidate[] {
  const found: Candidate[] = [];
  for (let from = 0; from < text.length;) {
    const last = found.at(-1);
    const candidate = findCandidate(text, from, last?.place === 'behind' ? last.after : from, context);
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

/** The first number at or after `from`. A currency sign before it is searched for from `free` on. */
function findCandidate(text: string, from: number, free: number, context: MoneyContext): Candidate | null {
  const rough = findDigitRun(text, from, () => 'decimals');
  if (rough === null) return null;
  const first = findSignBefore(text.slice(Math.max(free, rough.start - MAX_SIGN_DISTANCE), rough.start), context);
  const scaled = parseScaledNumber(text, rough.end, first !== null, context);
  const last = first === null ? findSignBehind(text, scaled.end, context) : null;
  const sign = first ?? last?.sign ?? null;
  const currency = sign === null ? context.currency : chooseCurrency(sign, context.currency, context.locale);
  const written = findDigitRun(text, rough.start, createSeparatorReader(currency, context.locale))?.decimal ?? null;
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

/** The exact amount in major units, with its scale applied and subunits converted; null if it is uncertain. */
function toMajorUnits(
  { written, sign }: Pick<Candidate, 'written' | 'sign'>,
  scaled: ScaledNumber,
  partDigits: number,
): string | null {
  if (written === null || scaled.power === null) return null;
  const unsigned = written.replace(/^-/, '');
  // A hundred pence or more would be written in pounds, and other things are counted in "p" and "c" too.
  if (sign?.length === 1 && partDigits > 0 && /^\d{3,}$/.test(unsigned)) return null;
  if (partDigits > 0) return String(Number(`${unsigned}e-${partDigits}`));
  const whole = shiftPoint(unsigned, scaled.power);
  return scaled.added === 0 ? whole : String(Number(whole) + scaled.added);
}

/** Whether a number shows only part of an amount, or more digits may belong to it. */
function isIncomplete(
  text: string,
  { written, hasScale, sign, start, end, after }: Omit<Candidate, 'decimal'>,
  currency: string | null,
): boolean {
  const begin = text.charAt(start);
  if (begin === ',' || (begin === '.' && Number(written) === 0)) return true;
  // In `35 €99` the sign may belong to either amount.
  if (/\d\s€$/.test(text.slice(Math.max(0, start - 3), start)) && /^\d{2}$/.test(written ?? '')) return true;
  if (sign === null || hasScale) return false;
  const rest = text.slice(after);
  if (parseScale(rest, null)?.power != null && /^\s?\p{L}{3}/u.test(rest)) return true;
  if (BY_THREE_DECIMALS.test(rest) && /^\d{1,3}[.,]\d{3}$/.test(text.slice(start, end)) && !written?.includes('.'))
    return true;
  const hasMinorUnits = currency === null || getMinorDigits(currency) > 0;
  return hasMinorUnits && /^-?\d+$/.test(written ?? '') && LIKELY_CENTS.test(rest);
}

function isNegative(text: string, start: number): boolean {
  return MINUS.test(text.slice(Math.max(0, start - MAX_LOOK_BEHIND), start));
}

/** The power of ten that multiplies a number, and the amount that a following number adds: `1億2000万`. */
type ScaledNumber = { readonly power: number | null; readonly added: number; readonly end: number };

function parseScaledNumber(text: string, end: number, isSigned: boolean, context: MoneyContext): ScaledNumber {
  const rest = text.slice(end);
  const scale = parseScale(rest, context.locale ?? 'en');
  if (scale === null) return { power: 0, added: 0, end };
  const past = end + scale.length;
  // A letter that is set apart is a size, a unit or the start of a word, unless a currency follows.
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
  const following = parseScaledNumber(text, next.end, isSigned, context);
  const isKnown = next.decimal !== null && following.power !== null;
  const added = isKnown ? Number(shiftPoint(next.decimal, following.power)) + following.added : 0;
  return { power: isKnown ? scale.power : null, added, end: following.end };
}

/** Marks a sign that may be a currency or something else. */
const UNSURE_SIGN = '?';

function findSignBefore(left: string, { currency, locale }: MoneyContext): string | null {
  const code = CODE_BEFORE.exec(left)?.[1];
  if (code !== undefined && isCurrencyCode(code)) return code;
  const before = SIGN_BEFORE.exec(left)?.[1];
  if (before === undefined) return null;
  if (before === '¢') return currency === 'CRC' || /-CR$/i.test(locale ?? '') ? 'CRC' : UNSURE_SIGN;
  return isCurrencySign(before) ? before : null;
}

type SignBehind = {
  readonly sign: string;
  /** Above 0 if the sign is a subunit. */
  readonly digits: number;
  readonly end: number;
};

function findSignBehind(text: string, end: number, { currency, locale }: MoneyContext): SignBehind | null {
  const right = text.slice(end, end + 16);
  for (const pattern of [SIGN_AFTER, WORD_AFTER]) {
    const [whole = '', sign] = pattern.exec(right) ?? [];
    if (sign === undefined) continue;
    const past = end + whole.length;
    // A sign that is set apart from this number and joined to the next belongs to the next.
    if (!whole.startsWith(sign) && /^\.?\d/.test(text.slice(past))) continue;
    // Russian pages write the ruble sign with the Latin or the Cyrillic letter.
    if (/^p$/i.test(sign) && /^ru\b/i.test(locale ?? '')) return { sign: 'RUB', digits: 0, end: past };
    const part = findCurrencyPart(sign, currency, locale);
    if (part?.certain === null && sign === 'c') return { sign: UNSURE_SIGN, digits: 0, end: past };
    if (part !== null) return { sign, digits: part.digits, end: past };
    if (isCurrencySign(sign)) return { sign, digits: 0, end: past };
  }
  return null;
}

/** Joins an amount with the amount in subunits that follows it: `10 руб. 50 коп.`; null if the second is not its subunit. */
function joinPart(text: string, whole: Candidate, part: Candidate): Candidate | null {
  if (!part.isPart || whole.isPart || whole.sign === null || !/^\d+$/.test(whole.written ?? '')) return null;
  if (!/^\s?(?:and|und|и|y|et|e|i)?\s?$/i.test(text.slice(whole.after, part.start))) return null;
  const isJoined =
    whole.place === 'behind' && whole.decimal !== null && part.decimal !== null && Number(part.decimal) < 1;
  const sum = Number(whole.decimal) + Number(part.decimal);
  return { ...whole, decimal: isJoined ? String(Math.round(sum * 100) / 100) : null, end: part.end, after: part.after };
}

/** The lower end of the range that the chosen amount starts, or that it ends if only the upper end has a sign (`26 to 50 €`). */
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

/** The lower end of a range, multiplied by the scale that is written only after the upper end: `1–2 million`. */
function applySharedScale(first: Candidate, second: Candidate | undefined): string | null {
  const isShared = second?.hasScale === true && !first.hasScale && Number(first.written) <= Number(second.written);
  if (!isShared || first.decimal === null) return first.decimal;
  // `$1 – $2 million` is ambiguous.
  if (second.decimal === null || (first.sign !== null && second.sign !== null && first.place === second.place))
    return null;
  return String((Number(first.written) * Number(second.decimal)) / Number(second.written));
}

/** The text between two adjacent prices. */
const BETWEEN_PRICES = /^\s*(?:\p{L}{0,3}\p{Sc}|[A-Z]{3})?\s*$/u;
/** Text that may follow the price to pay; other words make the amount a unit price, an instalment or a delivery fee. */
const AFTER_PRICE =
  /^\s*(?:$|[-–(]?\s?\d{1,3}\s?%|[*|•·.,]|\(?(?:incl|inkl|inc|excl|exkl|zzgl|ttc|ht|iva|tva|vat|gst|mwst|tax|moms|btw|dph|pdv|you save|save|sale|now)(?!\p{L}))/iu;
/** The smallest plausible share of the former price; less is an instalment or a unit price. */
const MIN_REDUCED_SHARE = 0.2;

/** An amount and its position in a text; `decimal` is null if it is uncertain. */
type PricedNumber = {
  readonly decimal: string | null;
  readonly hasScale: boolean;
  readonly sign: string | null;
  readonly isPart: boolean;
  readonly isOther: boolean;
  readonly start: number;
  readonly after: number;
};

/**
 * The last of the leading prices, if each is lower than the one before and nothing else stands between them: a former
 * price followed by the reduced one. Null otherwise.
 */
function findReducedPrice(text: string, [was, now, ...others]: readonly PricedNumber[]): string | null {
  if (was === undefined || now === undefined || was.isOther || now.isOther || was.isPart || now.isPart) return null;
  if (was.decimal === null || now.decimal === null || was.hasScale || now.hasScale) return null;
  if (!BETWEEN_PRICES.test(text.slice(was.after, now.start))) return null;
  // A number without a sign next to a price may be anything, unless both have cents.
  if (now.sign === null ? !hasCents(was.decimal) || !hasCents(now.decimal) : now.sign !== was.sign) return null;
  const [before, after] = [Number(was.decimal), Number(now.decimal)];
  if (after >= before || after < before * MIN_REDUCED_SHARE) return null;
  return findReducedPrice(text, [now, ...others]) ?? (AFTER_PRICE.test(text.slice(now.after)) ? now.decimal : null);
}

function hasCents(decimal: string): boolean {
  return /\.\d{1,2}$/.test(decimal);
}
