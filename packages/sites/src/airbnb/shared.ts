import { z } from 'zod';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseParameter, refuseReference } from '#sites/framework/site.ts';
import { readAttributeAt } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { mergeFragments } from '#extract/json/find-objects.ts';
import { splitPath } from '#extract/urls/url-parts.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { parseMoneyText } from '#extract/values/money.ts';
import { getPath, toLine, toArray } from '#extract/values/raw.ts';

export const Text = z.string().nullable();
export const Count = z.int().min(0).nullable();
export const Rating = z.number().min(0).max(5).nullable();
export const Price = z.object({
  total: z.number().nullable(),
  nightly: z.number().nullable(),
  currency: Text,
  text: Text,
});

type StayPrice = z.output<typeof Price>;

const Guests = (least: number) => z.int().min(least).max(50).optional();

const Locale = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, 'must be a language such as en or pt-BR')
  .default('en-US');

export const Trip = {
  check_in: z.iso.date().optional().describe('Day of arrival; requires check_out'),
  check_out: z.iso.date().optional().describe('Day of departure; requires check_in'),
  adults: Guests(1).describe('Number of adults'),
  children: Guests(0).describe('Number of children'),
  infants: Guests(0).describe('Number of infants'),
  pets: Guests(0).describe('Number of pets'),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'must be a code of three letters')
    .default('USD')
    .describe('ISO 4217'),
  locale: Locale.describe('Language of texts, BCP 47'),
};

export const ListingInput = z.object({
  id: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('The number of the home, or its address; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the home'),
  ...Trip,
});

export type ListingInput = z.output<typeof ListingInput>;

/** Finds the id of the requested home. Throws `invalid_request`. */
export function findListingId(
  { id, url }: Pick<ListingInput, 'id' | 'url'>,
  site: Pick<SiteContext, 'locate'>,
): string {
  const reference = (id ?? url ?? '').trim();
  if (/^\d{1,20}$/.test(reference)) return reference;
  const place = site.locate(reference);
  const parts = splitPath(place?.path);
  const number = parts[0] === 'rooms' ? (/^\d{1,20}$/.test(parts[1] ?? '') ? parts[1] : parts[2]) : undefined;
  if (number !== undefined && /^\d{1,20}$/.test(number)) return number;
  const why = place === null ? 'is not a home of this site' : `is ${describePage(place.path)} of this site, not a home`;
  return refuseReference(id === undefined ? 'url' : 'id', why);
}

type Days = Pick<ListingInput, 'check_in' | 'check_out'>;

/** Checks whether both days are given. Throws `invalid_request` if only one is. */
export function checkDays({ check_in: from, check_out: until }: Days): boolean {
  if (from === undefined && until === undefined) return false;
  if (from === undefined || until === undefined)
    return refuseParameter(from === undefined ? 'check_in' : 'check_out', 'is required with the other day');
  return from < until || refuseParameter('check_out', 'must be after check_in');
}

const PATH_KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\/rooms\/(?:[a-z]+\/)?\d+(?:\/|$)/, 'a home'],
  [/^\/(?:s|stays)(?:\/|$)/, 'a search'],
  [/^\/users(?:\/|$)/, 'the page of a person'],
  [/^\/(?:experiences|services)(?:\/|$)/, 'an experience'],
  [/^\/?$/, 'the home page'],
];

/** Describes the kind of a page by its path, for error messages. */
export function describePage(path: string): string {
  const [plain = ''] = path.split(/[?#]/);
  return PATH_KINDS.find(([pattern]) => pattern.test(plain))?.[1] ?? 'a page of another kind';
}

/** An API answer from the state of a page or loaded by it, with the variables of its request. */
export type CapturedAnswer = { readonly query: string; readonly value: unknown };

const STATE_SCRIPTS = ['data-deferred-state-0', 'data-deferred-state', 'data-injector-instances'] as const;

/** Finds the answers to operations of a name (`StaysSearch`) in the state of a page. */
export function findStateAnswers(page: ParsedPage, name: string): readonly CapturedAnswer[] {
  for (const id of STATE_SCRIPTS) {
    const data = findJsonScript(page, { id });
    const all = [...toArray(getPath(data, 'niobeClientData')), ...toArray(getPath(data, 'niobeMinimalClientData'))];
    const matches = all.flatMap((pair) => {
      const query = toLine(getPath(pair, 0)) ?? '';
      return query.startsWith(`${name}:`) ? [{ query, value: getPath(pair, 1) }] : [];
    });
    if (matches.length > 0) return matches;
  }
  return [];
}

/** Creates the rule that captures the answers to operations of a name. */
export function createCaptureRule(name: string) {
  return { name, path: new RegExp(`^/api/v3/${name}/`) };
}

/** Lists the answers that a page loaded in a browser. */
export function listCapturedAnswers({ captures }: SourcePage): readonly CapturedAnswer[] {
  return captures.map(({ url, text }) => ({
    query: new URL(url).searchParams.get('variables') ?? '',
    value: parseJsonValue(text),
  }));
}

export function parseListingPage({ body, url }: SourcePage): ParsedPage {
  return parsePage(body, url);
}

/** Checks whether the request of an answer was about the home with that id. */
export function isAboutListing({ query }: CapturedAnswer, id: string): boolean {
  return ['StayListing', 'DemandStayListing'].some((kind) =>
    query.includes(Buffer.from(`${kind}:${id}`).toString('base64')),
  );
}

/** Parses the id of a home: plain, or base64 with its type. */
export function parseListingId(raw: unknown): string | null {
  const text = toLine(raw);
  if (text === null || /^\d{1,20}$/.test(text)) return text;
  return /^(?:Demand)?StayListing:(\d{1,20})$/.exec(Buffer.from(text, 'base64').toString('utf8'))?.[1] ?? null;
}

/** Reads the language of a page, else returns the requested one. */
export function readLocale(page: ParsedPage, fallback: string): string {
  return readAttributeAt(page, 'html', 'lang') ?? fallback;
}

/** How to read prices: the language of the page and the requested currency. */
export type PriceReading = { readonly locale: string; readonly currency: string };

/** The words for a night and for a total, in the languages of the site. */
const NIGHT_WORDS = /(?<!\p{L})(?:nights?|nacht|nuit|noche|notte|noite)(?!\p{L})/iu;
const TOTAL_WORDS = /(?<!\p{L})(?:total|totale|totaal|gesamt|gesamtpreis|insgesamt)(?!\p{L})/iu;

/** Reads the price of a stay: in total or for a night; the amounts are null if the site shows neither. */
export function readListedPrice(raw: unknown, reading: PriceReading): StayPrice {
  const first = joinPriceLine(getPath(raw, 'primaryLine'));
  const shown = toLine(getPath(first, 'discountedPrice') ?? getPath(first, 'price'));
  const qualifier = toLine(getPath(first, 'qualifier')) ?? '';
  const words = toLine(getPath(first, 'accessibilityLabel')) ?? ([shown, qualifier].filter(Boolean).join(' ') || null);
  const priceText = shown ?? words;
  const money = priceText === null ? null : parseMoneyText(priceText, reading);
  const second = toLine(getPath(joinPriceLine(getPath(raw, 'secondaryLine')), 'price'));
  const sum = second === null || !TOTAL_WORDS.test(second) ? null : parseMoneyText(second, reading);
  const isTold = words !== null && (TOTAL_WORDS.test(words) || /\bfor \d{1,3} nights?\b/i.test(words));
  // `for 7 nights` contains a number in each language.
  const isStay = /\d/.test(qualifier);
  const isNightly = !isStay && NIGHT_WORDS.test(qualifier === '' && !isTold ? (words ?? '') : qualifier);
  // The style is the same word in each language.
  const isWhole =
    isStay || isTold || TOTAL_WORDS.test(qualifier) || /TOTAL/.test(toLine(getPath(raw, 'displayPriceStyle')) ?? '');
  const amount = money?.amount ?? null;
  return {
    total: sum?.amount ?? (isWhole && !isNightly ? amount : null),
    nightly: isNightly ? amount : null,
    currency: money?.currency ?? null,
    text: words,
  };
}

/** Merges one line of a price, because some lines spread their members over ordered parts. */
function joinPriceLine(raw: unknown): unknown {
  const parts = [raw, ...toArray(getPath(raw, 'orderedComponents'))].filter((part) => isJsonObject(part));
  return mergeFragments(parts);
}
