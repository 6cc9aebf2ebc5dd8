import { z } from 'zod';
import { notFound, markPartial, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { listEntities, parseRichText } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { findObjectsWith, mergeFragments } from '#extract/json/find-objects.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { toList } from '#extract/values/json.ts';
import { parseNumber } from '#extract/values/numbers.ts';
import {
  getPath,
  toBoolean,
  toNumber,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toNatural,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
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
  if (/^\/(?:s\/.*|)$/.test(pathname)) return notFound('it is no longer for rent');
  const page = parseListingPage(source);
  const all = [...listCapturedAnswers(source), ...findStateAnswers(page, 'StaysPdpSections')];
  const listing = readListing(all, { id, input, locale: readLocale(page, input.locale) });
  if (listing !== null)
    return checkDays(input) && listing.price === null
      ? markPartial({ listing }, 'the page does not show the price of the stay')
      : { listing };
  const described = readStructuredData(page, id);
  const kind = describePage(pathname);
  if (described === null)
    return unusable(`the requested home is missing${kind === 'a home' ? '' : `: the page is ${kind}`}`);
  return markPartial({ listing: described }, 'the page had only its structured data');
}

function readStructuredData(page: ParsedPage, id: string): Listing | null {
  for (const { members } of listEntities(page, 'VacationRental', 'Product', 'LodgingBusiness')) {
    const named = [getPath(members, 'identifier'), getPath(members, 'url'), getPath(members, '@id')].map(toLine);
    const title = toLine(getPath(members, 'name'));
    if (
      title === null ||
      !named.some((one) => parseListingId(one) === id || /\/rooms\/(\d+)/.exec(one ?? '')?.[1] === id)
    )
      continue;
    const rating = getPath(members, 'aggregateRating');
    const stars = toNumber(getPath(rating, 'ratingValue'));
    return {
      ...EMPTY_LISTING,
      id,
      url: `${HOME}/rooms/${id}`,
      title,
      description_text: toText(getPath(members, 'description')),
      person_capacity: toNatural(getPath(members, 'containsPlace', 'occupancy', 'value')),
      images: toList(getPath(members, 'image')).flatMap((one) => toMediaUrl(one, page.url) ?? []),
      latitude: toNumber(getPath(members, 'latitude') ?? getPath(members, 'geo', 'latitude')),
      longitude: toNumber(getPath(members, 'longitude') ?? getPath(members, 'geo', 'longitude')),
      location_text: toLine(getPath(members, 'address', 'addressLocality')),
      rating: stars === null || stars <= 0 || stars > 5 ? null : stars,
      review_count: toNatural(getPath(rating, 'ratingCount') ?? getPath(rating, 'reviewCount')),
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
  const card = mergeFragments(own.flatMap(({ value }) => listCards(value)));
  const title = toLine(getPath(of('TITLE_DEFAULT', 'AVAILABILITY_CALENDAR_TITLE'), 'title')) ?? toLine(card['title']);
  if (title === null) return null;
  const overview = readOverview(of);
  const place = of('LOCATION_PDP', 'LOCATION_DEFAULT');
  return {
    id,
    url: `${HOME}/rooms/${id}`,
    title,
    ...readDescription(of),
    room_type: toLine(getPath(logged, 'roomType')),
    property_type: toLine(card['propertyType']),
    person_capacity: readPositive(getPath(logged, 'personCapacity') ?? card['personCapacity']),
    ...readRooms(overview.length > 0 ? overview : (toLine(card['title'])?.split(' · ') ?? []), locale),
    overview,
    amenities: readAmenities(of('AMENITIES_DEFAULT')),
    images: listImages(of),
    host: readHost(of('MEET_YOUR_HOST', 'HOST_PROFILE_DEFAULT')),
    latitude: toNumber(getPath(place, 'lat') ?? getPath(logged, 'listingLat')),
    longitude: toNumber(getPath(place, 'lng') ?? getPath(logged, 'listingLng')),
    location_text: toLine(getPath(place, 'subtitle')) ?? readArea(place) ?? toLine(card['location']),
    rating: readStars(
      getPath(of('REVIEWS_DEFAULT'), 'overallRating') ??
        getPath(logged, 'guestSatisfactionOverall') ??
        card['starRating'],
    ),
    review_count: toNatural(
      getPath(of('REVIEWS_DEFAULT'), 'overallCount') ?? getPath(logged, 'visibleReviewCount') ?? card['reviewCount'],
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
    ...findObjectsWith(value, 'sectionComponentType', 'section').map((one) => [
      one['sectionComponentType'],
      one['section'],
    ]),
    ...findObjectsWith(value, 'sectionId', 'sectionData').map((one) => [one['sectionId'], one['sectionData']]),
  ];
  return parts.flatMap(([kind, content]) => (isJsonObject(content) ? [{ kind: toLine(kind) ?? '', content }] : []));
}

/** Lists the data for sharing the home; most objects have a part of it. */
function listCards(value: unknown): readonly JsonObject[] {
  return findObjectsWith(value, 'sharingConfig').flatMap(({ sharingConfig: card }) =>
    isJsonObject(card) ? [card] : [],
  );
}

/** Reads the name of the area from the title of its description. */
function readArea(place: unknown): string | null {
  const details = toArray(getPath(place, 'previewLocationDetails') ?? getPath(place, 'seeAllLocationDetails'));
  return toLine(
    getPath(
      details.find((one) => toLine(getPath(one, 'id'))?.startsWith('neighborhood') === true),
      'title',
    ),
  );
}

function findLoggedData(value: unknown): unknown {
  return findObjectsWith(value, 'eventDataLogging')[0]?.['eventDataLogging'];
}

function readLoggedId({ value }: CapturedAnswer): string | null {
  return toLine(getPath(findLoggedData(value), 'listingId'));
}

function readOverview(of: Sections): readonly string[] {
  const section = of('OVERVIEW_DEFAULT_V2', 'OVERVIEW_DEFAULT');
  const items = toArray(getPath(section, 'overviewItems') ?? getPath(section, 'detailItems'));
  return items.flatMap((one) => toLine(getPath(one, 'title')) ?? []);
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
    const capacity = overview.find((words) => /^\d/.test(words) && name.test(words));
    return capacity === undefined ? null : parseNumber(capacity, locale);
  };
  const half = overview.some((words) => /\bhalf-bath\b/i.test(words)) ? 0.5 : null;
  return {
    bedrooms: toInteger(read(ROOMS.bedrooms)),
    beds: toInteger(read(ROOMS.beds)),
    bathrooms: read(ROOMS.bathrooms) ?? half,
  };
}

function readDescription(of: Sections): Pick<Listing, 'description_html' | 'description_text'> {
  const whole = toArray(getPath(of('PDP_DESCRIPTION_MODAL'), 'items')).flatMap((item) => {
    const [title, html] = [toText(getPath(item, 'title')), toText(getPath(item, 'html', 'htmlText'))];
    return html === null ? [] : [title === null ? html : `<h3>${title}</h3>${html}`];
  });
  const html =
    whole.length > 0 ? whole.join('<br>') : toText(getPath(of('DESCRIPTION_DEFAULT'), 'htmlDescription', 'htmlText'));
  const rich = html === null ? null : parseRichText(html, HOME);
  return { description_html: rich?.html ?? null, description_text: rich?.text ?? null };
}

function readAmenities(section: unknown): Listing['amenities'] {
  const groups = getPath(section, 'seeAllAmenitiesGroups') ?? getPath(section, 'previewAmenitiesGroups');
  if (!Array.isArray(groups)) return null;
  return toArray(groups).flatMap((group) =>
    toArray(getPath(group, 'amenities')).flatMap((one) => {
      const title = toLine(getPath(one, 'title'));
      return title === null
        ? []
        : [
            {
              group: toLine(getPath(group, 'title')),
              title,
              available: toBoolean(getPath(one, 'available')) !== false,
            },
          ];
    }),
  );
}

function listImages(of: Sections): readonly string[] {
  const tour = of('PHOTO_TOUR_SCROLLABLE_MODAL', 'PHOTO_TOUR_SCROLLABLE', 'HERO_DEFAULT');
  const items = toArray(getPath(tour, 'mediaItems') ?? getPath(tour, 'previewImages'));
  return [...new Set(items.flatMap((one) => toMediaUrl(getPath(one, 'baseUrl'), HOME) ?? []))];
}

function readHost(section: unknown): Listing['host'] {
  const card = getPath(section, 'cardData') ?? section;
  const name =
    toLine(getPath(card, 'name')) ?? /^Hosted by (.{1,100})$/.exec(toLine(getPath(card, 'title')) ?? '')?.[1] ?? null;
  const userId = toLine(getPath(card, 'userId'));
  const id =
    userId === null ? null : (/^DemandUser:(\d+)$/.exec(Buffer.from(userId, 'base64').toString('utf8'))?.[1] ?? userId);
  if (name === null && id === null) return null;
  const isNumber = /^\d{1,20}$/.test(id ?? '');
  return {
    id: isNumber ? id : null,
    name,
    is_superhost: toBoolean(getPath(card, 'isSuperhost')),
    url: isNumber ? toCleanUrl(`/users/show/${id}`, HOME) : null,
  };
}

function readRatings(logged: unknown): Listing['ratings'] {
  return {
    cleanliness: readStars(getPath(logged, 'cleanlinessRating')),
    accuracy: readStars(getPath(logged, 'accuracyRating')),
    check_in: readStars(getPath(logged, 'checkinRating')),
    communication: readStars(getPath(logged, 'communicationRating')),
    location: readStars(getPath(logged, 'locationRating')),
    value: readStars(getPath(logged, 'valueRating')),
  };
}

function readRules(section: unknown): Listing['house_rules'] {
  const grouped = toArray(getPath(section, 'houseRulesSections')).flatMap((one) => toArray(getPath(one, 'items')));
  const rules = grouped.length > 0 ? grouped : getPath(section, 'houseRules');
  return Array.isArray(rules) ? toArray(rules).flatMap((one) => toLine(getPath(one, 'title')) ?? []) : null;
}

/** Reads the price of the requested stay. */
function readPrice(of: Sections, { check_in: from, currency }: ListingInput, locale: string): Listing['price'] {
  const shown = getPath(of('BOOK_IT_SIDEBAR', 'BOOK_IT_FLOATING_FOOTER', 'BOOK_IT_NAV'), 'structuredDisplayPrice');
  if (from === undefined || shown === undefined) return null;
  const price = readListedPrice(shown, { locale, currency: currency.toUpperCase() });
  return price.total === null && price.nightly === null ? null : price;
}

function readStars(raw: unknown): number | null {
  const value = toNumber(raw);
  return value === null || value <= 0 || value > 5 ? null : value;
}

function readPositive(raw: unknown): number | null {
  const value = toInteger(raw);
  return value === null || value <= 0 ? null : value;
}
