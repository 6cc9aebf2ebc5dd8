import { canonicalOf, things } from '#extract/dom/described.ts';
import { readRich } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { statedAmount, at, countOf, decimal, line, list, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { bareApp } from './app-record.ts';
import type { App } from './app-record.ts';
import { fieldOf, playData } from './play-data.ts';
import { PLAY_HOME } from './site.ts';

/** The page of an app in Google's store under its name. */
export function playUrlOf(id: string): string {
  return `${PLAY_HOME}/store/apps/details?id=${encodeURIComponent(id)}`;
}

/** An app, and whether all is there that its page tells. */
type ShownApp = { readonly app: App; readonly isWhole: boolean };

/** The app that the page shows: from the data of its scripts, else from what it describes; null where that is none, or another. */
export function readPlayApp(page: ParsedPage, id: string): ShownApp | null {
  const canonical = URL.parse(canonicalOf(page) ?? '', PLAY_HOME)?.searchParams.get('id');
  const described = canonical === id ? describedApp(page, id) : null;
  const message = playData(page)
    .map((data) => at(data, 1, 2))
    .find((one) => isOfApp(one, id, canonical ?? null));
  const app = message === undefined ? null : toPlayApp(message, id);
  if (app !== null) return { app, isWhole: true };
  return described === null ? null : { app: described, isWhole: false };
}

/** Whether a message is about an app: by the name in it, else by that of the page. */
function isOfApp(message: unknown, id: string, canonical: string | null): boolean {
  const name = line(fieldOf(message, 77, 0)) ?? canonical;
  return name === id && line(fieldOf(message, 0, 0)) !== null && text(fieldOf(message, 72, 0, 1)) !== null;
}

function toPlayApp(app: unknown, id: string): App | null {
  const title = line(fieldOf(app, 0, 0));
  if (title === null) return null;
  const rich = readRich(text(fieldOf(app, 72, 0, 1)) ?? '', PLAY_HOME);
  const summary = readRich(text(fieldOf(app, 73, 0, 1)) ?? '', PLAY_HOME);
  const notes = readRich(text(fieldOf(app, 144, 1, 1)) ?? '', PLAY_HOME);
  const iap = line(fieldOf(app, 19, 0));
  return {
    ...bareApp({ id, store: 'play', url: playUrlOf(id), title }),
    ...playPriceOf(fieldOf(app, 57, 0, 0, 0, 0, 1, 0)),
    ...ratingsOf(fieldOf(app, 51)),
    bundle_id: id,
    summary: summary?.text ?? null,
    developer: {
      id: line(fieldOf(app, 68, 2)),
      name: line(fieldOf(app, 68, 0)),
      url: url(fieldOf(app, 68, 1, 4, 2), PLAY_HOME),
      website_url: url(fieldOf(app, 69, 0, 5, 2), PLAY_HOME),
    },
    icon_url: pictureIn(fieldOf(app, 95, 0)),
    screenshots: picturesIn(fieldOf(app, 78, 0)),
    video_url: mediaUrl(fieldOf(app, 100, 0, 0, 3, 2), PLAY_HOME),
    category: line(fieldOf(app, 79, 0, 0, 0)),
    categories: list(fieldOf(app, 79, 0)).flatMap((one) => line(at(one, 0)) ?? []),
    description_html: rich?.html ?? null,
    description_text: rich?.text ?? null,
    has_in_app_purchases: iap === null ? null : true,
    in_app_price_text: iap,
    installs: countOf(fieldOf(app, 13, 1), null)?.value ?? null,
    installs_text: line(fieldOf(app, 13, 0)),
    content_rating: line(fieldOf(app, 9, 0)),
    version: line(fieldOf(app, 140, 0, 0, 0)),
    minimum_os: line(fieldOf(app, 140, 1, 1, 0, 0, 1)),
    released_at: moment(fieldOf(app, 10, 1, 0)),
    updated_at: moment(fieldOf(app, 145, 0, 1, 0)),
    release_notes: notes?.text ?? null,
    privacy_url: url(fieldOf(app, 99, 0, 5, 2), PLAY_HOME),
  };
}

type Price = Pick<App, 'price' | 'currency' | 'price_text' | 'is_free'>;

/** Millionths of a currency, its code, and the store's wording, which is empty for what is free. */
export function playPriceOf(raw: unknown): Price {
  const micros = decimal(at(raw, 0));
  const price = micros === null || micros < 0 ? null : micros / 1_000_000;
  return {
    price,
    currency: line(at(raw, 1)),
    price_text: line(at(raw, 2)),
    is_free: price === null ? null : price === 0,
  };
}

/** An app that nobody has rated has a rating of 0. */
function ratingsOf(raw: unknown): Pick<App, 'rating' | 'rating_count' | 'review_count' | 'histogram'> {
  const count = countOf(at(raw, 2, 1), null)?.value ?? null;
  const stars = list(at(raw, 1)).flatMap((one) => countOf(at(one, 1), null)?.value ?? []);
  return {
    rating: count === 0 ? null : appStars(at(raw, 0, 1)),
    rating_count: count,
    review_count: countOf(at(raw, 3, 1), null)?.value ?? null,
    histogram: stars.length === 5 ? stars : null,
  };
}

/** A rating of 0 is none. */
export function appStars(raw: unknown): number | null {
  const rating = decimal(raw);
  return rating === null || rating <= 0 || rating > 5 ? null : Math.round(rating * 1e6) / 1e6;
}

/** The address of a picture of the store. */
export function pictureIn(raw: unknown): string | null {
  return mediaUrl(at(raw, 3, 2), PLAY_HOME);
}

/** The addresses of several; null for none. */
export function picturesIn(raw: unknown): readonly string[] | null {
  const pictures = list(raw).flatMap((one) => pictureIn(one) ?? []);
  return pictures.length === 0 ? null : pictures;
}

function describedApp(page: ParsedPage, id: string): App | null {
  const own = things(page, 'SoftwareApplication', 'MobileApplication')[0]?.members;
  const title = line(own?.['name']);
  if (own === undefined || title === null) return null;
  const offer = at(own, 'offers', 0) ?? at(own, 'offers');
  const price = statedAmount(at(offer, 'price'));
  return {
    ...bareApp({ id, store: 'play', url: playUrlOf(id), title }),
    bundle_id: id,
    summary: text(own['description']),
    developer: {
      id: null,
      name: line(at(own, 'author', 'name')),
      url: null,
      website_url: url(at(own, 'author', 'url'), PLAY_HOME),
    },
    icon_url: mediaUrl(own['image'], PLAY_HOME),
    price,
    currency: line(at(offer, 'priceCurrency')),
    is_free: price === null ? null : price === 0,
    rating: appStars(at(own, 'aggregateRating', 'ratingValue')),
    rating_count: countOf(at(own, 'aggregateRating', 'ratingCount'), null)?.value ?? null,
    category: line(own['applicationCategory']),
    content_rating: line(own['contentRating']),
  };
}
