import { findDecimal, shiftPoint, toJsonNumber, toPlainDigits } from './numbers.ts';

/** A number of things; approximate where the source shortened or rounded it. */
export type Count = { readonly value: number; readonly approximate: boolean };

const LONGEST = 200;
/** Powers of ten that a word or sign after a number stands for in every language that uses it. */
const POWERS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    k: 3,
    tsd: 3,
    thousand: 3,
    tausend: 3,
    mila: 3,
    mille: 3,
    tys: 3,
    тыс: 3,
    тис: 3,
    хил: 3,
    bin: 3,
    rb: 3,
    ribu: 3,
    mln: 6,
    mio: 6,
    million: 6,
    millions: 6,
    millionen: 6,
    millones: 6,
    milhões: 6,
    milioni: 6,
    miljoen: 6,
    млн: 6,
    juta: 6,
    jt: 6,
    bn: 9,
    mrd: 9,
    mld: 9,
    md: 9,
    billion: 9,
    milliard: 9,
    milliards: 9,
    млрд: 9,
    lakh: 5,
    lakhs: 5,
    lac: 5,
    crore: 7,
    crores: 7,
    cr: 7,
    千: 3,
    천: 3,
    万: 4,
    萬: 4,
    만: 4,
    億: 8,
    亿: 8,
    억: 8,
  }),
);
/** Words that mean different powers in different languages; without the language they mean nothing. */
const LOCAL_POWERS: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map([
  ['mil', powersOf('es 3,pt 3,ca 3,gl 3,ro 6,cs 6,sk 6,hr 6,sr 6,bs 6,sl 6')],
  ['mi', powersOf('pt 6')],
  ['m', powersOf('en 6,es 6,fr 6,it 6')],
  ['b', powersOf('en 9,tr 3')],
  ['mn', powersOf('tr 6,sv 6')],
  ['tn', powersOf('sv 3')],
  ['t', powersOf('nl 3')],
  ['e', powersOf('hu 3')],
]);
const EAST_ASIAN = /^[千천万萬만億亿억]/;
const WORD = /^\s?([\p{L}\p{M}]+)/u;
const MORE = /^\s?\p{L}*\.?\s?\+/u;

function powersOf(list: string): ReadonlyMap<string, number> {
  return new Map(list.split(',').map((pair): [string, number] => [pair.slice(0, 2), Number(pair.slice(3))]));
}

/**
 * The count that a text shows: `12,345`, `2.2K`, `1,5 mil` in Spanish, `3万`, `1億2000万`, `100+`. Capital M is a
 * million everywhere. Null when it shows none, a negative one, or one whose unit the locale leaves open.
 */
export function readCount(text: string, locale: string | null): Count | null {
  const plain = toPlainDigits(text.slice(0, LONGEST));
  let found = findDecimal(plain, { locale, minorDigits: null });
  let total = 0;
  let approximate = false;
  while (found !== null) {
    const rest = plain.slice(found.end);
    const power = powerAfter(rest, locale);
    if (power === null || found.decimal.startsWith('-')) return null;
    const value = toJsonNumber(shiftPoint(found.decimal, power));
    if (value === null) return null;
    total += value;
    approximate ||= power > 0 || MORE.test(rest);
    const composed = EAST_ASIAN.test(rest) && /^\d/.test(rest.slice(1));
    found = composed ? findDecimal(plain, { locale, minorDigits: null }, found.end + 1) : null;
    if (found === null) return Number.isSafeInteger(total) ? { value: total, approximate } : null;
  }
  return null;
}

/** The power of ten that the text after a number adds; 0 for any other word, null for a word the locale does not decide. */
function powerAfter(rest: string, locale: string | null): number | null {
  const sign = POWERS.get(rest.trimStart().charAt(0));
  if (EAST_ASIAN.test(rest.trimStart()) && sign !== undefined) return sign;
  const word = WORD.exec(rest)?.[1];
  if (word === undefined) return 0;
  if (word === 'M') return 6;
  const lower = word.toLowerCase();
  const local = LOCAL_POWERS.get(lower);
  if (local !== undefined) return local.get(locale?.slice(0, 2).toLowerCase() ?? '') ?? null;
  return POWERS.get(lower) ?? 0;
}
