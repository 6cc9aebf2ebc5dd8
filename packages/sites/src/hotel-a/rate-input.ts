import { z } from 'zod';
import { agesOf, nightsOf, STAY_FIELDS } from '#sites/framework/hotels/stay.ts';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';

export const HotelAInput = z.object({
  url: z.url().max(2000).describe('The page of the property'),
  ...STAY_FIELDS,
});

export type HotelAInput = z.output<typeof HotelAInput>;

/** A property by the words of its path, `harrow-mill-inn` of `harrow-gb`. */
export type PlacedProperty = { readonly slug: string; readonly place: string };

const IN_PATH = /^\/(?:[a-z]{2}-[a-z]{2}\/)?([\w.~%-]+)\/hotel\/([\w.~%-]+)\.html$/i;

/** The property that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function placedProperty({ url }: Pick<HotelAInput, 'url'>, site: SiteView): PlacedProperty {
  const found = site.locate(url);
  return (found === null ? null : placeIn(found.path)) ?? refuseReference('url', 'is not the page of a property');
}

/** The property of a path in any language; null when it names none. */
export function placeIn(path: string): PlacedProperty | null {
  const [, slug, place] = IN_PATH.exec(path.replace(/[?#].*$/s, '')) ?? [];
  return slug === undefined || place === undefined ? null : { slug: slug.toLowerCase(), place: place.toLowerCase() };
}

/** The path of a property's page, without a language. */
export function propertyPathOf({ slug, place }: PlacedProperty): string {
  return `/${slug}/hotel/${place}.html`;
}

/** How the page words a stay. */
export function pageQuery(input: HotelAInput) {
  const { check_in, adults, rooms, currency } = input;
  const ages = agesOf(input);
  return {
    checkIn: check_in,
    los: nightsOf(input),
    adults,
    children: ages.length,
    childages: ages.every((age) => age === null) ? undefined : ages.join(','),
    rooms,
    currencyCode: currency,
  };
}
