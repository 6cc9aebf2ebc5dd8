import { unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { findWith } from '#extract/json/search.ts';
import { parsePage, type ParsedPage } from '#extract/dom/parsed-page.ts';
import { jsonScripts } from '#extract/dom/scripts.ts';
import { at, integer, line, list, decimal } from '#extract/values/raw.ts';
import { demandStay, inMinor, toRate } from '#sites/framework/hotels/rate.ts';
import type { FoundRate } from '#sites/framework/hotels/rate.ts';
import { propertyIdOf, type Property, propertyOf, queryOf, type RateInput } from './rate-input.ts';

/** The search for a property by its name, whose results carry prices in full precision. */
export const searchPage = {
  name: 'search',
  lacks: 'the number of offers, and often the board: a search shows one offer of each property',
  request: (input: RateInput, site: Sending): SiteRequest => {
    demandStay(input);
    return searchFor(input, propertyOf(input, site));
  },
  parse: (source: SourcePage, input: RateInput, site: SiteView) => {
    const asked = propertyOf(input, site);
    const results = readResults(parsePage(source.body, source.url));
    const found = results.find(
      ({ segment, country }) => segment === asked.segment && (asked.country ?? country) === country,
    );
    if (found === undefined) return unusable('no property of that exact name among the results');
    const rate = toFound(found.raw);
    return rate === null
      ? unusable('no price, and no reason for it')
      : toRate(input, { property_id: propertyIdOf({ ...asked, country: found.country }) }, rate);
  },
};

/** How a property is searched for by the words of its segment. */
export function searchFor(input: RateInput, { segment }: Property): SiteRequest {
  return {
    origin: 'web',
    path: '/searchresults.html',
    query: { ss: segment.replaceAll(/[-_.]/g, ' '), ...queryOf(input) },
  };
}

type Result = { readonly segment: string; readonly country: string | null; readonly raw: unknown };

/** The properties of a page of results, by what names them in their path. */
export function readResults(page: ParsedPage): readonly Result[] {
  return jsonScripts(page, { attribute: 'data-capla-store-data', value: 'apollo' })
    .flatMap((store) => findWith(store, 'basicPropertyData'))
    .flatMap((raw) => {
      const segment = line(at(raw, 'basicPropertyData', 'pageName'));
      const country = line(at(raw, 'basicPropertyData', 'location', 'countryCode'));
      return segment === null ? [] : [{ segment, country, raw }];
    });
}

function toFound(raw: unknown): FoundRate | null {
  const hotel_name = line(at(raw, 'displayName', 'text'));
  if (hotel_name === null) return null;
  if (at(raw, 'soldOutInfo', 'isSoldOut') === true) return { hotel_name, available: false, source: 'search' };
  const display = at(raw, 'priceDisplayInfoIrene', 'displayPrice', 'amountPerStay');
  const block = at(raw, 'blocks', 0);
  const amount = decimal(at(display, 'amountUnformatted')) ?? decimal(at(block, 'finalPrice', 'amount'));
  const currency = line(at(display, 'currency')) ?? line(at(block, 'finalPrice', 'currency'));
  if (amount === null || amount <= 0 || currency === null) return null;
  const excluded = list(at(raw, 'priceDisplayInfoIrene', 'excludedCharges', 'excludeChargesList'))
    .filter((charge) => at(charge, 'chargeInclusion') === 'EXCLUDED')
    .reduce<number>((sum, charge) => sum + (decimal(at(charge, 'amountPerStay', 'amountUnformatted')) ?? 0), 0);
  const before = decimal(at(raw, 'priceDisplayInfoIrene', 'priceBeforeDiscount', 'amountPerStay', 'amountUnformatted'));
  const room_id = line(at(block, 'blockId', 'roomId'));
  const left = /\d+/.exec(line(at(block, 'onlyXLeftMessage', 'translation')) ?? '')?.[0];
  return {
    hotel_name,
    available: true,
    price: inMinor(amount, currency),
    currency,
    price_basis: excluded > 0 ? 'total_excl_taxes' : 'total_incl_taxes',
    taxes_and_fees: inMinor(excluded, currency),
    original_price: before !== null && before > amount ? inMinor(before, currency) : null,
    room_name: roomNameIn(raw, room_id),
    room_id,
    board: /breakfast/i.test(line(at(raw, 'mealPlanIncluded', 'text')) ?? '') ? 'breakfast' : null,
    cancellation: line(at(block, 'freeCancellationUntil')) === null ? null : 'free',
    max_occupancy: integer(at(block, 'blockId', 'occupancy')),
    rooms_left: left === undefined ? null : Number(left),
    source: 'search',
  };
}

/** The name of the room that is offered, where the result describes it. */
function roomNameIn(raw: unknown, id: string | null): string | null {
  const units = list(at(raw, 'matchingUnitConfigurations', 'unitConfigurations'));
  return line(
    at(
      units.find((unit) => id !== null && line(at(unit, 'unitId')) === id),
      'name',
    ),
  );
}
