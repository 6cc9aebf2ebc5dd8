import { readInteger, readNumber } from '#extract/values/numbers.ts';
import { at, decimal, line, list, mediaUrl } from '#extract/values/raw.ts';
import { stayIdIn } from './page-state.ts';
import { readStayPrice } from './read-price.ts';
import type { PriceReading } from './read-price.ts';
import { STAY_HOME } from './site.ts';
import type { FoundStay } from './stay-record.ts';

/** A home among the results; null for anything else that stands between them. */
export function readFoundStay(raw: unknown, reading: PriceReading): FoundStay | null {
  const stay = at(raw, 'demandStayListing');
  const old = at(raw, 'listing');
  const id = stayIdIn(at(stay, 'id')) ?? stayIdIn(at(old, 'id'));
  if (id === null) return null;
  const { title, name } = readNames(raw);
  if (title === null && name === null) return null;
  const place = at(stay, 'location', 'coordinate') ?? at(old, 'coordinate');
  const badges = list(at(raw, 'badges') ?? at(old, 'formattedBadges')).flatMap((one) => line(at(one, 'text')) ?? []);
  const pictures = list(at(raw, 'contextualPictures') ?? at(old, 'contextualPictures'));
  return {
    id,
    url: `${STAY_HOME}/rooms/${id}`,
    title,
    name,
    room_type: /^(.{1,60}?) in /.exec(title ?? '')?.[1] ?? line(at(old, 'roomTypeCategory')),
    ...ratingOf(raw, reading),
    latitude: decimal(at(place, 'latitude')),
    longitude: decimal(at(place, 'longitude')),
    price: readStayPrice(
      at(raw, 'structuredDisplayPrice') ?? at(raw, 'pricingQuote', 'structuredStayDisplayPrice'),
      reading,
    ),
    badges,
    images: pictures.flatMap((one) => mediaUrl(at(one, 'picture'), STAY_HOME) ?? []),
    is_superhost: badges.some((badge) => /superhost/i.test(badge)) ? true : null,
  };
}

/** What a card says of its home: the name that it was given, and what it is and where. */
function readNames(raw: unknown): Pick<FoundStay, 'title' | 'name'> {
  const title = line(at(raw, 'title') ?? at(raw, 'listing', 'title'));
  const subtitle = line(at(raw, 'subtitle'));
  const given =
    line(at(raw, 'nameLocalized', 'localizedStringWithTranslationPreference')) ??
    line(at(raw, 'demandStayListing', 'description', 'name', 'localizedStringWithTranslationPreference')) ??
    line(at(raw, 'listing', 'name'));
  const name = given ?? subtitle;
  // The card of a hotel has the name on top.
  if (given !== null && given === title) return { title: subtitle ?? title, name: given };
  const isSure = given === null || line(at(raw, 'structuredDisplayPrice', 'primaryLine', '__typename')) === HOTEL_PRICE;
  return isSure && isPlaced(name) && !isPlaced(title) ? { title: name, name: title } : { title, name };
}

/** The kind of line that the prices of hotels have. */
const HOTEL_PRICE = 'OrderedDisplayPriceLine';

/** Whether words say what something is and where: `Hotel in Lisbon`. */
function isPlaced(words: string | null): boolean {
  return /^\p{L}[\p{L} -]{1,40} (?:in|en|à|a|em) \p{Lu}/u.test(words ?? '');
}

/** `4.92 (123)`, or words for those who listen; what is new has neither. */
function ratingOf(raw: unknown, { locale }: PriceReading): Pick<FoundStay, 'rating' | 'review_count'> {
  const shown = line(at(raw, 'avgRatingLocalized') ?? at(raw, 'listing', 'avgRatingLocalized')) ?? '';
  const told = line(at(raw, 'avgRatingA11yLabel') ?? at(raw, 'listing', 'avgRatingA11yLabel')) ?? '';
  const [, stars = '', count] = /^([0-5](?:[.,]\d{1,2})?)(?:\s?\((\d[\d.,\s]{0,9})\))?$/.exec(shown) ?? [];
  const reviews = count ?? /(\d[\d.,\s]{0,9}) reviews?/.exec(told)?.[1];
  return {
    rating: readNumber(stars, locale),
    review_count: reviews === undefined ? null : readInteger(reviews, locale),
  };
}
