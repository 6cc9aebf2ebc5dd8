import { decodeHTML } from 'entities';
import { more, notFound, unusable } from '#sites/framework/answers.ts';
import { demandStay } from '#sites/framework/hotels/rate.ts';
import type { Sending, SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { tryParse } from '#extract/values/json.ts';
import { line } from '#extract/values/raw.ts';
import { pageQuery, propertyPathOf, placeIn, placedProperty } from './rate-input.ts';
import type { HotelAInput } from './rate-input.ts';
import { readRooms } from './rate-rooms.ts';

const ROOMS_PATH = '/api/cronos/property/BelowFoldParams/GetSecondaryData';
/** The rooms' address as it stands in the page, with a stay of its own. */
const ROOMS_ADDRESS = /\/api\/cronos\/property\/BelowFoldParams\/GetSecondaryData\?[^"'\s\\<>]{0,4000}/;
const HOTEL_ID = /"hotelId"\s*:\s*"?(\d{1,12})\b|\bhotel_id=(\d{1,12})\b/;

/** The page of a property, which names the address of its rooms, and the rooms. */
export const roomsPage = {
  name: 'page',
  request: (input: HotelAInput, site: Sending): SiteRequest => pageFor(input, site),
  parse: (source: SourcePage, input: HotelAInput, site: SiteView) => {
    if (source.carry !== undefined) return readRooms(tryParse(source.body), input, { id: line(source.carry) });
    const wrong = otherPage(source, input, site);
    if (wrong !== null) return wrong;
    const address = decodeHTML(ROOMS_ADDRESS.exec(source.body)?.[0] ?? '');
    const [, inData, inAddress] = HOTEL_ID.exec(address) ?? HOTEL_ID.exec(source.body) ?? [];
    const id = inAddress ?? inData;
    return id === undefined
      ? unusable('no id of the property in its page')
      : more({ ...roomsFor(input, address, id), headers: headersFor(input, source.url) }, id);
  },
};

/** The request for the page of a property; throws `invalid_request`. */
export function pageFor(input: HotelAInput, site: SiteView): SiteRequest {
  demandStay(input);
  return { origin: 'web', path: propertyPathOf(placedProperty(input, site)), query: pageQuery(input) };
}

/** Why a page is not that of the property asked for; null where it is. */
export function otherPage(source: SourcePage, input: HotelAInput, site: SiteView) {
  if (placeIn(new URL(source.url).pathname) === null) return notFound('the site leads away: no such property');
  const asked = placedProperty(input, site);
  const canonical = canonicalOf(parsePage(source.body, source.url));
  const shown = placeIn(new URL(canonical ?? source.url, source.url).pathname);
  if (shown?.slug === asked.slug && shown.place === asked.place) return null;
  return unusable(`another property: ${shown?.slug ?? 'none'}`);
}

/** The interface takes the currency from a header; the parameter alone leaves it that of the visitor. */
function headersFor({ currency }: HotelAInput, referer: string): Readonly<Record<string, string>> {
  return { referer, ...(currency === undefined ? {} : { 'cr-currency-code': currency }) };
}

/** The rooms of a stay: by the page's own address of them, or put together. */
function roomsFor(input: HotelAInput, address: string, id: string): SiteRequest {
  const { checkIn, los, adults, children, childages, rooms, currencyCode } = pageQuery(input);
  const own = new URLSearchParams(address.split('?')[1] ?? `all=false&isHostPropertiesEnabled=false&price_view=1`);
  const stay = { hotel_id: id, checkIn, los, rooms, adults, children, childAges: childages, currencyCode };
  for (const [name, value] of Object.entries(stay)) {
    for (const known of [...own.keys()].filter((one) => one.toLowerCase() === name.toLowerCase())) own.delete(known);
    if (value !== undefined) own.append(name, String(value));
  }
  return { origin: 'web', path: ROOMS_PATH, query: Object.fromEntries(own) };
}
