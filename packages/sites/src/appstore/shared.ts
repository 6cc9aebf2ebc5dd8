import { z } from 'zod';
import { parseRichText } from '#extract/dom/elements.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import {
  getPath,
  toCount,
  toNumber,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import type { SiteRequest, SiteContext } from '#sites/framework/request.ts';
import { refuseReference, refuseLink } from '#sites/framework/site.ts';
import { APPLE_HOME, PATH_KINDS } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Flag = z.boolean().nullable();
const Texts = z.array(z.string()).readonly().nullable();

export const STORES = ['apple', 'play'] as const;

/** An app as lists show it. */
export const AppSummary = z.object({
  id: z.string().describe('A number in apple, a name such as com.example.app in play'),
  store: z.enum(STORES),
  url: z.string(),
  title: z.string(),
  summary: Text,
  developer: z.object({ id: Text, name: Text, url: Text, website_url: Text }).nullable(),
  icon_url: Text,
  screenshots: Texts,
  price: z.number().min(0).nullable(),
  currency: Text,
  price_text: Text,
  is_free: Flag,
  rating: z.number().min(0).max(5).nullable(),
  rating_count: Count,
  category: Text,
});

export type AppSummary = z.output<typeof AppSummary>;

/** An app in full. */
export const App = AppSummary.extend({
  bundle_id: Text,
  description_html: Text,
  description_text: Text,
  video_url: Text,
  has_in_app_purchases: Flag,
  in_app_price_text: Text,
  review_count: Count,
  histogram: z.array(z.int().min(0)).readonly().nullable().describe('Ratings of 1 to 5 stars'),
  installs: Count.describe('Lower bound of the number of installations'),
  installs_text: Text,
  categories: Texts,
  content_rating: Text,
  version: Text,
  minimum_os: Text,
  size_bytes: Count,
  languages: Texts,
  released_at: Text,
  updated_at: Text,
  release_notes: Text,
  privacy_url: Text,
});

export type App = z.output<typeof App>;

/** Country and language of the store. */
export const LOCALE_INPUT = {
  country: z
    .string()
    .regex(/^[a-z]{2}$/i, 'must be two letters (ISO 3166-1), such as de')
    .default('US')
    .describe('ISO 3166-1 alpha-2'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8})?$/i, 'must be a language tag (BCP 47), such as de or pt-BR')
    .default('en-US')
    .describe('BCP 47'),
};

export const AppInput = z.object({
  id: z.string().min(1).max(300).optional().describe('A number in apple, or a name such as com.example.app in play'),
  url: z.url().max(2000).optional().describe('Address of the app in either store'),
  ...LOCALE_INPUT,
});

export type AppInput = z.output<typeof AppInput>;

/** One of the two stores. */
export type AppStore = (typeof STORES)[number];

type AppIdentity = Pick<AppSummary, 'id' | 'store' | 'url' | 'title'>;

/** Builds an app that has only its identity. */
export function buildEmptyApp(named: AppIdentity): App {
  return {
    ...named,
    summary: null,
    developer: null,
    icon_url: null,
    screenshots: null,
    price: null,
    currency: null,
    price_text: null,
    is_free: null,
    rating: null,
    rating_count: null,
    category: null,
    bundle_id: null,
    description_html: null,
    description_text: null,
    video_url: null,
    has_in_app_purchases: null,
    in_app_price_text: null,
    review_count: null,
    histogram: null,
    installs: null,
    installs_text: null,
    categories: null,
    content_rating: null,
    version: null,
    minimum_os: null,
    size_bytes: null,
    languages: null,
    released_at: null,
    updated_at: null,
    release_notes: null,
    privacy_url: null,
  };
}

export function summarizeApp(app: App): AppSummary {
  return AppSummary.parse(app);
}

export const LOCALE_ALIASES = { country: ['geo'], language: ['locale'] };

/** The id of an app or developer in one of the stores. */
export type StoreItem = { readonly store: AppStore; readonly id: string };

const APPLE_ID = /^(?:id)?(\d{5,12})$/;
const PACKAGE = /^[A-Za-z]\w*(?:\.\w+)+$/;

/** Parses an app's URL or id. Null for anything else. */
function parseStoreItem(reference: string, locate: SiteContext['locate']): StoreItem | null {
  if (!reference.includes('://')) {
    const number = APPLE_ID.exec(reference)?.[1];
    if (number !== undefined) return { store: 'apple', id: number };
    return PACKAGE.test(reference) ? { store: 'play', id: reference } : null;
  }
  const place = locate(reference);
  const address = place === null ? null : URL.parse(place.path, 'https://store.example');
  if (place === null || address === null) return null;
  if (place.origin === 'play') {
    const name = address.pathname.startsWith('/store/apps/details') ? address.searchParams.get('id') : null;
    return name !== null && PACKAGE.test(name) ? { store: 'play', id: name } : null;
  }
  const number = /\/app\/(?:[^/]+\/)?id(\d{5,12})(?:\/|$)/.exec(address.pathname)?.[1];
  return number === undefined ? null : { store: 'apple', id: number };
}

/** Reads the app from the input. Throws `not_found`, or `invalid_request` for another address. */
export function readApp({ id, url: link }: Pick<AppInput, 'id' | 'url'>, site: SiteContext): StoreItem {
  const reference = (id ?? link ?? '').trim();
  const item = parseStoreItem(reference, site.locate);
  if (item !== null) return item;
  const parameter = id === undefined ? 'url' : 'id';
  if (!reference.includes('://')) return refuseReference(parameter, 'is not an app of these stores');
  return refuseLink({ parameter, place: site.locate(reference), kinds: PATH_KINDS, wanted: 'an app' });
}

/** Returns a test of whether the requested app is in a store, because each source serves one store. */
export function isFromStore(store: AppStore) {
  return (site: SiteContext, input: Pick<AppInput, 'id' | 'url'>): boolean => readApp(input, site).store === store;
}

type StoreLocale = { readonly country: string; readonly language: string };

export function buildItunesRequest(
  path: '/lookup' | '/search',
  query: Readonly<Record<string, string | number>>,
  { country, language }: StoreLocale,
): SiteRequest {
  // English is the store's default.
  const lang = /^en\b/i.test(language) ? null : language.toLowerCase().replace('-', '_');
  return { origin: 'itunes', path, query: { ...query, country: country.toUpperCase(), lang }, language };
}

/** Parses the results of an answer. Null if there are none. */
export function parseItunesResults(body: string): readonly unknown[] | null {
  const results = getPath(parseJsonValue(body), 'results');
  return Array.isArray(results) ? toArray(results) : null;
}

/** Parses an app of Apple's API. Null if the value is not an app. */
export function parseItunesApp(raw: unknown): App | null {
  const id = toLine(getPath(raw, 'trackId'));
  const title = toLine(getPath(raw, 'trackName'));
  // Songs and films have the same members.
  const isApp = (toLine(getPath(raw, 'wrapperType')) ?? 'software') === 'software';
  if (id === null || title === null || !isApp || !/^\d+$/.test(id)) return null;
  const price = toNumber(getPath(raw, 'price'));
  const rich = parseRichText(
    (toText(getPath(raw, 'description')) ?? '').replaceAll('<', '&lt;').replaceAll('\n', '<br>'),
    APPLE_HOME,
  );
  return {
    ...buildEmptyApp({
      id,
      store: 'apple',
      url: cleanPageUrl(getPath(raw, 'trackViewUrl')) ?? `${APPLE_HOME}/app/id${id}`,
      title,
    }),
    developer: {
      id: toLine(getPath(raw, 'artistId')),
      name: toLine(getPath(raw, 'artistName')) ?? toLine(getPath(raw, 'sellerName')),
      url: cleanPageUrl(getPath(raw, 'artistViewUrl')),
      website_url: toCleanUrl(getPath(raw, 'sellerUrl'), APPLE_HOME),
    },
    icon_url: toMediaUrl(getPath(raw, 'artworkUrl512') ?? getPath(raw, 'artworkUrl100'), APPLE_HOME),
    screenshots: parsePictures(getPath(raw, 'screenshotUrls')) ?? parsePictures(getPath(raw, 'ipadScreenshotUrls')),
    price: price !== null && price >= 0 ? price : null,
    currency: toLine(getPath(raw, 'currency')),
    price_text: toLine(getPath(raw, 'formattedPrice')),
    is_free: price === null ? null : price === 0,
    ...parseRating(raw),
    category: toLine(getPath(raw, 'primaryGenreName')),
    bundle_id: toLine(getPath(raw, 'bundleId')),
    description_html: rich?.html ?? null,
    description_text: toText(getPath(raw, 'description')),
    categories: parseLines(getPath(raw, 'genres')),
    content_rating: toLine(getPath(raw, 'contentAdvisoryRating')) ?? toLine(getPath(raw, 'trackContentRating')),
    version: toLine(getPath(raw, 'version')),
    minimum_os: toLine(getPath(raw, 'minimumOsVersion')),
    size_bytes: toCount(getPath(raw, 'fileSizeBytes'), null)?.value ?? null,
    languages: parseLines(getPath(raw, 'languageCodesISO2A')),
    released_at: toTimestamp(getPath(raw, 'releaseDate')),
    updated_at: toTimestamp(getPath(raw, 'currentVersionReleaseDate')),
    release_notes: toText(getPath(raw, 'releaseNotes')),
  };
}

/** Removes tracking parameters from the URL of a store page. */
export function cleanPageUrl(raw: unknown): string | null {
  return toCleanUrl(raw, APPLE_HOME)?.replace(/[?#].*$/s, '') ?? null;
}

/** An app that nobody has rated has a rating of 0. */
function parseRating(raw: unknown): Pick<App, 'rating' | 'rating_count'> {
  const count = toCount(getPath(raw, 'userRatingCount'), null)?.value ?? null;
  const rating = toNumber(getPath(raw, 'averageUserRating'));
  const isRated = count !== 0 && rating !== null && rating > 0 && rating <= 5;
  return { rating: isRated ? rating : null, rating_count: count };
}

function parsePictures(raw: unknown): readonly string[] | null {
  const pictures = toArray(raw).flatMap((one) => toMediaUrl(one, APPLE_HOME) ?? []);
  return pictures.length === 0 ? null : pictures;
}

function parseLines(raw: unknown): readonly string[] | null {
  const lines = toArray(raw).flatMap((one) => toLine(one) ?? []);
  return lines.length === 0 ? null : lines;
}
