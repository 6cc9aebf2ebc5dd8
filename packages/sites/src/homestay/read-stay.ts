import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { readRich } from '#extract/dom/elements.ts';
import { findWith, merged } from '#extract/json/search.ts';
import { readNumber } from '#extract/values/numbers.ts';
import { at, boolean, decimal, integer, line, list, mediaUrl, natural, text, url } from '#extract/values/raw.ts';
import { isAbout } from './page-state.ts';
import type { LoadedAnswer } from './page-state.ts';
import { readStayPrice } from './read-price.ts';
import { STAY_HOME } from './site.ts';
import type { StayInput } from './stay-input.ts';
import type { HomeStay } from './stay-record.ts';

/** The parts of a page by their kind: of several the first that has anything. */
type Sections = (...kinds: readonly string[]) => unknown;

/** Which home is meant, what was asked about it, and the language that its page is written in. */
type StayReading = { readonly id: string; readonly input: StayInput; readonly locale: string };

/** The home with that number from the answers of its page; null where none is about it, or it has no name. */
export function readStay(all: readonly LoadedAnswer[], { id, input, locale }: StayReading): HomeStay | null {
  const own = all.filter((answer) => isAbout(answer, id) || loggedIdOf(answer) === id);
  const parts = own.flatMap(({ value }) => partsIn(value));
  const of: Sections = (...kinds) => parts.find(({ kind }) => kinds.includes(kind))?.content;
  const logged = own.map(({ value }) => loggedIn(value)).find((one) => one !== undefined);
  const card = merged(own.flatMap(({ value }) => cardsIn(value)));
  const title = line(at(of('TITLE_DEFAULT', 'AVAILABILITY_CALENDAR_TITLE'), 'title')) ?? line(card['title']);
  if (title === null) return null;
  const overview = overviewOf(of);
  const place = of('LOCATION_PDP', 'LOCATION_DEFAULT');
  return {
    id,
    url: `${STAY_HOME}/rooms/${id}`,
    title,
    ...descriptionOf(of),
    room_type: line(at(logged, 'roomType')),
    property_type: line(card['propertyType']),
    person_capacity: positive(at(logged, 'personCapacity') ?? card['personCapacity']),
    ...roomsIn(overview.length > 0 ? overview : (line(card['title'])?.split(' · ') ?? []), locale),
    overview,
    amenities: amenitiesOf(of('AMENITIES_DEFAULT')),
    images: imagesOf(of),
    host: hostOf(of('MEET_YOUR_HOST', 'HOST_PROFILE_DEFAULT')),
    latitude: decimal(at(place, 'lat') ?? at(logged, 'listingLat')),
    longitude: decimal(at(place, 'lng') ?? at(logged, 'listingLng')),
    location_text: line(at(place, 'subtitle')) ?? areaIn(place) ?? line(card['location']),
    rating: starsOf(
      at(of('REVIEWS_DEFAULT'), 'overallRating') ?? at(logged, 'guestSatisfactionOverall') ?? card['starRating'],
    ),
    review_count: natural(
      at(of('REVIEWS_DEFAULT'), 'overallCount') ?? at(logged, 'visibleReviewCount') ?? card['reviewCount'],
    ),
    ratings: ratingsOf(logged),
    house_rules: rulesOf(of('POLICIES_DEFAULT')),
    price: priceOf(of, input, locale),
  };
}

type PagePart = { readonly kind: string; readonly content: unknown };

/** The parts of an answer: those with content of their own first, then those that stand where they are laid out. */
function partsIn(value: unknown): readonly PagePart[] {
  const parts = [
    ...findWith(value, 'sectionComponentType', 'section').map((one) => [one['sectionComponentType'], one['section']]),
    ...findWith(value, 'sectionId', 'sectionData').map((one) => [one['sectionId'], one['sectionData']]),
  ];
  return parts.flatMap(([kind, content]) => (isJsonObject(content) ? [{ kind: line(kind) ?? '', content }] : []));
}

/** What an answer says of the home to those who share it; most places say a part of it. */
function cardsIn(value: unknown): readonly JsonObject[] {
  return findWith(value, 'sharingConfig').flatMap(({ sharingConfig: card }) => (isJsonObject(card) ? [card] : []));
}

/** The name of the area, in the words that stand over its description. */
function areaIn(place: unknown): string | null {
  const details = list(at(place, 'previewLocationDetails') ?? at(place, 'seeAllLocationDetails'));
  return line(
    at(
      details.find((one) => line(at(one, 'id'))?.startsWith('neighborhood') === true),
      'title',
    ),
  );
}

function loggedIn(value: unknown): unknown {
  return findWith(value, 'eventDataLogging')[0]?.['eventDataLogging'];
}

function loggedIdOf({ value }: LoadedAnswer): string | null {
  return line(at(loggedIn(value), 'listingId'));
}

function overviewOf(of: Sections): readonly string[] {
  const section = of('OVERVIEW_DEFAULT_V2', 'OVERVIEW_DEFAULT');
  const items = list(at(section, 'overviewItems') ?? at(section, 'detailItems'));
  return items.flatMap((one) => line(at(one, 'title')) ?? []);
}

/** What is counted in a home, in the languages of the site's hosts. */
const ROOMS = {
  bedrooms:
    /(?<!\p{L})(?:bedrooms?|schlafzimmer|chambres?|dormitorios?|habitación|habitaciones|camer[ae] da letto|quartos?|slaapkamers?)(?!\p{L})/iu,
  beds: /(?<!\p{L})(?:beds?|bett|betten|lits?|camas?|(?<!da )lett[oi]|bedden)(?!\p{L})/iu,
  bathrooms:
    /(?<!\p{L})(?:baths?|bathrooms?|bad|bäder|badezimmer|salles? de bains?|baños?|bagn[oi]|banheiros?|casas? de banho|badkamers?)(?!\p{L})/iu,
} as const;

/** `2 bedrooms`, `3 beds`, `1.5 baths`; a studio has no bedroom of its own. */
function roomsIn(overview: readonly string[], locale: string): Pick<HomeStay, 'bedrooms' | 'beds' | 'bathrooms'> {
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

function descriptionOf(of: Sections): Pick<HomeStay, 'description_html' | 'description_text'> {
  const whole = list(at(of('PDP_DESCRIPTION_MODAL'), 'items')).flatMap((item) => {
    const [title, html] = [text(at(item, 'title')), text(at(item, 'html', 'htmlText'))];
    return html === null ? [] : [title === null ? html : `<h3>${title}</h3>${html}`];
  });
  const html =
    whole.length > 0 ? whole.join('<br>') : text(at(of('DESCRIPTION_DEFAULT'), 'htmlDescription', 'htmlText'));
  const rich = html === null ? null : readRich(html, STAY_HOME);
  return { description_html: rich?.html ?? null, description_text: rich?.text ?? null };
}

function amenitiesOf(section: unknown): HomeStay['amenities'] {
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

function imagesOf(of: Sections): readonly string[] {
  const tour = of('PHOTO_TOUR_SCROLLABLE_MODAL', 'PHOTO_TOUR_SCROLLABLE', 'HERO_DEFAULT');
  const items = list(at(tour, 'mediaItems') ?? at(tour, 'previewImages'));
  return [...new Set(items.flatMap((one) => mediaUrl(at(one, 'baseUrl'), STAY_HOME) ?? []))];
}

function hostOf(section: unknown): HomeStay['host'] {
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
    url: isNumber ? url(`/users/show/${id}`, STAY_HOME) : null,
  };
}

function ratingsOf(logged: unknown): HomeStay['ratings'] {
  return {
    cleanliness: starsOf(at(logged, 'cleanlinessRating')),
    accuracy: starsOf(at(logged, 'accuracyRating')),
    check_in: starsOf(at(logged, 'checkinRating')),
    communication: starsOf(at(logged, 'communicationRating')),
    location: starsOf(at(logged, 'locationRating')),
    value: starsOf(at(logged, 'valueRating')),
  };
}

function rulesOf(section: unknown): HomeStay['house_rules'] {
  const grouped = list(at(section, 'houseRulesSections')).flatMap((one) => list(at(one, 'items')));
  const rules = grouped.length > 0 ? grouped : at(section, 'houseRules');
  return Array.isArray(rules) ? list(rules).flatMap((one) => line(at(one, 'title')) ?? []) : null;
}

/** What the stay costs that was asked for. */
function priceOf(of: Sections, { check_in: from, currency }: StayInput, locale: string): HomeStay['price'] {
  const shown = at(of('BOOK_IT_SIDEBAR', 'BOOK_IT_FLOATING_FOOTER', 'BOOK_IT_NAV'), 'structuredDisplayPrice');
  if (from === undefined || shown === undefined) return null;
  const price = readStayPrice(shown, { locale, currency: currency.toUpperCase() });
  return price.total === null && price.nightly === null ? null : price;
}

function starsOf(raw: unknown): number | null {
  const value = decimal(raw);
  return value === null || value <= 0 || value > 5 ? null : value;
}

function positive(raw: unknown): number | null {
  const value = integer(raw);
  return value === null || value <= 0 ? null : value;
}
