import { z } from 'zod';
import type { SiteView } from '#features/sites/request.ts';
import { refuseParameter } from '#features/sites/site.ts';

export const RateInput = z.object({
  property_id: z
    .string()
    .min(1)
    .max(2000)
    .describe('The segment of the hotel path, with or without its country, or its address'),
  check_in: z.iso.date(),
  check_out: z.iso.date(),
  adults: z.int().min(1).max(30).default(2),
  children: z.array(z.int().min(0).max(17)).max(10).default([]).describe('The age of each child'),
  rooms: z.int().min(1).max(8).default(1),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
});

export type RateInput = z.output<typeof RateInput>;

/** A property by the segment of its path; its country is null where the caller does not say. */
export type Property = { readonly segment: string; readonly country: string | null };

const DAY_MS = 86_400_000;
const MOST_NIGHTS = 30;
const IN_PATH = /^(?:\/?hotel\/)?(?:([a-z]{2})\/)?([a-z0-9][a-z0-9._-]*?)(?:\.[a-z]{2}(?:-[a-z]{2})?)?(?:\.html)?$/i;

/** The property that is meant. Throws `invalid_request`. */
export function propertyOf({ property_id: given }: Pick<RateInput, 'property_id'>, site: SiteView): Property {
  const place = given.includes('://') ? site.locate(given) : null;
  if (given.includes('://') && place === null) return refuseParameter('property_id', 'is no address of this site');
  const path = place === null ? given.trim() : place.path;
  return propertyIn(path) ?? refuseParameter('property_id', 'is the segment of the hotel path: gb/garden-court');
}

/** The property of a path; null when it names none. */
export function propertyIn(path: string): Property | null {
  const [, country, segment] = IN_PATH.exec(path.replace(/[?#].*$/s, '')) ?? [];
  return segment === undefined ? null : { segment: segment.toLowerCase(), country: country?.toLowerCase() ?? null };
}

/** Nights from one day to the other. Throws `invalid_request` unless there are 1 to 30. */
export function nightsOf({ check_in: from, check_out: to }: Pick<RateInput, 'check_in' | 'check_out'>): number {
  const nights = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (nights < 1 || nights > MOST_NIGHTS)
    return refuseParameter('check_out', `is 1 to ${MOST_NIGHTS} nights after check_in`);
  return nights;
}

/** How the site words a stay. */
export function queryOf({ check_in, check_out, adults, children, rooms, currency }: RateInput) {
  return {
    checkin: check_in,
    checkout: check_out,
    group_adults: adults,
    group_children: children.length,
    age: children,
    no_rooms: rooms,
    selected_currency: currency,
    lang: 'en-us',
  };
}
