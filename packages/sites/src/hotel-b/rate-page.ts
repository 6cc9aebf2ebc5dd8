import { more, notFound, unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { canonicalOf, openGraph, things } from '#extract/dom/described.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { all, attributeAt, lineAt } from '#extract/dom/elements.ts';
import { parsePage, type ParsedPage } from '#extract/dom/parsed-page.ts';
import { variableOf } from '#extract/dom/scripts.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { first } from '#extract/values/first.ts';
import { toPrice } from '#extract/values/prices.ts';
import { at, integer, line, list, decimal } from '#extract/values/raw.ts';
import { cheapestOffer, isForSome } from '#sites/framework/hotels/cheapest.ts';
import type { RateOffer } from '#sites/framework/hotels/cheapest.ts';
import { boardIn, demandStay, toRate } from '#sites/framework/hotels/rate.ts';
import type { FoundRate, HotelRate } from '#sites/framework/hotels/rate.ts';
import { propertyIdOf, type Property, propertyIn, propertyOf, queryOf, type RateInput } from './rate-input.ts';
import { readResults, searchFor } from './rate-search.ts';

/** The property's own page with its table of rooms; a segment without a country is searched for first. */
export const propertyPage = {
  name: 'page',
  request: (input: RateInput, site: Sending): SiteRequest => {
    demandStay(input);
    const property = propertyOf(input, site);
    return property.country === null ? searchFor(input, property) : pageFor(input, property);
  },
  parse: (source: SourcePage, input: RateInput, site: SiteView) => {
    const asked = propertyOf(input, site);
    const page = parsePage(source.body, source.url);
    if (asked.country === null && source.carry === undefined) {
      const found = readResults(page).find((result) => result.segment === asked.segment);
      if (found === undefined) return unusable(`no property of that exact name among the results`);
      return more(pageFor(input, { ...asked, country: found.country }), found.country);
    }
    const property = { ...asked, country: asked.country ?? line(source.carry) };
    const { pathname } = new URL(source.url);
    if (pathname.startsWith('/searchresults'))
      return notFound('the site leads to a search: no such property, or closed');
    const shown = propertyIn(new URL(canonicalOf(page) ?? source.url, source.url).pathname);
    if (shown?.segment !== property.segment) return unusable(`another property: ${shown?.segment ?? 'none'}`);
    const name = nameOf(page);
    if (name === null) return unusable('no name of the property');
    const embedded = embeddedOffers(page);
    const rate = cheapestOf(page, embedded, { input, name }) ?? soldOut(page, name);
    if (rate === null) return unusable('no offers, and no reason for it');
    return toRate(input, { property_id: propertyIdOf(property) }, rate);
  },
};

function pageFor(input: RateInput, { country, segment }: Property): SiteRequest {
  return { origin: 'web', path: `/hotel/${country ?? ''}/${segment}.html`, query: queryOf(input) };
}

function nameOf(page: ParsedPage): string | null {
  return first(
    () => line(variableOf(page, 'hotelName')),
    () => line(things(page, 'Hotel', 'LodgingBusiness', 'Apartment')[0]?.members['name']),
    () => lineAt(page, '.pp-header__title'),
    () =>
      openGraph(page, 'og:title')
        ?.replace(/^★+\s*/, '')
        .split(',')[0],
  );
}

/** The offers in the page's data; prices are those of one room. */
function embeddedOffers(page: ParsedPage): readonly RateOffer[] {
  return list(variableOf(page, 'b_rooms_available_and_soldout')).flatMap((room) =>
    list(at(room, 'b_blocks')).map((block) => toOffer(room, block)),
  );
}

/** The cheapest block, from the page's data or else from the table that visitors see. */
function cheapestOf(
  page: ParsedPage,
  embedded: readonly RateOffer[],
  { input, name }: { readonly input: RateInput; readonly name: string },
): FoundRate | null {
  const currency = first(
    () => line(variableOf(page, 'b_selected_currency')),
    () => line(variableOf(page, 'selectedCurrency')),
  );
  const cheapest = cheapestOffer(embedded.length > 0 ? embedded : offersInTable(page, currency), input, currency);
  return cheapest === null ? null : { ...cheapest, hotel_name: name, source: 'page' };
}

function toOffer(room: unknown, block: unknown): RateOffer {
  return {
    price: decimal(at(block, 'b_raw_price')),
    basis: 'unknown',
    isRestricted: isForSome(wordsOf(block)),
    room_name: line(at(room, 'b_name')),
    room_id: line(at(room, 'b_id')),
    offer_id: line(at(block, 'b_block_id')),
    board: boardIn(line(at(block, 'b_mealplan_included_name'))),
    cancellation: cancellationOf(line(at(block, 'b_cancellation_type'))),
    max_occupancy: integer(at(block, 'b_max_persons')),
    rooms_left: integer(at(room, 'b_rooms_left')),
  };
}

/** Every text of a block; none of its members says alone for whom a price is. */
function wordsOf(block: unknown): string {
  const values = isJsonObject(block) ? Object.values(block) : [];
  return values.filter((value) => typeof value === 'string').join('\n');
}

/** The same from the table that visitors see; a row that does not say for how many is none. */
function offersInTable(page: ParsedPage, currency: string | null): readonly RateOffer[] {
  const locale = attributeAt(page, 'html', 'lang') ?? 'en-US';
  return all(page, '#hprt-table tr[data-block-id]').map((row) => {
    const wording = lineAt(page, '.bui-price-display__value', row) ?? lineAt(page, '.prco-valign-middle-helper', row);
    const people = /\d{1,2}/.exec(lineAt(page, '.hprt-occupancy-occupancy-info', row) ?? '')?.[0];
    const terms = lineAt(page, '.hprt-table-cell-conditions', row);
    return {
      basis: 'unknown' as const,
      isRestricted: isForSome(terms),
      price: toPrice(wording, { locale, currency }).price,
      room_name: lineAt(page, '.hprt-roomtype-icon-link', row),
      room_id: null,
      offer_id: line(attributeOf(page.tree, row, 'data-block-id')),
      board: boardIn(terms),
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

function cancellationOf(kind: string | null): HotelRate['cancellation'] {
  if (kind === 'free_cancellation') return 'free';
  return kind === 'non_refundable' ? 'non_refundable' : kind === 'special_condition' ? 'partial' : null;
}

const SHORT = /minimum (?:length of )?stay (?:is|of) (\d{1,3})/i;
const FULL =
  /isn(?:'|’)t taking reservations on our site right now|no rooms available at this property|no availability (?:here )?(?:between|for)|sold out on your dates/i;

/** A reason that the page gives for having no offer; null when it gives none. */
function soldOut(page: ParsedPage, name: string): FoundRate | null {
  const wording = lineAt(page, 'body') ?? '';
  const nights = SHORT.exec(wording)?.[1];
  if (nights === undefined && !FULL.test(wording)) return null;
  return {
    hotel_name: name,
    available: false,
    min_stay: nights === undefined ? null : Number(nights),
    offers_count: 0,
    source: 'page',
  };
}
