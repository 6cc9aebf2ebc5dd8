import { z } from 'zod';
import { agesOf, STAY_FIELDS } from '#sites/framework/hotels/stay.ts';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';

export const RateInput = z.object({
  property_id: z
    .string()
    .min(1)
    .max(2000)
    .describe('The segment of the hotel path, with or without its country, or its address'),
  ...STAY_FIELDS,
});

export type RateInput = z.output<typeof RateInput>;

/** A property by the segment of its path; its country is null where the caller does not say. */
export type Property = { readonly segment: string; readonly country: string | null };

const IN_PATH = /^(?:\/?hotel\/)?(?:([a-z]{2})\/)?([a-z0-9][a-z0-9._-]*?)(?:\.[a-z]{2}(?:-[a-z]{2})?)?(?:\.html)?$/i;

/** The property that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function propertyOf({ property_id: given }: Pick<RateInput, 'property_id'>, site: SiteView): Property {
  const place = given.includes('://') ? site.locate(given) : null;
  if (given.includes('://') && place === null) return refuseReference('property_id', 'is no address of this site');
  const path = place === null ? given.trim() : place.path;
  return propertyIn(path) ?? refuseReference('property_id', 'is no segment of a hotel path, such as gb/garden-court');
}

/** The property of a path; null when it names none. */
export function propertyIn(path: string): Property | null {
  const [, country, segment] = IN_PATH.exec(path.replace(/[?#].*$/s, '')) ?? [];
  return segment === undefined ? null : { segment: segment.toLowerCase(), country: country?.toLowerCase() ?? null };
}

/** The id of a property as records have it. */
export function propertyIdOf({ segment, country }: Property): string {
  return country === null ? segment : `${country}/${segment}`;
}

/** How the site words a stay. */
export function queryOf(input: RateInput) {
  const { check_in, check_out, adults, rooms, currency } = input;
  const ages = agesOf(input);
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
