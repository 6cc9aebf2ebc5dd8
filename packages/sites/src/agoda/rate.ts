import { decodeHTML } from 'entities';
import { z } from 'zod';
import { requestMore, notFound, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import {
  findCheapestOffer,
  isRestrictedOffer,
  type RateOffer,
  parseBoardText,
  assertStay,
  RateByUrl,
  buildRate,
} from '#sites/framework/hotels/rate.ts';
import { listChildAges, countNights, STAY_FIELDS } from '#sites/framework/hotels/stay.ts';
import type { RequestContext, SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { findCanonicalUrl } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toBoolean, toNumber, toInteger, toLine, toArray, toNatural } from '#extract/values/raw.ts';
import { agoda } from './site.ts';

const RateInput = z.object({
  url: z.url().max(2000).describe('Address of the property'),
  ...STAY_FIELDS,
});

type RateInput = z.output<typeof RateInput>;

const RateAnswer = z.object({ rate: RateByUrl });

/** The rooms that the page loads in a browser. The site has several interfaces, and a visitor gets one of them. */
const browserSource: EndpointSource<typeof RateInput, typeof RateAnswer> = {
  name: 'loaded',
  needs: 'browser',
  captures: [{ name: 'rooms', path: /\/property\b|\/graphql\b/, contentType: /json/i }],
  request: buildPageRequest,
  parse(source, input, site) {
    const wrong = refuseOtherPage(source, input, site);
    if (wrong !== null) return wrong;
    const answers = source.captures.map(({ text }) => parseJsonValue(text));
    const grids = answers.filter((answer) => findObjectsWith(answer, 'masterRooms').length > 0);
    // One interface returns only the rooms, without the name of the hotel.
    const rooms = grids.find((answer) => toLine(getPath(answer, 'hotelInfo', 'name')) !== null) ?? grids[0];
    return rooms === undefined ? unusable('the page loaded no rooms') : readRooms(rooms, input, { id: null });
  },
};

/** The page of a property, which contains the address of its rooms, and then the rooms. */
const roomsSource = {
  name: 'page',
  request: (input: RateInput, site: RequestContext): SiteRequest => buildPageRequest(input, site),
  parse: (source: SourcePage, input: RateInput, site: SiteContext) => {
    if (source.carry !== undefined) return readRooms(parseJsonValue(source.body), input, { id: toLine(source.carry) });
    const wrong = refuseOtherPage(source, input, site);
    if (wrong !== null) return wrong;
    const address = decodeHTML(ROOMS_ADDRESS.exec(source.body)?.[0] ?? '');
    const [, inData, inAddress] = HOTEL_ID.exec(address) ?? HOTEL_ID.exec(source.body) ?? [];
    const id = inAddress ?? inData;
    return id === undefined
      ? unusable('no id of the property in its page')
      : requestMore({ ...buildRoomsRequest(input, address, id), headers: buildHeaders(input, source.url) }, id);
  },
};

/** The record that hotel monitors watch. */
export const agodaRate = agoda({
  path: '/rate',
  summary: 'The cheapest rate of a property for one stay',
  internal: true,
  input: RateInput,
  record: RateAnswer,
  expected: ['rate.price', 'rate.currency', 'rate.room_name'],
  canary: {
    url: 'https://www.agoda.com/the-langham-london-hotel/hotel/london-gb.html',
    check_in: '2027-03-01',
    check_out: '2027-03-03',
  },
  sources: [roomsSource, browserSource],
});

/** A property by the two segments of its path, such as `harrow-mill-inn` and `harrow-gb`. */
type Property = { readonly slug: string; readonly place: string };

const PROPERTY_PATH = /^\/(?:[a-z]{2}-[a-z]{2}\/)?([\w.~%-]+)\/hotel\/([\w.~%-]+)\.html$/i;

/** Reads the wanted property. Throws `not_found`, and `invalid_request` for an address of another kind. */
function readProperty({ url }: Pick<RateInput, 'url'>, site: SiteContext): Property {
  const place = site.locate(url);
  return (place === null ? null : parseProperty(place.path)) ?? refuseReference('url', 'is not the page of a property');
}

/** Parses the path of a property, in any language. Null for any other path. */
function parseProperty(path: string): Property | null {
  const [, slug, place] = PROPERTY_PATH.exec(path.replace(/[?#].*$/s, '')) ?? [];
  return slug === undefined || place === undefined ? null : { slug: slug.toLowerCase(), place: place.toLowerCase() };
}

/** Builds the path of a property, without a language. */
function buildPropertyPath({ slug, place }: Property): string {
  return `/${slug}/hotel/${place}.html`;
}

/** Converts a stay to the query of the page. */
function buildPageQuery(input: RateInput) {
  const { check_in, adults, rooms, currency } = input;
  const ages = listChildAges(input);
  return {
    checkIn: check_in,
    los: countNights(input),
    adults,
    children: ages.length,
    childages: ages.every((age) => age === null) ? undefined : ages.join(','),
    rooms,
    currencyCode: currency,
  };
}

const ROOMS_PATH = '/api/cronos/property/BelowFoldParams/GetSecondaryData';

/** The address of the rooms in the page. It has a stay of its own. */
const ROOMS_ADDRESS = /\/api\/cronos\/property\/BelowFoldParams\/GetSecondaryData\?[^"'\s\\<>]{0,4000}/;

const HOTEL_ID = /"hotelId"\s*:\s*"?(\d{1,12})\b|\bhotel_id=(\d{1,12})\b/;

/** Builds the request for the page of a property. Throws `invalid_request`. */
function buildPageRequest(input: RateInput, site: SiteContext): SiteRequest {
  assertStay(input);
  return { origin: 'web', path: buildPropertyPath(readProperty(input, site)), query: buildPageQuery(input) };
}

/** Returns the answer for a page of another property. Null if it is the wanted one. */
function refuseOtherPage(source: SourcePage, input: RateInput, site: SiteContext) {
  if (parseProperty(new URL(source.url).pathname) === null)
    return notFound('the site redirects to another page: no such property');
  const wanted = readProperty(input, site);
  const canonical = findCanonicalUrl(parsePage(source.body, source.url));
  const shown = parseProperty(new URL(canonical ?? source.url, source.url).pathname);
  if (shown?.slug === wanted.slug && shown.place === wanted.place) return null;
  return unusable(`another property: ${shown?.slug ?? 'none'}`);
}

/** Builds the headers of the request. The interface takes the currency from a header, and ignores the parameter. */
function buildHeaders({ currency }: RateInput, referer: string): Readonly<Record<string, string>> {
  return { referer, ...(currency === undefined ? {} : { 'cr-currency-code': currency }) };
}

/** Builds the request for the rooms of a stay, from the address in the page if there is one. */
function buildRoomsRequest(input: RateInput, address: string, id: string): SiteRequest {
  const { checkIn, los, adults, children, childages, rooms, currencyCode } = buildPageQuery(input);
  const own = new URLSearchParams(address.split('?')[1] ?? `all=false&isHostPropertiesEnabled=false&price_view=1`);
  const stay = { hotel_id: id, checkIn, los, rooms, adults, children, childAges: childages, currencyCode };
  for (const [name, value] of Object.entries(stay)) {
    for (const known of [...own.keys()].filter((one) => one.toLowerCase() === name.toLowerCase())) own.delete(known);
    if (value !== undefined) own.append(name, String(value));
  }
  return { origin: 'web', path: ROOMS_PATH, query: Object.fromEntries(own) };
}

/** Reads the cheapest rate of the rooms. An empty list of rooms means sold out. */
function readRooms(raw: unknown, input: RateInput, property: { readonly id: string | null }) {
  const [grid] = findObjectsWith(raw, 'masterRooms');
  const name = toLine(getPath(raw, 'hotelInfo', 'name'));
  const masters = toArray(grid?.['masterRooms']);
  if (name === null && masters.length === 0 && isAnswered(raw) === true)
    return notFound('the site has no such property');
  if (grid === undefined) return unusable('no rooms in the data of the property');
  if (name === null) return unusable('no name of the property');
  const wrong = findOtherStay(raw, input, property.id);
  if (wrong !== null) return unusable(wrong);
  const identity = { url: input.url };
  if (masters.length === 0) {
    if (isAnswered(raw) === false) return unusable('no rooms yet: the data is not complete');
    const none = { hotel_name: name, available: false, offers_count: 0, source: 'rooms' };
    return buildRate(input, identity, none);
  }
  const rooms = masters.flatMap((master) => toArray(getPath(master, 'rooms')).map((room) => ({ master, room })));
  const currency = findFirstValue(
    () => toLine(getPath(rooms[0]?.room, 'currency')),
    () => toLine(getPath(raw, 'currencyInfo', 'code')),
    () => toLine(findObjectsWith(raw, 'currencyCode')[0]?.['currencyCode']),
  );
  const isOther = (room: unknown): boolean => (toLine(getPath(room, 'currency')) ?? currency) !== currency;
  const offers = rooms
    .filter(({ master, room }) => !isPackage(master, room) && !isOther(room))
    .map(({ master, room }) => parseOffer(master, room, input));
  const cheapest = findCheapestOffer(offers, input, currency);
  if (cheapest === null) return unusable('no room with a price for so many people');
  return buildRate(input, identity, { ...cheapest, hotel_name: name, source: 'rooms' });
}

/** Whether the site reports that its data is complete. Null if it reports neither. */
function isAnswered(raw: unknown): boolean | null {
  return getPath(raw, 'error') ? false : toBoolean(getPath(raw, 'roomGridData', 'isDataReady'));
}

/** Describes the property or stay of the data, if it is not the wanted one. Null if it is. */
function findOtherStay(raw: unknown, input: RateInput, id: string | null): string | null {
  const other =
    toLine(getPath(raw, 'hotelInfo', 'id')) ??
    toLine(getPath(raw, 'hotelInfo', 'hotelId')) ??
    toLine(getPath(raw, 'hotelId'));
  if (other !== null && id !== null && other !== id) return `another property: ${other}`;
  const criteria = getPath(raw, 'hotelSearchCriteria');
  if (criteria === undefined) return null;
  const from = toLine(getPath(criteria, 'checkInDate'))?.slice(0, 10) ?? 'no day';
  const nights = toInteger(getPath(criteria, 'los'));
  if (from === input.check_in && nights === countNights(input)) return null;
  return `another stay: from ${from} for ${nights ?? 'no'} nights`;
}

/** Whether a price is that of several rooms, or of a room in a package. */
function isPackage(master: unknown, room: unknown): boolean {
  if (getPath(master, 'isMultiRoomSuggestion') === true || getPath(master, 'isMultiRoomBundle') === true) return true;
  const isBundle = [getPath(room, 'stayPackageType'), getPath(room, 'bundleType')].some(Boolean);
  return isBundle || (toInteger(getPath(room, 'numberOfFixRoom')) ?? 1) > 1;
}

function parseOffer(master: unknown, room: unknown, input: RateInput): RateOffer {
  const words = collectText(room);
  const { perNight, basis } = parsePrice(room);
  return {
    price: perNight === null ? null : perNight * countNights(input),
    basis,
    isRestricted: isRestrictedOffer(words),
    room_name: toLine(getPath(master, 'name')) ?? toLine(getPath(room, 'name')),
    room_id: toLine(getPath(master, 'id')),
    offer_id: toLine(getPath(room, 'id')) ?? toLine(getPath(room, 'uid')),
    board: parseBoard(room, words),
    cancellation: parseCancellation(room, words),
    max_occupancy:
      toInteger(getPath(room, 'occupancy')) ??
      toInteger(getPath(room, 'maxOccupancy')) ??
      toInteger(getPath(master, 'maxOccupancy')),
    rooms_left:
      toNatural(getPath(room, 'availability')) ??
      toNatural(getPath(room, 'remainingRooms')) ??
      toNatural(getPath(master, 'firstRoomAvailability')),
  };
}

/** Parses the price of one room for one night. */
function parsePrice(room: unknown): { readonly perNight: number | null; readonly basis: RateOffer['basis'] } {
  const inclusive = toNumber(getPath(room, 'inclusivePricePerNightWithoutExtraBed', 'display'));
  if (inclusive !== null && inclusive > 0) return { perNight: inclusive, basis: 'total_incl_taxes' };
  const exclusive = toNumber(getPath(room, 'exclusivePrice', 'display'));
  if (exclusive !== null && exclusive > 0) return { perNight: exclusive, basis: 'total_excl_taxes' };
  return { perNight: toNumber(getPath(room, 'pricing', 'displayPrice')), basis: 'unknown' };
}

/** Parses the board. The site's flag for breakfast comes first, because texts also mention breakfast at extra cost. */
function parseBoard(room: unknown, words: string): RateOffer['board'] {
  const board = parseBoardText(words);
  const hasBreakfast = toBoolean(getPath(room, 'isBreakfastIncluded'));
  if (hasBreakfast === null) return board;
  if (!hasBreakfast) return 'room_only';
  return board === null || board === 'room_only' ? 'breakfast' : board;
}

function parseCancellation(room: unknown, words: string): RateOffer['cancellation'] {
  if (getPath(room, 'isFreeCancellation') === true) return 'free';
  const own = [getPath(room, 'cancellation', 'symbol'), getPath(room, 'cancellation', 'title')].flatMap(
    (one) => toLine(one) ?? [],
  );
  const terms = own.length > 0 ? own.join('\n') : words;
  if (/non[- ]?refund/i.test(terms)) return 'non_refundable';
  return /free[- ]cancell?ation/i.test(terms) && getPath(room, 'isFreeCancellation') === undefined ? 'free' : null;
}

const MAX_DEPTH = 4;

/** Collects the texts of an offer, which describe what is included and for whom. */
function collectText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth >= MAX_DEPTH) return '';
  const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return inner
    .map((one) => collectText(one, depth + 1))
    .filter((words) => words !== '')
    .join('\n');
}
