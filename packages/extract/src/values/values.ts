import { readMoment } from './dates.ts';
import { readMoney, type Money } from './money.ts';
import { readInteger, readNumber } from './numbers.ts';
import { collapseSpace } from './space.ts';
import { parseStock } from './stock.ts';
import { toAbsoluteUrl } from './web-urls.ts';

/** The types a field can have. */
export const VALUE_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'money',
  'date',
  'datetime',
  'url',
  'html',
] as const;

export type ValueType = (typeof VALUE_TYPES)[number];
export type TypedValue = string | number | boolean | Money;

/** The context in which a text is read as a value. */
export type ValueContext = {
  /** BCP 47 tag of the field, else of the page; null when neither says. */
  readonly locale: string | null;
  /** ISO 4217 code assumed where a price names none. */
  readonly currency: string | null;
  /** The base of relative URLs. */
  readonly baseUrl: string;
  /** The encoding of the page, in which the queries of its URLs are encoded; left out for UTF-8. */
  readonly charset?: string | null;
};

const TRUE: ReadonlySet<string> = new Set('true,yes,y,1,on,ja,oui,si,sí,sim,да,так,tak,ano,是,はい'.split(','));
const FALSE: ReadonlySet<string> = new Set('false,no,n,0,off,nein,non,não,нет,ні,nie,ne,否,いいえ'.split(','));

const PARSERS: Readonly<Record<ValueType, (text: string, reading: ValueContext) => TypedValue | null>> = {
  string: normalizeText,
  integer: (text, { locale }) => readInteger(text, locale),
  number: (text, { locale }) => readNumber(text, locale),
  boolean: parseBoolean,
  money: readMoney,
  date: (text, { locale }) => readMoment(text, locale)?.day ?? null,
  datetime: (text, { locale }) => parseDatetime(text, locale),
  url: (text, { baseUrl, charset }) => toAbsoluteUrl(text, baseUrl, charset),
  html: (text) => (text.trim() === '' ? null : text.trim()),
};

/** The typed value that a text holds; null when it cannot be read as that type. */
export function toValue(type: ValueType, text: string, reading: ValueContext): TypedValue | null {
  return PARSERS[type](text, reading);
}

/** NFC, runs of white space as one space, ends trimmed; null when nothing is left. */
export function normalizeText(text: string): string | null {
  const plain = collapseSpace(text.normalize('NFC'));
  return plain === '' ? null : plain;
}

/** The instant in UTC; the local time without zone, or the day, where the source says no more. */
function parseDatetime(text: string, locale: string | null): string | null {
  const moment = readMoment(text, locale);
  if (moment === null) return null;
  return moment.instant ?? (moment.time === null ? moment.day : `${moment.day}T${moment.time}`);
}

/** Whether a word says yes or no, or that something is in stock or sold out, in the languages of most shops; null for any other text. */
export function parseBoolean(text: string): boolean | null {
  const word = (normalizeText(text.slice(0, 200)) ?? '').toLowerCase().replace(/[.!]+$/, '');
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : parseStock(text);
}
