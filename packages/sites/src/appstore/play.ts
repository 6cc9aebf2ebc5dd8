import { findCanonicalUrl, listEntities, parseRichText } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { listVariables } from '#extract/dom/scripts.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import {
  getPath,
  toCount,
  toNumber,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  parseAmount,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { type App, type AppSummary, buildEmptyApp, summarizeApp } from './shared.ts';
import { PLAY_HOME } from './site.ts';

/** Lists the values that a page passes to its scripts, in their order. Their keys differ from page to page. */
export function listPlayData(page: ParsedPage): readonly unknown[] {
  return listVariables(page, 'AF_initDataCallback(')
    .map((call) => getPath(call, 'data'))
    .filter((data) => data !== undefined);
}

/**
 * Reads a field of a message by its index. Fields with much higher indexes are in an object at the end, keyed by their
 * field number, which is the index plus one.
 */
function readField(message: unknown, place: number, ...path: readonly number[]): unknown {
  if (!Array.isArray(message)) return undefined;
  const last: unknown = message.at(-1);
  const near: unknown = place < message.length ? message[place] : undefined;
  const isTail = isJsonObject(last) && (near === last || near === undefined || near === null);
  const value = isTail ? getPath(last, String(place + 1)) : near;
  return path.length === 0 ? (value ?? undefined) : getPath(value, ...path);
}

const MAX_VALUES = 400_000;
const MAX_DEPTH = 64;

/** Finds all nested lists that a test accepts, in their order. Does not search inside accepted lists. */
export function findLists(
  root: unknown,
  accepts: (values: readonly unknown[]) => boolean,
): readonly (readonly unknown[])[] {
  const lists: (readonly unknown[])[] = [];
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let remaining = MAX_VALUES; remaining > 0; remaining--) {
    const next = waiting.pop();
    if (next === undefined) break;
    const { value, depth } = next;
    if (Array.isArray(value) && accepts(value)) {
      lists.push(value);
      continue;
    }
    if (depth >= MAX_DEPTH) continue;
    const inner: readonly unknown[] = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    for (let index = inner.length - 1; index >= 0; index--) {
      const child = inner[index];
      if (typeof child === 'object' && child !== null) waiting.push({ value: child, depth: depth + 1 });
    }
  }
  return lists;
}

function buildPlayUrl(id: string): string {
  return `${PLAY_HOME}/store/apps/details?id=${encodeURIComponent(id)}`;
}

/** An app, and whether it is complete or has only the structured data of its page. */
type ParsedPlayApp = { readonly app: App; readonly isWhole: boolean };

/**
 * Parses the page of an app: the data in its scripts, else its structured data. Null if it is not the page of the
 * app.
 */
export function parsePlayPage(page: ParsedPage, id: string): ParsedPlayApp | null {
  const canonical = URL.parse(findCanonicalUrl(page) ?? '', PLAY_HOME)?.searchParams.get('id');
  const described = canonical === id ? parseDescribedApp(page, id) : null;
  const message = listPlayData(page)
    .map((data) => getPath(data, 1, 2))
    .find((one) => isAppMessage(one, id, canonical ?? null));
  const app = message === undefined ? null : parsePlayApp(message, id);
  if (app !== null) return { app, isWhole: true };
  return described === null ? null : { app: described, isWhole: false };
}

/** Whether a message is about the app, by the id in the message, else by that of the page. */
function isAppMessage(message: unknown, id: string, canonical: string | null): boolean {
  const name = toLine(readField(message, 77, 0)) ?? canonical;
  return name === id && toLine(readField(message, 0, 0)) !== null && toText(readField(message, 72, 0, 1)) !== null;
}

function parsePlayApp(app: unknown, id: string): App | null {
  const title = toLine(readField(app, 0, 0));
  if (title === null) return null;
  const rich = parseRichText(toText(readField(app, 72, 0, 1)) ?? '', PLAY_HOME);
  const summary = parseRichText(toText(readField(app, 73, 0, 1)) ?? '', PLAY_HOME);
  const notes = parseRichText(toText(readField(app, 144, 1, 1)) ?? '', PLAY_HOME);
  const iap = toLine(readField(app, 19, 0));
  return {
    ...buildEmptyApp({ id, store: 'play', url: buildPlayUrl(id), title }),
    ...parsePlayPrice(readField(app, 57, 0, 0, 0, 0, 1, 0)),
    ...parseRatings(readField(app, 51)),
    bundle_id: id,
    summary: summary?.text ?? null,
    developer: {
      id: toLine(readField(app, 68, 2)),
      name: toLine(readField(app, 68, 0)),
      url: toCleanUrl(readField(app, 68, 1, 4, 2), PLAY_HOME),
      website_url: toCleanUrl(readField(app, 69, 0, 5, 2), PLAY_HOME),
    },
    icon_url: parsePicture(readField(app, 95, 0)),
    screenshots: parsePictures(readField(app, 78, 0)),
    video_url: toMediaUrl(readField(app, 100, 0, 0, 3, 2), PLAY_HOME),
    category: toLine(readField(app, 79, 0, 0, 0)),
    categories: toArray(readField(app, 79, 0)).flatMap((one) => toLine(getPath(one, 0)) ?? []),
    description_html: rich?.html ?? null,
    description_text: rich?.text ?? null,
    has_in_app_purchases: iap === null ? null : true,
    in_app_price_text: iap,
    installs: toCount(readField(app, 13, 1), null)?.value ?? null,
    installs_text: toLine(readField(app, 13, 0)),
    content_rating: toLine(readField(app, 9, 0)),
    version: toLine(readField(app, 140, 0, 0, 0)),
    minimum_os: toLine(readField(app, 140, 1, 1, 0, 0, 1)),
    released_at: toTimestamp(readField(app, 10, 1, 0)),
    updated_at: toTimestamp(readField(app, 145, 0, 1, 0)),
    release_notes: notes?.text ?? null,
    privacy_url: toCleanUrl(readField(app, 99, 0, 5, 2), PLAY_HOME),
  };
}

type Price = Pick<App, 'price' | 'currency' | 'price_text' | 'is_free'>;

/** Parses a price: millionths of the currency, its code, and the shown text, which is empty for free apps. */
function parsePlayPrice(raw: unknown): Price {
  const micros = toNumber(getPath(raw, 0));
  const price = micros === null || micros < 0 ? null : micros / 1_000_000;
  return {
    price,
    currency: toLine(getPath(raw, 1)),
    price_text: toLine(getPath(raw, 2)),
    is_free: price === null ? null : price === 0,
  };
}

/** An app that nobody has rated has a rating of 0. */
function parseRatings(raw: unknown): Pick<App, 'rating' | 'rating_count' | 'review_count' | 'histogram'> {
  const count = toCount(getPath(raw, 2, 1), null)?.value ?? null;
  const stars = toArray(getPath(raw, 1)).flatMap((one) => toCount(getPath(one, 1), null)?.value ?? []);
  return {
    rating: count === 0 ? null : parseStars(getPath(raw, 0, 1)),
    rating_count: count,
    review_count: toCount(getPath(raw, 3, 1), null)?.value ?? null,
    histogram: stars.length === 5 ? stars : null,
  };
}

/** A rating of 0 means that there is none. */
export function parseStars(raw: unknown): number | null {
  const rating = toNumber(raw);
  return rating === null || rating <= 0 || rating > 5 ? null : Math.round(rating * 1e6) / 1e6;
}

function parsePicture(raw: unknown): string | null {
  return toMediaUrl(getPath(raw, 3, 2), PLAY_HOME);
}

function parsePictures(raw: unknown): readonly string[] | null {
  const pictures = toArray(raw).flatMap((one) => parsePicture(one) ?? []);
  return pictures.length === 0 ? null : pictures;
}

function parseDescribedApp(page: ParsedPage, id: string): App | null {
  const own = listEntities(page, 'SoftwareApplication', 'MobileApplication')[0]?.members;
  const title = toLine(own?.['name']);
  if (own === undefined || title === null) return null;
  const offer = getPath(own, 'offers', 0) ?? getPath(own, 'offers');
  const price = parseAmount(getPath(offer, 'price'));
  return {
    ...buildEmptyApp({ id, store: 'play', url: buildPlayUrl(id), title }),
    bundle_id: id,
    summary: toText(own['description']),
    developer: {
      id: null,
      name: toLine(getPath(own, 'author', 'name')),
      url: null,
      website_url: toCleanUrl(getPath(own, 'author', 'url'), PLAY_HOME),
    },
    icon_url: toMediaUrl(own['image'], PLAY_HOME),
    price,
    currency: toLine(getPath(offer, 'priceCurrency')),
    is_free: price === null ? null : price === 0,
    rating: parseStars(getPath(own, 'aggregateRating', 'ratingValue')),
    rating_count: toCount(getPath(own, 'aggregateRating', 'ratingCount'), null)?.value ?? null,
    category: toLine(own['applicationCategory']),
    content_rating: toLine(own['contentRating']),
  };
}

/** The value after the id of an app in the store's data. */
const APP_MARK = 7;

/** A card begins with the id of an app and the mark of apps, and has a title. */
function isCard(values: readonly unknown[]): boolean {
  return (
    getPath(values, 0, 1) === APP_MARK && typeof getPath(values, 0, 0) === 'string' && typeof values[3] === 'string'
  );
}

/** Parses the apps in the lists of a page, in their order and without duplicates. */
export function parsePlayCards(page: ParsedPage): readonly AppSummary[] {
  const cards = findLists(listPlayData(page), isCard).flatMap((card) => parseCard(card) ?? []);
  return [...new Map(cards.map((card) => [card.id, card])).values()];
}

function parseCard(card: readonly unknown[]): AppSummary | null {
  const id = toLine(getPath(card, 0, 0));
  const title = toLine(card[3]);
  if (id === null || title === null) return null;
  const name = toLine(card[14]);
  return summarizeApp({
    ...buildEmptyApp({ id, store: 'play', url: buildPlayUrl(id), title }),
    ...parsePlayPrice(getPath(card, 8, 1, 0)),
    summary: parseRichText(toText(getPath(card, 13, 1)) ?? '', PLAY_HOME)?.text ?? null,
    developer: name === null ? null : { id: null, name, url: null, website_url: null },
    icon_url: parsePicture(card[1]),
    screenshots: parsePictures(card[2]),
    rating: parseStars(getPath(card, 4, 1)),
    category: toLine(card[5]),
  });
}
