import { at, decimal, integer, line, list, mediaUrl } from '#extract/values/raw.ts';
import { readStayPrice } from './read-price.ts';
import { STAY_HOME } from './site.ts';
import type { FoundStay } from './stay-record.ts';

type PriceReading = { readonly locale: string; readonly currency: string };

/** A home among the results; null for anything else that stands between them. */
export function readFoundStay(raw: unknown, reading: PriceReading): FoundStay | null {
  const stay = at(raw, 'demandStayListing');
  const old = at(raw, 'listing');
  const id = idIn(at(stay, 'id')) ?? idIn(at(old, 'id'));
  if (id === null) return null;
  const title = line(at(raw, 'title') ?? at(old, 'title'));
  const named = at(raw, 'nameLocalized') ?? at(stay, 'description', 'name');
  const name =
    line(at(named, 'localizedStringWithTranslationPreference')) ?? line(at(old, 'name') ?? at(raw, 'subtitle'));
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
    ...ratingOf(raw),
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

/** A number, plain or behind the name of its kind in base64. */
function idIn(raw: unknown): string | null {
  const given = line(raw);
  if (given === null || /^\d{1,20}$/.test(given)) return given;
  return /^(?:Demand)?StayListing:(\d{1,20})$/.exec(Buffer.from(given, 'base64').toString('utf8'))?.[1] ?? null;
}

/** `4.92 (123)`, or words for those who listen; what is new has neither. */
function ratingOf(raw: unknown): Pick<FoundStay, 'rating' | 'review_count'> {
  const shown = line(at(raw, 'avgRatingLocalized') ?? at(raw, 'listing', 'avgRatingLocalized')) ?? '';
  const told = line(at(raw, 'avgRatingA11yLabel') ?? at(raw, 'listing', 'avgRatingA11yLabel')) ?? '';
  const [, stars, count] = /^([0-5](?:[.,]\d{1,2})?)(?:\s?\(([\d.,]{1,9})\))?$/.exec(shown) ?? [];
  const rating = decimal(stars?.replace(',', '.'));
  const reviews = count ?? /([\d,]{1,9}) reviews?/.exec(told)?.[1];
  return { rating, review_count: reviews === undefined ? null : integer(reviews.replaceAll(/[.,]/g, '')) };
}
