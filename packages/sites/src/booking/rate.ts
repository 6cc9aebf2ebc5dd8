import { z } from 'zod';
import { requestMore, notFound, unusable } from '#sites/framework/answers.ts';
import {
  findCheapestOffer,
  isRestrictedOffer,
  type RateOffer,
  parseBoardText,
  assertStay,
  type RateResult,
  type HotelRate,
  roundToMinorUnits,
  RateById,
  buildRate,
} from '#sites/framework/hotels/rate.ts';
import { listChildAges, STAY_FIELDS } from '#sites/framework/hotels/stay.ts';
import type { RequestContext, SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import {
  findCanonicalUrl,
  findOpenGraph,
  listEntities,
  selectAll,
  readAttributeAt,
  readLineAt,
} from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listJsonScripts, findVariable } from '#extract/dom/scripts.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parsePriceFields } from '#extract/values/money.ts';
import { getPath, toNumber, toInteger, toLine, toArray } from '#extract/values/raw.ts';
import { booking } from './site.ts';

const RateInput = z.object({
  property_id: z
    .string()
    .min(1)
    .max(2000)
    .describe('The segment of the hotel path, with or without its country, or its address'),
  ...STAY_FIELDS,
});

type RateInput = z.output<typeof RateInput>;

/** The page of the property with its table of rooms. A segment without a country is first looked up by a search. */
const pageSource = {
  name: 'page',
  request: (input: RateInput, site: RequestContext): SiteRequest => {
    assertStay(input);
    const property = readProperty(input, site);
    return property.country === null ? buildSearchRequest(input, property) : buildPageRequest(input, property);
  },
  parse: (source: SourcePage, input: RateInput, site: SiteContext) => {
    const wanted = readProperty(input, site);
    const page = parsePage(source.body, source.url);
    if (wanted.country === null && source.carry === undefined) {
      const found = parseResults(page).find((result) => result.segment === wanted.segment);
      if (found === undefined) return unusable(`no property of that exact name among the results`);
      return requestMore(buildPageRequest(input, { ...wanted, country: found.country }), found.country);
    }
    const property = { ...wanted, country: wanted.country ?? toLine(source.carry) };
    const { pathname } = new URL(source.url);
    if (pathname.startsWith('/searchresults'))
      return notFound('the site redirects to a search: no such property, or it is closed');
    const shown = parseProperty(new URL(findCanonicalUrl(page) ?? source.url, source.url).pathname);
    if (shown?.segment !== property.segment) return unusable(`another property: ${shown?.segment ?? 'none'}`);
    const name = findName(page);
    if (name === null) return unusable('no name of the property');
    const embedded = parseEmbeddedOffers(page);
    const rate = findCheapest(page, embedded, { input, name }) ?? readSoldOut(page, name);
    if (rate === null) return unusable('no offers, and no reason for it');
    return buildRate(input, { property_id: formatPropertyId(property) }, rate);
  },
};

/** A search for the property by its name. Its results have exact prices. */
const searchSource = {
  name: 'search',
  lacks: 'the number of offers, and often the board: a search shows only one offer per property',
  request: (input: RateInput, site: RequestContext): SiteRequest => {
    assertStay(input);
    return buildSearchRequest(input, readProperty(input, site));
  },
  parse: (source: SourcePage, input: RateInput, site: SiteContext) => {
    const wanted = readProperty(input, site);
    const results = parseResults(parsePage(source.body, source.url));
    const result = results.find(
      ({ segment, country }) => segment === wanted.segment && (wanted.country ?? country) === country,
    );
    if (result === undefined) return unusable('no property of that exact name among the results');
    const rate = parseResult(result.raw);
    return rate === null
      ? unusable('no price, and no reason for it')
      : buildRate(input, { property_id: formatPropertyId({ ...wanted, country: result.country }) }, rate);
  },
};

/** The record that hotel monitors watch. */
export const bookingRate = booking({
  path: '/rate',
  summary: 'The cheapest rate of a property for one stay',
  internal: true,
  input: RateInput,
  record: z.object({ rate: RateById }),
  expected: ['rate.price', 'rate.currency', 'rate.room_name'],
  canary: { property_id: 'gb/gardencourthotel', check_in: '2027-03-01', check_out: '2027-03-03' },
  sources: [pageSource, searchSource],
});

/** A property by the segment of its path. The country is null if the caller does not specify it. */
type Property = { readonly segment: string; readonly country: string | null };

const PROPERTY_PATH =
  /^(?:\/?hotel\/)?(?:([a-z]{2})\/)?([a-z0-9][a-z0-9._-]*?)(?:\.[a-z]{2}(?:-[a-z]{2})?)?(?:\.html)?$/i;

/** Reads the wanted property. Throws `not_found`, and `invalid_request` for an address of another kind. */
function readProperty({ property_id: reference }: Pick<RateInput, 'property_id'>, site: SiteContext): Property {
  const place = reference.includes('://') ? site.locate(reference) : null;
  if (reference.includes('://') && place === null)
    return refuseReference('property_id', 'is not an address of this site');
  const path = place === null ? reference.trim() : place.path;
  return parseProperty(path) ?? refuseReference('property_id', 'is not the path of a hotel, such as gb/garden-court');
}

/** Parses the path of a property. Null for any other path. */
function parseProperty(path: string): Property | null {
  const [, country, segment] = PROPERTY_PATH.exec(path.replace(/[?#].*$/s, '')) ?? [];
  return segment === undefined ? null : { segment: segment.toLowerCase(), country: country?.toLowerCase() ?? null };
}

/** Formats the id of a property for records. */
function formatPropertyId({ segment, country }: Property): string {
  return country === null ? segment : `${country}/${segment}`;
}

/** Converts a stay to the query of the site. */
function buildQuery(input: RateInput) {
  const { check_in, check_out, adults, rooms, currency } = input;
  const ages = listChildAges(input);
  return {
    checkin: check_in,
    checkout: check_out,
    group_adults: adults,
    group_children: ages.length,
    age: ages,
    no_rooms: rooms,
    selected_currency: currency,
    lang: 'en-us',
  };
}

function buildPageRequest(input: RateInput, { country, segment }: Property): SiteRequest {
  return { origin: 'web', path: `/hotel/${country ?? ''}/${segment}.html`, query: buildQuery(input) };
}

function findName(page: ParsedPage): string | null {
  return findFirstValue(
    () => toLine(findVariable(page, 'hotelName')),
    () => toLine(listEntities(page, 'Hotel', 'LodgingBusiness', 'Apartment')[0]?.members['name']),
    () => readLineAt(page, '.pp-header__title'),
    () =>
      findOpenGraph(page, 'og:title')
        ?.replace(/^★+\s*/, '')
        .split(',')[0],
  );
}

/** Parses the offers in the data of the page. Prices are those of one room. */
function parseEmbeddedOffers(page: ParsedPage): readonly RateOffer[] {
  return toArray(findVariable(page, 'b_rooms_available_and_soldout')).flatMap((room) =>
    toArray(getPath(room, 'b_blocks')).map((block) => parseOffer(room, block)),
  );
}

/** Finds the cheapest offer in the data of the page, else in its table. */
function findCheapest(
  page: ParsedPage,
  embedded: readonly RateOffer[],
  { input, name }: { readonly input: RateInput; readonly name: string },
): RateResult | null {
  const currency = findFirstValue(
    () => toLine(findVariable(page, 'b_selected_currency')),
    () => toLine(findVariable(page, 'selectedCurrency')),
  );
  const cheapest = findCheapestOffer(embedded.length > 0 ? embedded : parseOfferTable(page, currency), input, currency);
  return cheapest === null ? null : { ...cheapest, hotel_name: name, source: 'page' };
}

function parseOffer(room: unknown, block: unknown): RateOffer {
  return {
    price: toNumber(getPath(block, 'b_raw_price')),
    basis: 'unknown',
    isRestricted: isRestrictedOffer(collectText(block)),
    room_name: toLine(getPath(room, 'b_name')),
    room_id: toLine(getPath(room, 'b_id')),
    offer_id: toLine(getPath(block, 'b_block_id')),
    board: parseBoardText(toLine(getPath(block, 'b_mealplan_included_name'))),
    cancellation: parseCancellation(toLine(getPath(block, 'b_cancellation_type'))),
    max_occupancy: toInteger(getPath(block, 'b_max_persons')),
    rooms_left: toInteger(getPath(room, 'b_rooms_left')),
  };
}

/** Collects all texts of a block, because no single member specifies for whom a price is. */
function collectText(block: unknown): string {
  const values = isJsonObject(block) ? Object.values(block) : [];
  return values.filter((value) => typeof value === 'string').join('\n');
}

/** Parses the offers of the table. */
function parseOfferTable(page: ParsedPage, currency: string | null): readonly RateOffer[] {
  const locale = readAttributeAt(page, 'html', 'lang') ?? 'en-US';
  return selectAll(page, '#hprt-table tr[data-block-id]').map((row) => {
    const wording =
      readLineAt(page, '.bui-price-display__value', row) ?? readLineAt(page, '.prco-valign-middle-helper', row);
    const people = /\d{1,2}/.exec(readLineAt(page, '.hprt-occupancy-occupancy-info', row) ?? '')?.[0];
    const terms = readLineAt(page, '.hprt-table-cell-conditions', row);
    return {
      basis: 'unknown' as const,
      isRestricted: isRestrictedOffer(terms),
      price: parsePriceFields(wording, { locale, currency }).price,
      room_name: readLineAt(page, '.hprt-roomtype-icon-link', row),
      room_id: null,
      offer_id: toLine(getAttribute(page.tree, row, 'data-block-id')),
      board: parseBoardText(terms),
      cancellation: /non-refundable/i.test(terms ?? '')
        ? 'non_refundable'
        : /free cancellation/i.test(terms ?? '')
          ? 'free'
          : null,
      max_occupancy: people === undefined ? null : Number(people),
      rooms_left: null,
    };
  });
}

function parseCancellation(kind: string | null): HotelRate['cancellation'] {
  if (kind === 'free_cancellation') return 'free';
  return kind === 'non_refundable' ? 'non_refundable' : kind === 'special_condition' ? 'partial' : null;
}

const MIN_STAY_TEXT = /minimum (?:length of )?stay (?:is|of) (\d{1,3})/i;

const SOLD_OUT_TEXT =
  /isn(?:'|’)t taking reservations on our site right now|no rooms available at this property|no availability (?:here )?(?:between|for)|sold out on your dates/i;

/** Reads the page's reason for having no offers. Null if it has none. */
function readSoldOut(page: ParsedPage, name: string): RateResult | null {
  const wording = readLineAt(page, 'body') ?? '';
  const nights = MIN_STAY_TEXT.exec(wording)?.[1];
  if (nights === undefined && !SOLD_OUT_TEXT.test(wording)) return null;
  return {
    hotel_name: name,
    available: false,
    min_stay: nights === undefined ? null : Number(nights),
    offers_count: 0,
    source: 'page',
  };
}

/** Builds the search for a property by the words of its segment. */
function buildSearchRequest(input: RateInput, { segment }: Property): SiteRequest {
  return {
    origin: 'web',
    path: '/searchresults.html',
    query: { ss: segment.replaceAll(/[-_.]/g, ' '), ...buildQuery(input) },
  };
}

type SearchResult = { readonly segment: string; readonly country: string | null; readonly raw: unknown };

/** Parses the properties of a result page, with their path segments. */
function parseResults(page: ParsedPage): readonly SearchResult[] {
  return listJsonScripts(page, { attribute: 'data-capla-store-data', value: 'apollo' })
    .flatMap((store) => findObjectsWith(store, 'basicPropertyData'))
    .flatMap((raw) => {
      const segment = toLine(getPath(raw, 'basicPropertyData', 'pageName'));
      const country = toLine(getPath(raw, 'basicPropertyData', 'location', 'countryCode'));
      return segment === null ? [] : [{ segment, country, raw }];
    });
}

function parseResult(raw: unknown): RateResult | null {
  const hotel_name = toLine(getPath(raw, 'displayName', 'text'));
  if (hotel_name === null) return null;
  if (getPath(raw, 'soldOutInfo', 'isSoldOut') === true) return { hotel_name, available: false, source: 'search' };
  const display = getPath(raw, 'priceDisplayInfoIrene', 'displayPrice', 'amountPerStay');
  const block = getPath(raw, 'blocks', 0);
  const amount = toNumber(getPath(display, 'amountUnformatted')) ?? toNumber(getPath(block, 'finalPrice', 'amount'));
  const currency = toLine(getPath(display, 'currency')) ?? toLine(getPath(block, 'finalPrice', 'currency'));
  if (amount === null || amount <= 0 || currency === null) return null;
  const excluded = toArray(getPath(raw, 'priceDisplayInfoIrene', 'excludedCharges', 'excludeChargesList'))
    .filter((charge) => getPath(charge, 'chargeInclusion') === 'EXCLUDED')
    .reduce<number>((sum, charge) => sum + (toNumber(getPath(charge, 'amountPerStay', 'amountUnformatted')) ?? 0), 0);
  const before = toNumber(
    getPath(raw, 'priceDisplayInfoIrene', 'priceBeforeDiscount', 'amountPerStay', 'amountUnformatted'),
  );
  const room_id = toLine(getPath(block, 'blockId', 'roomId'));
  const left = /\d+/.exec(toLine(getPath(block, 'onlyXLeftMessage', 'translation')) ?? '')?.[0];
  return {
    hotel_name,
    available: true,
    price: roundToMinorUnits(amount, currency),
    currency,
    price_basis: excluded > 0 ? 'total_excl_taxes' : 'total_incl_taxes',
    taxes_and_fees: roundToMinorUnits(excluded, currency),
    original_price: before !== null && before > amount ? roundToMinorUnits(before, currency) : null,
    room_name: findRoomName(raw, room_id),
    room_id,
    board: /breakfast/i.test(toLine(getPath(raw, 'mealPlanIncluded', 'text')) ?? '') ? 'breakfast' : null,
    cancellation: toLine(getPath(block, 'freeCancellationUntil')) === null ? null : 'free',
    max_occupancy: toInteger(getPath(block, 'blockId', 'occupancy')),
    rooms_left: left === undefined ? null : Number(left),
    source: 'search',
  };
}

/** Finds the name of the offered room, if the result describes it. */
function findRoomName(raw: unknown, id: string | null): string | null {
  const units = toArray(getPath(raw, 'matchingUnitConfigurations', 'unitConfigurations'));
  return toLine(
    getPath(
      units.find((unit) => id !== null && toLine(getPath(unit, 'unitId')) === id),
      'name',
    ),
  );
}
