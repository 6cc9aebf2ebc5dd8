/** A word or sign after a number that multiplies it by a power of ten. */
type Scale = {
  /** Null if the word means different powers in different languages and the locale does not decide. */
  readonly power: number | null;
  /** The number of characters up to the end of the word, including its full stop. */
  readonly length: number;
};

/** The powers of ten of words that mean the same in every language that uses them. */
const POWERS: ReadonlyMap<string, number> = buildPowersByWord({
  3: `k tsd tys tis тыс тис хил thousand thousands tausend duizend tusen tusind tuhatta mila mille ribu rb mii ezer
    тысяч тысяча тысячи тисяч tysiąc tysiące tysięcy nghìn ngàn हज़ार हजार ألف آلاف هزار אלף χιλ χιλιάδες พัน tkr`,
  4: 'หมื่น',
  5: 'lakh lakhs lac lacs लाख แสน',
  6: `mln mio million millions millionen millones millón milhão milhões milioni milione miljoen milj miljoner miljon
    miljoonaa millioner milyon juta jt млн миллион миллиона миллионов мільйонів milion miliony milionów milionů milioane
    milióna miliónov millió triệu ล้าน मिलियन مليون ملايين میلیون מיליון εκατ εκατομμύρια mill mkr`,
  7: 'crore crores cr करोड़',
  9: `bn mrd mld mia milliard milliards milliarden milliárd miliard miliardy miliardů miliardi miliardo miliarde miljard
    miljarder miljardia milliarder milyar miliar bilhão bilhões млрд миллиард миллиарда миллиардов мільярдів tỷ tỉ مليار
    میلیارد מיליארד δισ δισεκατομμύρια mdkr`,
});
/** The powers of ten of words that differ by language; ignored if the language is unknown. */
const LOCAL_POWERS: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map([
  ['mil', buildPowersByLanguage('es 3,pt 3,ca 3,gl 3,ro 6,cs 6,sk 6,hr 6,sr 6,bs 6,sl 6')],
  ['bin', buildPowersByLanguage('tr 3,az 3')],
  ['mi', buildPowersByLanguage('pt 6')],
  ['bi', buildPowersByLanguage('pt 9')],
  ['md', buildPowersByLanguage('fr 9')],
  ['m', buildPowersByLanguage('en 6,es 6,fr 6,it 6')],
  ['b', buildPowersByLanguage('en 9,tr 3')],
  ['mn', buildPowersByLanguage('en 6,tr 6,sv 6')],
  ['mm', buildPowersByLanguage('')],
  ['tn', buildPowersByLanguage('sv 3')],
  ['t', buildPowersByLanguage('nl 3')],
  ['e', buildPowersByLanguage('hu 3')],
  ['tr', buildPowersByLanguage('vi 6')],
  ['billion', buildPowersByLanguage('en 9,de 12,fr 12,da 12,nb 12')],
  ['billions', buildPowersByLanguage('en 9,fr 12')],
  ['trillion', buildPowersByLanguage('en 12,de 18,fr 18')],
  ['兆', buildPowersByLanguage('ja 12,ko 12')],
]);
/** East Asian scale signs, which multiply each other: `千万` is ten million. */
const EAST_ASIAN: ReadonlyMap<string, number> = new Map(
  '十1 百2 千3 천3 万4 萬4 만4 億8 亿8 억8 조12'
    .split(' ')
    .map((pair): [string, number] => [pair.charAt(0), Number(pair.slice(1))]),
);
/** A scale sign before the first character of a unit belongs to the unit: `3千克` is three kilograms. */
const EAST_ASIAN_RUN = /^\s?([十百千천万萬만億亿억조]+)(?![克米瓦卡])/u;
const SCALE_WORD = /^(?:\s?|-(?=\p{L}{4}))([\p{L}\p{M}]+)(\.?)/u;
/** A scale letter joined to a currency code: `5 MEUR`. */
const LETTER_BEFORE_CODE = /^(\s?)([kKM])[A-Z]{3}(?!\p{L})/u;

function buildPowersByWord(lists: Readonly<Record<number, string>>): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(lists).flatMap(([power, words]) =>
      words.split(/\s+/).map((word): [string, number] => [word, Number(power)]),
    ),
  );
}

function buildPowersByLanguage(list: string): ReadonlyMap<string, number> {
  return new Map(list.split(',').map((pair): [string, number] => [pair.slice(0, 2), Number(pair.slice(3))]));
}

/** Whether the text starts with an East Asian scale, after which the number may continue: `1億2000万`. */
export function isEastAsianScale(rest: string): boolean {
  return EAST_ASIAN_RUN.test(rest);
}

/** Parses the scale at the start of the text after a number; null if there is none. A capital M is a million in every locale. */
export function parseScale(rest: string, locale: string | null): Scale | null {
  const run = EAST_ASIAN_RUN.exec(rest);
  if (run !== null) {
    const power = (run[1] ?? '').split('').reduce((sum, sign) => sum + (EAST_ASIAN.get(sign) ?? 0), 0);
    return { power, length: run[0].length };
  }
  const coded = LETTER_BEFORE_CODE.exec(rest);
  if (coded !== null) return { power: coded[2] === 'M' ? 6 : 3, length: (coded[1] ?? '').length + 1 };
  const [whole, word = '', point = ''] = SCALE_WORD.exec(rest) ?? [];
  if (whole === undefined) return null;
  const lower = word.toLowerCase();
  const local = LOCAL_POWERS.get(lower);
  const power = word === 'M' ? 6 : local === undefined ? POWERS.get(lower) : (local.get(getLanguage(locale)) ?? null);
  return power === undefined ? null : { power, length: whole.length - (word.length === 1 ? point.length : 0) };
}

function getLanguage(locale: string | null): string {
  return locale?.slice(0, 2).toLowerCase() ?? '';
}

/** The meaning of a number's only separator, as in `1.234`; `unsure` if it may be either. */
export type SeparatorMeaning = 'groups' | 'decimals' | 'unsure';

/** Decides the meaning of a number's only separator, given the separator and the number of digits after it. */
export type ReadSeparator = (mark: string, digits: number) => SeparatorMeaning;

/** Digit groups joined by separators; a space only joins groups of exactly three digits. */
const DIGIT_RUN = /(?:(?<![\p{L}\p{N}.,])[.,]\d+|\d+(?: \d{3}(?!\d))*(?:[.,']\d+)*)/u;
const GROUPS_OF_THREE = /^\d{1,3}(?:,\d{3})+$/;
const GROUPS_OF_LAKH = /^\d{1,2}(?:,\d{2})*,\d{3}$/;
/** The first code points of the non-ASCII decimal digits that pages use. */
const DIGIT_BLOCKS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10] as const;
const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ['k', 3],
  ['K', 3],
  ['M', 6],
]);
/** An exponent directly after the digits. */
const EXPONENT = /^[eE]([-+]?\d+)(?![\p{L}\p{N}])/u;
const MAX_EXPONENT = 20;
const MAX_POWER = 30;
/** A double represents any decimal of this many digits exactly. */
const MAX_EXACT_DIGITS = 15;

type FoundNumber = {
  /** The exact decimal, such as `-1234.50`; no exponent and no leading zeros. */
  readonly decimal: string;
  /** The position of the number in the searched text, without its sign. */
  readonly start: number;
  readonly end: number;
};

/** The replacement of each character that {@link normalizeDigits} replaces, except white space. */
const PLAIN_SIGNS: ReadonlyMap<string, string> = new Map(
  [
    ...DIGIT_BLOCKS.map((first) => [Array.from({ length: 10 }, (_, at) => first + at), '0123456789'] as const),
    [[0x66b, 0xff0e], '..'] as const,
    [[0x66c, 0xff0c], ',,'] as const,
    [[0x2019, 0x2bc, 0xb4, 0x60], "''''"] as const,
    [[0x2212, 0xff0d], '--'] as const,
  ].flatMap(([codes, plain]) => codes.map((code, at) => [String.fromCharCode(code), plain.charAt(at)] as const)),
);
/** Zero-width characters: soft hyphens, joiners, direction marks, byte order marks. */
const ZERO_WIDTH = String.raw`\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff`;
const NOT_PLAIN = new RegExp(`[${[...PLAIN_SIGNS.keys()].join('')}${ZERO_WIDTH}]|[^\\S ]`, 'g');
/** The same pattern without the `g` flag, because `test` on a global pattern keeps its position. */
const HAS_NOT_PLAIN = new RegExp(NOT_PLAIN.source);

const HAS_ZERO_WIDTH = new RegExp(`[${ZERO_WIDTH}]`);

/** Replaces the variants of digits, spaces, signs and apostrophes with their ASCII forms, and removes zero-width characters. */
export function normalizeDigits(text: string): string {
  if (!HAS_NOT_PLAIN.test(text)) return text;
  return text.replaceAll(NOT_PLAIN, (sign) => PLAIN_SIGNS.get(sign) ?? (HAS_ZERO_WIDTH.test(sign) ? '' : ' '));
}

/** The first number in a text that `normalizeDigits` has prepared, `2.2K` as 2200; null if there is none. */
function findNumber(text: string, locale: string | null): FoundNumber | null {
  const found = findDecimal(text, locale);
  if (found === null) return null;
  const shift = MULTIPLIERS.get(text.charAt(found.end)) ?? 0;
  const scaled = shift > 0 && !/[\p{L}\p{N}]/u.test(text.charAt(found.end + 1));
  return scaled ? { ...found, decimal: shiftPoint(found.decimal, shift) } : found;
}

/** Like `findNumber`, but starts at `from` and ignores what follows the number. */
export function findDecimal(text: string, locale: string | null, from = 0): FoundNumber | null {
  const run = findDigitRun(text, from, (mark) => (getDecimalMark(locale ?? 'en') === mark ? 'decimals' : 'groups'));
  return run === null || run.decimal === null ? null : { ...run, decimal: run.decimal };
}

/** The first run of digits and separators at or after `from`. Its `decimal` is null if it is no number, or an ambiguous one. */
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

/**
 * Parses the number in a text (`1.234,56`, `1,234.56`, `1 234,56`, `12,34,567`); null if there is none or a double
 * cannot hold it exactly.
 */
export function parseNumber(text: string, locale: string | null): number | null {
  const machine =
    /^\s*[-+]?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,20})?\s*$/.test(text) && !/^\s*\d{1,3}\.\d{3}\s*$/.test(text);
  if (machine) return underflows(text) ? null : toFinite(Number(text));
  const found = findNumber(normalizeDigits(text), locale);
  return found === null ? null : toJsonNumber(found.decimal);
}

/** Parses the whole number in a text; null if there is none, if it is a fraction, or if it is no safe integer. */
export function parseInteger(text: string, locale: string | null): number | null {
  const value = parseNumber(text, locale);
  return value !== null && Number.isSafeInteger(value) ? value : null;
}

/** An exact decimal as a JSON number; null if a double cannot represent its digits. */
export function toJsonNumber(decimal: string): number | null {
  const digits = decimal.replaceAll(/[-.]/g, '').replace(/^0+/, '');
  if (digits.length > MAX_EXACT_DIGITS && !Number.isSafeInteger(Number(decimal))) return null;
  return toFinite(Number(decimal));
}

/** Whether a number that is not zero is so small that a double rounds it to zero. */
function underflows(text: string): boolean {
  return Number(text) === 0 && /^\D*[\d.]*[1-9]/.test(text);
}

function toFinite(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return value === 0 ? 0 : value;
}

/** A decimal times a power of ten; null if the exponent is negative or implausibly large. */
function multiplyByPowerOfTen(decimal: string, exponent: string): string | null {
  const power = Number(exponent);
  if (power < 0 || power > MAX_POWER) return null;
  return shiftPoint(decimal, power);
}

/** Converts a run of digits and separators to an exact decimal; null if the separators do not form a number. */
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

/** Caches decimal marks: `Intl.NumberFormat` is slow, and a page has few locales. */
const decimalMarks = new Map<string, string>();
const MAX_MARKS = 200;

/** The decimal mark of a locale; a point if the locale is unknown. */
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
    // South Africa's official decimal comma is rarely used in English texts.
    if (language === 'en' && region === 'ZA') return '.';
    const tag = region === undefined ? language : `${language}-${region}`;
    const mark = new Intl.NumberFormat(tag).formatToParts(1.5).find((part) => part.type === 'decimal')?.value;
    return normalizeDigits(mark ?? '.');
  } catch {
    return '.';
  }
}

function trimLeadingZeros(text: string): string {
  const trimmed = text.replace(/^0+(?=\d)/, '');
  return trimmed.startsWith('.') ? `0${trimmed}` : trimmed;
}

/** Moves the decimal point to the right: `-1.2` moved by three is `-1200`. */
export function shiftPoint(decimal: string, digits: number): string {
  if (decimal.startsWith('-')) return `-${shiftPoint(decimal.slice(1), digits)}`;
  const [whole = '0', fraction = ''] = decimal.split('.');
  const moved = fraction.slice(0, digits).padEnd(digits, '0');
  const rest = fraction.slice(digits);
  return trimLeadingZeros(rest === '' ? whole + moved : `${whole}${moved}.${rest}`);
}

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
