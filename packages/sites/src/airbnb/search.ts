import { z } from 'zod';
import { answerEmpty, buildPage, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { parseInteger, parseNumber } from '#extract/values/numbers.ts';
import { getPath, toNumber, toLine, toArray, toMediaUrl } from '#extract/values/raw.ts';
import {
  checkDays,
  Count,
  findStateAnswers,
  parseListingId,
  parseListingPage,
  Price,
  type PriceReading,
  Rating,
  readLocale,
  readListedPrice,
  Text,
  Trip,
} from './shared.ts';
import { HOME, airbnb } from './site.ts';

const Degrees = (most: number) => z.number().min(-most).max(most).optional();

const SearchInput = z.object({
  location: z.string().trim().min(2).max(200).describe('Name of a place, such as Lisbon or Harrow, United Kingdom'),
  ...Trip,
  price_min: z.int().min(0).optional().describe('Minimum price per night'),
  price_max: z.int().min(0).optional().describe('Maximum price per night'),
  place_id: z.string().min(1).max(200).optional().describe('The id of the place on the site'),
  ne_lat: Degrees(90).describe('Latitude of the north-east corner of the map; requires the other three coordinates'),
  ne_lng: Degrees(180).describe('Its longitude'),
  sw_lat: Degrees(90).describe('Latitude of the south-west corner of the map'),
  sw_lng: Degrees(180).describe('Its longitude'),
});

type SearchInput = z.output<typeof SearchInput>;

/** A home in a list. */
const SearchResult = z.object({
  id: z.string(),
  url: z.string(),
  title: Text.describe('The type of the home and its place'),
  name: Text.describe('The name that the host chose'),
  room_type: Text,
  rating: Rating,
  review_count: Count,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  price: Price,
  badges: z.array(z.string()).readonly(),
  images: z.array(z.string()).readonly(),
  is_superhost: z.boolean().nullable(),
});

type SearchResult = z.output<typeof SearchResult>;

export const airbnbSearch = airbnb({
  path: '/search',
  summary: 'Search homes for rent around a place, one page of results per request',
  input: SearchInput,
  record: z.object({ listings: z.array(SearchResult).readonly() }),
  aliases: { location: ['search', 'query', 'q'], check_in: ['checkin'], check_out: ['checkout'], locale: ['language'] },
  list: 'listings',
  expected: ['listings.name', 'listings.price.text', 'listings.images', 'listings.latitude'],
  canary: { location: 'Lisbon, Portugal' },
  request: (input, site) => buildSearchRequest(input, site.cursor),
  parse(source, { locale, currency }, site) {
    const page = parseListingPage(source);
    const [state] = findStateAnswers(page, 'StaysSearch');
    const results = getPath(state?.value, 'data', 'presentation', 'staysSearch', 'results');
    const rows = getPath(results, 'searchResults');
    if (!Array.isArray(rows)) return unusable('the results of a search are missing');
    const reading = { locale: readLocale(page, locale), currency: currency.toUpperCase() };
    const found = toArray(rows).flatMap((row) => readResult(row, reading) ?? []);
    const listings = [...new Map(found.map((one) => [one.id, one])).values()];
    const info = getPath(results, 'paginationInfo');
    if (listings.length > 0) return buildPage({ listings }, findNextCursor(info, site.cursor));
    return rows.length === 0 && Array.isArray(getPath(info, 'pageCursors'))
      ? answerEmpty()
      : unusable('no readable homes');
  },
});

/** Builds the request of a page of results. The cursor is the site's own. Throws `invalid_request`. */
function buildSearchRequest(input: SearchInput, cursor: string | null): SiteRequest {
  checkDays(input);
  const corners = [input.ne_lat, input.ne_lng, input.sw_lat, input.sw_lng];
  const cornerCount = corners.filter((corner) => corner !== undefined).length;
  if (cornerCount > 0 && cornerCount < 4) refuseParameter('ne_lat', 'is required with ne_lng, sw_lat and sw_lng');
  if (input.price_min !== undefined && input.price_max !== undefined && input.price_min > input.price_max)
    refuseParameter('price_min', 'is above price_max');
  const slug = input.location.replaceAll(/,\s*/g, '--').replaceAll(/\s+/g, '-');
  return {
    origin: 'web',
    path: `/s/${encodeURIComponent(slug)}/homes`,
    query: {
      query: input.location,
      checkin: input.check_in,
      checkout: input.check_out,
      adults: input.adults,
      children: input.children,
      infants: input.infants,
      pets: input.pets,
      price_min: input.price_min,
      price_max: input.price_max,
      currency: input.currency.toUpperCase(),
      locale: input.locale,
      place_id: input.place_id,
      ne_lat: input.ne_lat,
      ne_lng: input.ne_lng,
      sw_lat: input.sw_lat,
      sw_lng: input.sw_lng,
      search_by_map: cornerCount === 4 ? true : null,
      cursor,
    },
    language: input.locale,
  };
}

/** Finds the cursor after the current one. The site lists the cursors of all pages. */
function findNextCursor(info: unknown, cursor: string | null): string | null {
  const tokens = toArray(getPath(info, 'pageCursors')).flatMap((token) => toLine(token) ?? []);
  const here = cursor === null ? 0 : tokens.indexOf(cursor);
  const named = toLine(getPath(info, 'nextPageCursor'));
  return named ?? (here === -1 ? null : (tokens[here + 1] ?? null));
}

/** Reads one home of the results; null for any other element. */
function readResult(raw: unknown, reading: PriceReading): SearchResult | null {
  const stay = getPath(raw, 'demandStayListing');
  const old = getPath(raw, 'listing');
  const id = parseListingId(getPath(stay, 'id')) ?? parseListingId(getPath(old, 'id'));
  if (id === null) return null;
  const { title, name } = readNames(raw);
  if (title === null && name === null) return null;
  const place = getPath(stay, 'location', 'coordinate') ?? getPath(old, 'coordinate');
  const badges = toArray(getPath(raw, 'badges') ?? getPath(old, 'formattedBadges')).flatMap(
    (one) => toLine(getPath(one, 'text')) ?? [],
  );
  const pictures = toArray(getPath(raw, 'contextualPictures') ?? getPath(old, 'contextualPictures'));
  return {
    id,
    url: `${HOME}/rooms/${id}`,
    title,
    name,
    room_type: /^(.{1,60}?) in /.exec(title ?? '')?.[1] ?? toLine(getPath(old, 'roomTypeCategory')),
    ...readRating(raw, reading),
    latitude: toNumber(getPath(place, 'latitude')),
    longitude: toNumber(getPath(place, 'longitude')),
    price: readListedPrice(
      getPath(raw, 'structuredDisplayPrice') ?? getPath(raw, 'pricingQuote', 'structuredStayDisplayPrice'),
      reading,
    ),
    badges,
    images: pictures.flatMap((one) => toMediaUrl(getPath(one, 'picture'), HOME) ?? []),
    is_superhost: badges.some((badge) => /superhost/i.test(badge)) ? true : null,
  };
}

/** Reads the name of a home, and its title, which says what it is and where. */
function readNames(raw: unknown): Pick<SearchResult, 'title' | 'name'> {
  const title = toLine(getPath(raw, 'title') ?? getPath(raw, 'listing', 'title'));
  const subtitle = toLine(getPath(raw, 'subtitle'));
  const given =
    toLine(getPath(raw, 'nameLocalized', 'localizedStringWithTranslationPreference')) ??
    toLine(getPath(raw, 'demandStayListing', 'description', 'name', 'localizedStringWithTranslationPreference')) ??
    toLine(getPath(raw, 'listing', 'name'));
  const name = given ?? subtitle;
  // The card of a hotel has the name as its title.
  if (given !== null && given === title) return { title: subtitle ?? title, name: given };
  const isSure =
    given === null || toLine(getPath(raw, 'structuredDisplayPrice', 'primaryLine', '__typename')) === HOTEL_PRICE;
  return isSure && namesPlace(name) && !namesPlace(title) ? { title: name, name: title } : { title, name };
}

/** The type of price lines of hotels. */
const HOTEL_PRICE = 'OrderedDisplayPriceLine';

/** Checks whether a text says what something is and where, such as `Hotel in Lisbon`. */
function namesPlace(words: string | null): boolean {
  return /^\p{L}[\p{L} -]{1,40} (?:in|en|à|a|em) \p{Lu}/u.test(words ?? '');
}

/** Reads `4.92 (123)`, or the accessibility label. New homes have neither. */
function readRating(raw: unknown, { locale }: PriceReading): Pick<SearchResult, 'rating' | 'review_count'> {
  const shown = toLine(getPath(raw, 'avgRatingLocalized') ?? getPath(raw, 'listing', 'avgRatingLocalized')) ?? '';
  const label = toLine(getPath(raw, 'avgRatingA11yLabel') ?? getPath(raw, 'listing', 'avgRatingA11yLabel')) ?? '';
  const [, stars = '', count] = /^([0-5](?:[.,]\d{1,2})?)(?:\s?\((\d[\d.,\s]{0,9})\))?$/.exec(shown) ?? [];
  const reviews = count ?? /(\d[\d.,\s]{0,9}) reviews?/.exec(label)?.[1];
  return {
    rating: parseNumber(stars, locale),
    review_count: reviews === undefined ? null : parseInteger(reviews, locale),
  };
}
