import { z } from 'zod';
import { notFound, partly, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { things } from '#extract/dom/described.ts';
import { readRich } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { findWith, merged } from '#extract/json/search.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { toList } from '#extract/values/json.ts';
import { readNumber } from '#extract/values/numbers.ts';
import { at, boolean, decimal, integer, line, list, mediaUrl, natural, text, url } from '#extract/values/raw.ts';
import {
  checkDays,
  Count,
  createCaptureRule,
  describePage,
  findStateAnswers,
  findListingId,
  isAboutListing,
  listCapturedAnswers,
  type CapturedAnswer,
  parseListingId,
  parseListingPage,
  Price,
  Rating,
  readLocale,
  readListedPrice,
  ListingInput,
  Text,
} from './shared.ts';
import { HOME, airbnb } from './site.ts';

/** A home that is let. */
const Listing = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  description_html: Text,
  description_text: Text,
  room_type: Text,
  property_type: Text,
  person_capacity: Count,
  bedrooms: Count,
  beds: Count,
  bathrooms: z.number().min(0).nullable(),
  overview: z.array(z.string()).readonly(),
  amenities: z
    .array(z.object({ group: Text, title: z.string(), available: z.boolean() }))
    .readonly()
    .nullable(),
  images: z.array(z.string()).readonly(),
  host: z.object({ id: Text, name: Text, is_superhost: z.boolean().nullable(), url: Text }).nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  location_text: Text,
  rating: Rating,
  review_count: Count,
  ratings: z.object({
    cleanliness: Rating,
    accuracy: Rating,
    check_in: Rating,
    communication: Rating,
    location: Rating,
    value: Rating,
  }),
  house_rules: z.array(z.string()).readonly().nullable(),
  price: Price.nullable().describe('For the stay from check_in to check_out; null without these days'),
});

type Listing = z.output<typeof Listing>;

const ListingAnswer = z.object({ listing: Listing });

type ListingSource = EndpointSource<typeof ListingInput, typeof ListingAnswer>;

/** The page in a browser, which loads the price itself. */
const browserSource: ListingSource = {
  name: 'browser',
  needs: 'browser',
  captures: [createCaptureRule('StaysPdpSections')],
  when: (_site, input) => checkDays(input),
  request: buildListingRequest,
  parse: (page, input, site) => readListingPage(page, input, site),
};

/** The page without a browser. */
const pageSource: ListingSource = {
  name: 'page',
  request: buildListingRequest,
  parse: (page, input, site) => readListingPage(page, input, site),
};

export const airbnbListing = airbnb({
  path: '/listing',
  summary: 'A home for rent by id or url, with the price of a stay if its days are given',
  input: ListingInput,
  record: ListingAnswer,
  anyOf: ['id', 'url'],
  aliases: { check_in: ['checkin'], check_out: ['checkout'], locale: ['language'] },
  sources: [browserSource, pageSource],
  expected: ['listing.description_text', 'listing.images', 'listing.amenities', 'listing.host', 'listing.latitude'],
  canary: { id: '20669368' },
});

function buildListingRequest(input: ListingInput, site: Pick<SiteContext, 'locate'>): SiteRequest {
  checkDays(input);
  const { check_in, check_out, adults, children, infants, pets, currency, locale } = input;
  return {
    origin: 'web',
    path: `/rooms/${findListingId(input, site)}`,
    query: { check_in, check_out, adults, children, infants, pets, currency: currency.toUpperCase(), locale },
    language: locale,
  };
}

function readListingPage(source: SourcePage, input: ListingInput, site: SiteContext) {
  const id = findListingId(input, site);
  const { pathname } = new URL(source.url);
  // The address of a removed home redirects to a search for its location.
  if (/^\/(?:s\/.*|)$/.test(pathname)) return notFound('it is no longer let');
  const page = parseListingPage(source);
  const all = [...listCapturedAnswers(source), ...findStateAnswers(page, 'StaysPdpSections')];
  const listing = readListing(all, { id, input, locale: readLocale(page, input.locale) });
  if (listing !== null)
    return checkDays(input) && listing.price === null
      ? partly({ listing }, 'the page does not show the price of the stay')
      : { listing };
  const described = readStructuredData(page, id);
  const kind = describePage(pathname);
  if (described === null) return unusable(`the requested home${kind === 'a home' ? '' : `: the page is ${kind}`}`);
  return partly({ listing: described }, 'the page had only its structured data');
}

function readStructuredData(page: ParsedPage, id: string): Listing | null {
  for (const { members } of things(page, 'VacationRental', 'Product', 'LodgingBusiness')) {
    const named = [at(members, 'identifier'), at(members, 'url'), at(members, '@id')].map(line);
    const title = line(at(members, 'name'));
    if (
      title === null ||
      !named.some((one) => parseListingId(one) === id || /\/rooms\/(\d+)/.exec(one ?? '')?.[1] === id)
    )
      continue;
    const rating = at(members, 'aggregateRating');
    const stars = decimal(at(rating, 'ratingValue'));
    return {
      ...EMPTY_LISTING,
      id,
      url: `${HOME}/rooms/${id}`,
      title,
      description_text: text(at(members, 'description')),
      person_capacity: natural(at(members, 'containsPlace', 'occupancy', 'value')),
      images: toList(at(members, 'image')).flatMap((one) => mediaUrl(one, page.url) ?? []),
      latitude: decimal(at(members, 'latitude') ?? at(members, 'geo', 'latitude')),
      longitude: decimal(at(members, 'longitude') ?? at(members, 'geo', 'longitude')),
      location_text: line(at(members, 'address', 'addressLocality')),
      rating: stars === null || stars <= 0 || stars > 5 ? null : stars,
      review_count: natural(at(rating, 'ratingCount') ?? at(rating, 'reviewCount')),
    };
  }
  return null;
}

const EMPTY_LISTING = {
  description_html: null,
  room_type: null,
  property_type: null,
  bedrooms: null,
  beds: null,
  bathrooms: null,
  overview: [],
  amenities: null,
  host: null,
  ratings: { cleanliness: null, accuracy: null, check_in: null, communication: null, location: null, value: null },
  house_rules: null,
  price: null,
} as const;

/** Finds the content of the first section of one of the kinds. */
type Sections = (...kinds: readonly string[]) => unknown;

/** The id of the requested home, the input, and the language of its page. */
type ListingContext = { readonly id: string; readonly input: ListingInput; readonly locale: string };

/** Reads the home from the answers of its page; null if no answer is about it, or it has no title. */
function readListing(all: readonly CapturedAnswer[], { id, input, locale }: ListingContext): Listing | null {
  const own = all.filter((answer) => isAboutListing(answer, id) || readLoggedId(answer) === id);
  const parts = own.flatMap(({ value }) => listParts(value));
  const of: Sections = (...kinds) => parts.find(({ kind }) => kinds.includes(kind))?.content;
  const logged = own.map(({ value }) => findLoggedData(value)).find((one) => one !== undefined);
  const card = merged(own.flatMap(({ value }) => listCards(value)));
  const title = line(at(of('TITLE_DEFAULT', 'AVAILABILITY_CALENDAR_TITLE'), 'title')) ?? line(card['title']);
  if (title === null) return null;
  const overview = readOverview(of);
  const place = of('LOCATION_PDP', 'LOCATION_DEFAULT');
  return {
    id,
    url: `${HOME}/rooms/${id}`,
    title,
    ...readDescription(of),
    room_type: line(at(logged, 'roomType')),
    property_type: line(card['propertyType']),
    person_capacity: readPositive(at(logged, 'personCapacity') ?? card['personCapacity']),
    ...readRooms(overview.length > 0 ? overview : (line(card['title'])?.split(' · ') ?? []), locale),
    overview,
    amenities: readAmenities(of('AMENITIES_DEFAULT')),
    images: listImages(of),
    host: readHost(of('MEET_YOUR_HOST', 'HOST_PROFILE_DEFAULT')),
    latitude: decimal(at(place, 'lat') ?? at(logged, 'listingLat')),
    longitude: decimal(at(place, 'lng') ?? at(logged, 'listingLng')),
    location_text: line(at(place, 'subtitle')) ?? readArea(place) ?? line(card['location']),
    rating: readStars(
      at(of('REVIEWS_DEFAULT'), 'overallRating') ?? at(logged, 'guestSatisfactionOverall') ?? card['starRating'],
    ),
    review_count: natural(
      at(of('REVIEWS_DEFAULT'), 'overallCount') ?? at(logged, 'visibleReviewCount') ?? card['reviewCount'],
    ),
    ratings: readRatings(logged),
    house_rules: readRules(of('POLICIES_DEFAULT')),
    price: readPrice(of, input, locale),
  };
}

type PagePart = { readonly kind: string; readonly content: unknown };

/** Lists the sections of an answer: first those with their own content, then those within the layout. */
function listParts(value: unknown): readonly PagePart[] {
  const parts = [
    ...findWith(value, 'sectionComponentType', 'section').map((one) => [one['sectionComponentType'], one['section']]),
    ...findWith(value, 'sectionId', 'sectionData').map((one) => [one['sectionId'], one['sectionData']]),
  ];
  return parts.flatMap(([kind, content]) => (isJsonObject(content) ? [{ kind: line(kind) ?? '', content }] : []));
}

/** Lists the data for sharing the home; most objects have a part of it. */
function listCards(value: unknown): readonly JsonObject[] {
  return findWith(value, 'sharingConfig').flatMap(({ sharingConfig: card }) => (isJsonObject(card) ? [card] : []));
}

/** Reads the name of the area from the title of its description. */
function readArea(place: unknown): string | null {
  const details = list(at(place, 'previewLocationDetails') ?? at(place, 'seeAllLocationDetails'));
  return line(
    at(
      details.find((one) => line(at(one, 'id'))?.startsWith('neighborhood') === true),
      'title',
    ),
  );
}

function findLoggedData(value: unknown): unknown {
  return findWith(value, 'eventDataLogging')[0]?.['eventDataLogging'];
}

function readLoggedId({ value }: CapturedAnswer): string | null {
  return line(at(findLoggedData(value), 'listingId'));
}

function readOverview(of: Sections): readonly string[] {
  const section = of('OVERVIEW_DEFAULT_V2', 'OVERVIEW_DEFAULT');
  const items = list(at(section, 'overviewItems') ?? at(section, 'detailItems'));
  return items.flatMap((one) => line(at(one, 'title')) ?? []);
}

/** The words for rooms and beds, in the languages of the site. */
const ROOMS = {
  bedrooms:
    /(?<!\p{L})(?:bedrooms?|schlafzimmer|chambres?|dormitorios?|habitación|habitaciones|camer[ae] da letto|quartos?|slaapkamers?)(?!\p{L})/iu,
  beds: /(?<!\p{L})(?:beds?|bett|betten|lits?|camas?|(?<!da )lett[oi]|bedden)(?!\p{L})/iu,
  bathrooms:
    /(?<!\p{L})(?:baths?|bathrooms?|bad|bäder|badezimmer|salles? de bains?|baños?|bagn[oi]|banheiros?|casas? de banho|badkamers?)(?!\p{L})/iu,
} as const;

/** Reads `2 bedrooms`, `3 beds`, `1.5 baths`. A studio has no bedroom. */
function readRooms(overview: readonly string[], locale: string): Pick<Listing, 'bedrooms' | 'beds' | 'bathrooms'> {
  const read = (name: RegExp): number | null => {
    const found = overview.find((words) => /^\d/.test(words) && name.test(words));
    return found === undefined ? null : readNumber(found, locale);
  };
  const half = overview.some((words) => /\bhalf-bath\b/i.test(words)) ? 0.5 : null;
  return {
    bedrooms: integer(read(ROOMS.bedrooms)),
    beds: integer(read(ROOMS.beds)),
    bathrooms: read(ROOMS.bathrooms) ?? half,
  };
}

function readDescription(of: Sections): Pick<Listing, 'description_html' | 'description_text'> {
  const whole = list(at(of('PDP_DESCRIPTION_MODAL'), 'items')).flatMap((item) => {
    const [title, html] = [text(at(item, 'title')), text(at(item, 'html', 'htmlText'))];
    return html === null ? [] : [title === null ? html : `<h3>${title}</h3>${html}`];
  });
  const html =
    whole.length > 0 ? whole.join('<br>') : text(at(of('DESCRIPTION_DEFAULT'), 'htmlDescription', 'htmlText'));
  const rich = html === null ? null : readRich(html, HOME);
  return { description_html: rich?.html ?? null, description_text: rich?.text ?? null };
}

function readAmenities(section: unknown): Listing['amenities'] {
  const groups = at(section, 'seeAllAmenitiesGroups') ?? at(section, 'previewAmenitiesGroups');
  if (!Array.isArray(groups)) return null;
  return list(groups).flatMap((group) =>
    list(at(group, 'amenities')).flatMap((one) => {
      const title = line(at(one, 'title'));
      return title === null
        ? []
        : [{ group: line(at(group, 'title')), title, available: boolean(at(one, 'available')) !== false }];
    }),
  );
}

function listImages(of: Sections): readonly string[] {
  const tour = of('PHOTO_TOUR_SCROLLABLE_MODAL', 'PHOTO_TOUR_SCROLLABLE', 'HERO_DEFAULT');
  const items = list(at(tour, 'mediaItems') ?? at(tour, 'previewImages'));
  return [...new Set(items.flatMap((one) => mediaUrl(at(one, 'baseUrl'), HOME) ?? []))];
}

function readHost(section: unknown): Listing['host'] {
  const card = at(section, 'cardData') ?? section;
  const name = line(at(card, 'name')) ?? /^Hosted by (.{1,100})$/.exec(line(at(card, 'title')) ?? '')?.[1] ?? null;
  const given = line(at(card, 'userId'));
  const id =
    given === null ? null : (/^DemandUser:(\d+)$/.exec(Buffer.from(given, 'base64').toString('utf8'))?.[1] ?? given);
  if (name === null && id === null) return null;
  const isNumber = /^\d{1,20}$/.test(id ?? '');
  return {
    id: isNumber ? id : null,
    name,
    is_superhost: boolean(at(card, 'isSuperhost')),
    url: isNumber ? url(`/users/show/${id}`, HOME) : null,
  };
}

function readRatings(logged: unknown): Listing['ratings'] {
  return {
    cleanliness: readStars(at(logged, 'cleanlinessRating')),
    accuracy: readStars(at(logged, 'accuracyRating')),
    check_in: readStars(at(logged, 'checkinRating')),
    communication: readStars(at(logged, 'communicationRating')),
    location: readStars(at(logged, 'locationRating')),
    value: readStars(at(logged, 'valueRating')),
  };
}

function readRules(section: unknown): Listing['house_rules'] {
  const grouped = list(at(section, 'houseRulesSections')).flatMap((one) => list(at(one, 'items')));
  const rules = grouped.length > 0 ? grouped : at(section, 'houseRules');
  return Array.isArray(rules) ? list(rules).flatMap((one) => line(at(one, 'title')) ?? []) : null;
}

/** Reads the price of the requested stay. */
function readPrice(of: Sections, { check_in: from, currency }: ListingInput, locale: string): Listing['price'] {
  const shown = at(of('BOOK_IT_SIDEBAR', 'BOOK_IT_FLOATING_FOOTER', 'BOOK_IT_NAV'), 'structuredDisplayPrice');
  if (from === undefined || shown === undefined) return null;
  const price = readListedPrice(shown, { locale, currency: currency.toUpperCase() });
  return price.total === null && price.nightly === null ? null : price;
}

function readStars(raw: unknown): number | null {
  const value = decimal(raw);
  return value === null || value <= 0 || value > 5 ? null : value;
}

function readPositive(raw: unknown): number | null {
  const value = integer(raw);
  return value === null || value <= 0 ? null : value;
}
