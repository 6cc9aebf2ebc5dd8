/** How a number in text is to be read. */
type NumberReading = {
  /** BCP 47 tag of the page or the field; decides `1.234` where nothing else does. */
  readonly locale: string | null;
  /** Digits after the decimal mark of the currency, where one is known: decides `1.234` before the locale. */
  readonly minorDigits: number | null;
};

const PLAIN: NumberReading = { locale: null, minorDigits: null };

/** Digits in groups joined by one separator; a space joins only exactly three digits. */
const RUN = /(?:(?<![\p{L}\p{N}.,])[.,]\d+|\d+(?: \d{3}(?!\d))*(?:[.,']\d+)*)/u;
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
const LONGEST_EXPONENT = 20;
const LARGEST_POWER = 30;
/** A JavaScript number carries this many decimal digits unchanged. */
const EXACT_DIGITS = 15;

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
const NOT_PLAIN = new RegExp(`[${[...PLAIN_SIGNS.keys()].join('')}]|[^\\S ]`, 'g');
/** The same for a question: with the flag above a pattern remembers where it was. */
const ANY_NOT_PLAIN = new RegExp(NOT_PLAIN.source);

/** Western digits, plain spaces, ASCII signs and apostrophes in place of their many written forms. */
export function toPlainDigits(text: string): string {
  return ANY_NOT_PLAIN.test(text) ? text.replaceAll(NOT_PLAIN, (sign) => PLAIN_SIGNS.get(sign) ?? ' ') : text;
}

/** The first number at or after `from` in text that `toPlainDigits` has prepared, `2.2K` as 2200; null when there is none. */
export function findNumber(text: string, reading: NumberReading, from = 0): FoundNumber | null {
  const found = findDecimal(text, reading, from);
  if (found === null) return null;
  const shift = MULTIPLIERS.get(text.charAt(found.end)) ?? 0;
  const scaled = shift > 0 && !/[\p{L}\p{N}]/u.test(text.charAt(found.end + 1));
  return scaled ? { ...found, decimal: shiftPoint(found.decimal, shift) } : found;
}

/** The same without a look at what follows the number. */
export function findDecimal(text: string, reading: NumberReading, from = 0): FoundNumber | null {
  const match = RUN.exec(from === 0 ? text : text.slice(from));
  if (match === null) return null;
  const start = from + match.index;
  const end = start + match[0].length;
  const written = toDecimal(match[0], reading);
  if (written === null) return null;
  const exponent = EXPONENT.exec(text.slice(end, end + LONGEST_EXPONENT));
  const decimal = exponent === null ? written : powered(written, exponent[1] ?? '');
  if (decimal === null) return null;
  const negative = /(?<![\p{L}\p{N}])-\s?$/u.test(text.slice(Math.max(0, start - 3), start));
  return {
    decimal: negative && /[1-9]/.test(decimal) ? `-${decimal}` : decimal,
    start,
    end: end + (exponent?.[0].length ?? 0),
  };
}

/** The number that a text holds (`1.234,56`, `1,234.56`, `1 234,56`, `12,34,567`); null when it has none or it is not exact in 15 digits. */
export function readNumber(text: string, locale: string | null): number | null {
  const machine =
    /^\s*[-+]?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,20})?\s*$/.test(text) && !/^\s*\d{1,3}\.\d{3}\s*$/.test(text);
  if (machine) return isLost(text) ? null : toFinite(Number(text));
  const found = findNumber(toPlainDigits(text), { ...PLAIN, locale });
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
  if (digits.length > EXACT_DIGITS && !Number.isSafeInteger(Number(decimal))) return null;
  return toFinite(Number(decimal));
}

/** Whether a number is too small for a double, which makes nothing of it. */
function isLost(text: string): boolean {
  return Number(text) === 0 && /^\D*[\d.]*[1-9]/.test(text);
}

function toFinite(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return value === 0 ? 0 : value;
}

/** A decimal times a power of ten; null for one that no exact decimal of use is. */
function powered(decimal: string, exponent: string): string | null {
  const power = Number(exponent);
  if (power < 0 || power > LARGEST_POWER) return null;
  return shiftPoint(decimal, power);
}

/** A run of digits and separators as an exact decimal; null where the separators make no number. */
function toDecimal(run: string, reading: NumberReading): string | null {
  const text = run.replaceAll(/[ ']/g, '');
  const point = text.lastIndexOf('.');
  const comma = text.lastIndexOf(',');
  if (point < 0 && comma < 0) return withoutLeadingZeros(text);
  const last = Math.max(point, comma);
  const mark = text.charAt(last);
  const whole = text.slice(0, last);
  const fraction = text.slice(last + 1);
  const other = mark === '.' ? ',' : '.';
  if (whole.includes(other)) {
    return whole.includes(mark) || !isGrouped(whole, other)
      ? null
      : withoutLeadingZeros(`${whole.replaceAll(other, '')}.${fraction}`);
  }
  if (whole.includes(mark)) return isGrouped(text, mark) ? withoutLeadingZeros(text.replaceAll(mark, '')) : null;
  const grouped =
    fraction.length === 3 &&
    /^[1-9]\d{0,2}$/.test(whole) &&
    whole === run.slice(0, whole.length) &&
    isGroupMark(mark, reading);
  return withoutLeadingZeros(grouped ? whole + fraction : `${whole}.${fraction}`);
}

function isGrouped(text: string, mark: string): boolean {
  const groups = mark === ',' ? text : text.replaceAll('.', ',');
  return GROUPS_OF_THREE.test(groups) || GROUPS_OF_LAKH.test(groups);
}

/** Whether the only mark of `1.234` parts thousands: the currency decides, then the locale, then the English habit. */
function isGroupMark(mark: string, { minorDigits, locale }: NumberReading): boolean {
  if (minorDigits !== null) return minorDigits < 3;
  if (locale !== null) return decimalMarkOf(locale) !== mark;
  return mark === ',';
}

/** A page has one locale for all its numbers, and asking for its mark is dear. */
let lastMark = { locale: 'en', mark: '.' };

function decimalMarkOf(locale: string): string {
  if (lastMark.locale !== locale) lastMark = { locale, mark: findDecimalMark(locale) };
  return lastMark.mark;
}

function findDecimalMark(locale: string): string {
  try {
    return new Intl.NumberFormat(locale).formatToParts(1.5).find((part) => part.type === 'decimal')?.value ?? '.';
  } catch {
    return '.';
  }
}

function withoutLeadingZeros(text: string): string {
  const trimmed = text.replace(/^0+(?=\d)/, '');
  return trimmed.startsWith('.') ? `0${trimmed}` : trimmed;
}

/** The decimal moved by powers of ten: `-1.2` by three is `-1200`. */
export function shiftPoint(decimal: string, digits: number): string {
  if (decimal.startsWith('-')) return `-${shiftPoint(decimal.slice(1), digits)}`;
  const [whole = '0', fraction = ''] = decimal.split('.');
  const moved = fraction.slice(0, digits).padEnd(digits, '0');
  const rest = fraction.slice(digits);
  return withoutLeadingZeros(rest === '' ? whole + moved : `${whole}${moved}.${rest}`);
}
