import type { SiteRequest } from '#sites/framework/request.ts';
import { readRich } from '#extract/dom/elements.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, countOf, decimal, line, list, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { bareApp } from './app-record.ts';
import type { App } from './app-record.ts';
import { APPLE_HOME } from './site.ts';

type StorePlace = { readonly country: string; readonly language: string };

/** Asks the documented interface of the store of Apple. */
export function askItunes(
  path: '/lookup' | '/search',
  query: Readonly<Record<string, string | number>>,
  { country, language }: StorePlace,
): SiteRequest {
  // English is what the store answers unless asked.
  const lang = /^en\b/i.test(language) ? null : language.toLowerCase().replace('-', '_');
  return { origin: 'itunes', path, query: { ...query, country: country.toUpperCase(), lang }, language };
}

/** The results of an answer; null for what is none. */
export function itunesResults(body: string): readonly unknown[] | null {
  const results = at(tryParse(body), 'results');
  return Array.isArray(results) ? list(results) : null;
}

/** An app of the documented interface; null for what is none. */
export function fromItunes(raw: unknown): App | null {
  const id = line(at(raw, 'trackId'));
  const title = line(at(raw, 'trackName'));
  // Songs and films have the same members.
  const isApp = (line(at(raw, 'wrapperType')) ?? 'software') === 'software';
  if (id === null || title === null || !isApp || !/^\d+$/.test(id)) return null;
  const price = decimal(at(raw, 'price'));
  const rich = readRich(
    (text(at(raw, 'description')) ?? '').replaceAll('<', '&lt;').replaceAll('\n', '<br>'),
    APPLE_HOME,
  );
  return {
    ...bareApp({ id, store: 'apple', url: pageUrlOf(at(raw, 'trackViewUrl')) ?? `${APPLE_HOME}/app/id${id}`, title }),
    developer: {
      id: line(at(raw, 'artistId')),
      name: line(at(raw, 'artistName')) ?? line(at(raw, 'sellerName')),
      url: pageUrlOf(at(raw, 'artistViewUrl')),
      website_url: url(at(raw, 'sellerUrl'), APPLE_HOME),
    },
    icon_url: mediaUrl(at(raw, 'artworkUrl512') ?? at(raw, 'artworkUrl100'), APPLE_HOME),
    screenshots: picturesOf(at(raw, 'screenshotUrls')) ?? picturesOf(at(raw, 'ipadScreenshotUrls')),
    price: price !== null && price >= 0 ? price : null,
    currency: line(at(raw, 'currency')),
    price_text: line(at(raw, 'formattedPrice')),
    is_free: price === null ? null : price === 0,
    ...ratingOf(raw),
    category: line(at(raw, 'primaryGenreName')),
    bundle_id: line(at(raw, 'bundleId')),
    description_html: rich?.html ?? null,
    description_text: text(at(raw, 'description')),
    categories: linesOf(at(raw, 'genres')),
    content_rating: line(at(raw, 'contentAdvisoryRating')) ?? line(at(raw, 'trackContentRating')),
    version: line(at(raw, 'version')),
    minimum_os: line(at(raw, 'minimumOsVersion')),
    size_bytes: countOf(at(raw, 'fileSizeBytes'), null)?.value ?? null,
    languages: linesOf(at(raw, 'languageCodesISO2A')),
    released_at: moment(at(raw, 'releaseDate')),
    updated_at: moment(at(raw, 'currentVersionReleaseDate')),
    release_notes: text(at(raw, 'releaseNotes')),
  };
}

/** The address of a page of the store, without what says who led there. */
export function pageUrlOf(raw: unknown): string | null {
  return url(raw, APPLE_HOME)?.replace(/[?#].*$/s, '') ?? null;
}

/** An app that nobody has rated has a rating of 0. */
function ratingOf(raw: unknown): Pick<App, 'rating' | 'rating_count'> {
  const count = countOf(at(raw, 'userRatingCount'), null)?.value ?? null;
  const rating = decimal(at(raw, 'averageUserRating'));
  const isRated = count !== 0 && rating !== null && rating > 0 && rating <= 5;
  return { rating: isRated ? rating : null, rating_count: count };
}

function picturesOf(raw: unknown): readonly string[] | null {
  const pictures = list(raw).flatMap((one) => mediaUrl(one, APPLE_HOME) ?? []);
  return pictures.length === 0 ? null : pictures;
}

function linesOf(raw: unknown): readonly string[] | null {
  const lines = list(raw).flatMap((one) => line(one) ?? []);
  return lines.length === 0 ? null : lines;
}
