/** What the only separator of `1.234` does; `unsure` where it may be either. */
export type SeparatorMeaning = 'groups' | 'decimals' | 'unsure';

/** Decides about the only separator of a number, given that separator and the number of digits behind it. */
export type ReadSeparator = (mark: string, digits: number) => SeparatorMeaning;

/** Digits in groups joined by one separator; a space joins only exactly three digits. */
const DIGIT_RUN = /(?:(?<![\p{L}\p{N}.,])[.,]\d+|\d+(?: \d{3}(?!\d))*(?:[.,']\d+)*)/u;
const GROUPS_OF_THREE = /^\d{1,3}(?:,\d{3})+$/;
const GROUPS_OF_LAKH = /^\d{1,2}(?:,\d{2})*,\d{3}$/;
/** First code points of the decimal digit blocks that pages use besides ASCII. */
const DIGIT_BLOCKS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10] as const;
const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ['k', 3],
  ['K', 3],
  ['M', 6],
]);
/** A power of ten directly behind digits. */
const EXPONENT = /^[eE]([-+]?\d+)(?![\p{L}\p{N}])/u;
const MAX_EXPONENT = 20;
const MAX_POWER = 30;
/** A JavaScript number carries this many decimal digits unchanged. */
const MAX_EXACT_DIGITS = 15;

type FoundNumber = {
  /** Exact decimal: `-1234.50`, no exponent, no leading zeros. */
  readonly decimal: string;
  /** Where the number (its sign aside) stands in the text that was searched. */
  readonly start: number;
  readonly end: number;
};

/** The signs that {@link toPlainDigits} replaces, white space aside, and what by. */
const PLAIN_SIGNS: ReadonlyMap<string, string> = new Map(
  [
    ...DIGIT_BLOCKS.map((first) => [Array.from({ length: 10 }, (_, at) => first + at), '0123456789'] as const),
    [[0x66b, 0xff0e], '..'] as const,
    [[0x66c, 0xff0c], ',,'] as const,
    [[0x2019, 0x2bc, 0xb4, 0x60], "''''"] as const,
    [[0x2212, 0xff0d], '--'] as const,
  ].flatMap(([codes, plain]) => codes.map((code, at) => [String.fromCharCode(code), plain.charAt(at)] as const)),
);
/** Characters without a width: soft hyphens, joiners, marks of direction, byte order marks. */
const ZERO_WIDTH = String.raw`\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff`;
const NOT_PLAIN = new RegExp(`[${[...PLAIN_SIGNS.keys()].join('')}${ZERO_WIDTH}]|[^\\S ]`, 'g');
/** The same for a question: with the flag above a pattern remembers where it was. */
const HAS_NOT_PLAIN = new RegExp(NOT_PLAIN.source);

const HAS_ZERO_WIDTH = new RegExp(`[${ZERO_WIDTH}]`);

/** Western digits, plain spaces, ASCII signs and apostrophes in place of their many written forms; nothing that has no width. */
export function toPlainDigits(text: string): string {
  if (!HAS_NOT_PLAIN.test(text)) return text;
  return text.replaceAll(NOT_PLAIN, (sign) => PLAIN_SIGNS.get(sign) ?? (HAS_ZERO_WIDTH.test(sign) ? '' : ' '));
}

/** The first number at or after `from` in text that `toPlainDigits` has prepared, `2.2K` as 2200; null when there is none. */
function findNumber(text: string, locale: string | null): FoundNumber | null {
  const found = findDecimal(text, locale);
  if (found === null) return null;
  const shift = MULTIPLIERS.get(text.charAt(found.end)) ?? 0;
  const scaled = shift > 0 && !/[\p{L}\p{N}]/u.test(text.charAt(found.end + 1));
  return scaled ? { ...found, decimal: shiftPoint(found.decimal, shift) } : found;
}

/** The same without a look at what follows the number, at or after `from`. */
export function findDecimal(text: string, locale: string | null, from = 0): FoundNumber | null {
  const run = findDigitRun(text, from, (mark) => (getDecimalMark(locale ?? 'en') === mark ? 'decimals' : 'groups'));
  return run === null || run.decimal === null ? null : { ...run, decimal: run.decimal };
}

/** The first run of digits and separators at or after `from`; its decimal is null where it makes no number, or no sure one. */
export function findDigitRun(
  text: string,
  from: number,
  readLoneMark: ReadSeparator,
): (Omit<FoundNumber, 'decimal'> & { readonly decimal: string | null }) | null {
  const match = DIGIT_RUN.exec(from === 0 ? text : text.slice(from));
  if (match === null) return null;
  const start = from + match.index;
  const end = start + match[0].length;
  const written = toDecimal(match[0], readLoneMark);
  const exponent = EXPONENT.exec(text.slice(end, end + MAX_EXPONENT));
  const decimal = written === null || exponent === null ? written : multiplyByPowerOfTen(written, exponent[1] ?? '');
  const isNegative = /(?<![\p{L}\p{N}])-\s?$/u.test(text.slice(Math.max(0, start - 3), start));
  return {
    decimal: isNegative && decimal !== null && /[1-9]/.test(decimal) ? `-${decimal}` : decimal,
    start,
    end: end + (exponent?.[0].length ?? 0),
  };
}

/** The number that a text holds (`1.234,56`, `1,234.56`, `1 234,56`, `12,34,567`); null when it has none or it is not exact in 15 digits. */
export function readNumber(text: string, locale: string | null): number | null {
  const machine =
    /^\s*[-+]?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,20})?\s*$/.test(text) && !/^\s*\d{1,3}\.\d{3}\s*$/.test(text);
  if (machine) return underflows(text) ? null : toFinite(Number(text));
  const found = findNumber(toPlainDigits(text), locale);
  return found === null ? null : toJsonNumber(found.decimal);
}

/** The whole number that a text holds; null when it has none, a fraction, or more than a safe integer. */
export function readInteger(text: string, locale: string | null): number | null {
  const value = readNumber(text, locale);
  return value !== null && Number.isSafeInteger(value) ? value : null;
}

/** The JSON number of an exact decimal; null where a double would not give the same digits back. */
export function toJsonNumber(decimal: string): number | null {
  const digits = decimal.replaceAll(/[-.]/g, '').replace(/^0+/, '');
  if (digits.length > MAX_EXACT_DIGITS && !Number.isSafeInteger(Number(decimal))) return null;
  return toFinite(Number(decimal));
}

/** Whether a number is too small for a double, which makes nothing of it. */
function underflows(text: string): boolean {
  return Number(text) === 0 && /^\D*[\d.]*[1-9]/.test(text);
}

function toFinite(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return value === 0 ? 0 : value;
}

/** A decimal times a power of ten; null for one that no exact decimal of use is. */
function multiplyByPowerOfTen(decimal: string, exponent: string): string | null {
  const power = Number(exponent);
  if (power < 0 || power > MAX_POWER) return null;
  return shiftPoint(decimal, power);
}

/** A run of digits and separators as an exact decimal; null where the separators make no number. */
function toDecimal(run: string, readLoneMark: ReadSeparator): string | null {
  const text = run.replaceAll(/[ ']/g, '');
  const point = text.lastIndexOf('.');
  const comma = text.lastIndexOf(',');
  if (point < 0 && comma < 0) return trimLeadingZeros(text);
  const last = Math.max(point, comma);
  const mark = text.charAt(last);
  const whole = text.slice(0, last);
  const fraction = text.slice(last + 1);
  const other = mark === '.' ? ',' : '.';
  if (whole.includes(other)) {
    return whole.includes(mark) || !isGrouped(whole, other)
      ? null
      : trimLeadingZeros(`${whole.replaceAll(other, '')}.${fraction}`);
  }
  if (whole.includes(mark)) return isGrouped(text, mark) ? trimLeadingZeros(text.replaceAll(mark, '')) : null;
  const isOpen = fraction.length >= 3 && /^[1-9]\d{0,2}$/.test(whole) && whole === run.slice(0, whole.length);
  const meaning = isOpen ? readLoneMark(mark, fraction.length) : 'decimals';
  if (meaning === 'unsure') return null;
  return trimLeadingZeros(meaning === 'groups' && fraction.length === 3 ? whole + fraction : `${whole}.${fraction}`);
}

function isGrouped(text: string, mark: string): boolean {
  const groups = mark === ',' ? text : text.replaceAll('.', ',');
  return GROUPS_OF_THREE.test(groups) || GROUPS_OF_LAKH.test(groups);
}

/** Asking for the mark of a locale is dear, and pages have few. */
const decimalMarks = new Map<string, string>();
const MAX_MARKS = 200;

/** The decimal mark of a locale, a point where it is unknown. */
export function getDecimalMark(locale: string): string {
  const known = decimalMarks.get(locale);
  if (known !== undefined) return known;
  if (decimalMarks.size >= MAX_MARKS) decimalMarks.clear();
  const mark = findDecimalMark(locale);
  decimalMarks.set(locale, mark);
  return mark;
}

function findDecimalMark(locale: string): string {
  try {
    const { language, region } = new Intl.Locale(locale);
    // What the standard of the country prescribes is hardly written there.
    if (language === 'en' && region === 'ZA') return '.';
    const tag = region === undefined ? language : `${language}-${region}`;
    const mark = new Intl.NumberFormat(tag).formatToParts(1.5).find((part) => part.type === 'decimal')?.value;
    return toPlainDigits(mark ?? '.');
  } catch {
    return '.';
  }
}

function trimLeadingZeros(text: string): string {
  const trimmed = text.replace(/^0+(?=\d)/, '');
  return trimmed.startsWith('.') ? `0${trimmed}` : trimmed;
}

/** The decimal moved by powers of ten: `-1.2` by three is `-1200`. */
export function shiftPoint(decimal: string, digits: number): string {
  if (decimal.startsWith('-')) return `-${shiftPoint(decimal.slice(1), digits)}`;
  const [whole = '0', fraction = ''] = decimal.split('.');
  const moved = fraction.slice(0, digits).padEnd(digits, '0');
  const rest = fraction.slice(digits);
  return trimLeadingZeros(rest === '' ? whole + moved : `${whole}${moved}.${rest}`);
}
