import { z } from 'zod';
import { pathParts } from '#extract/urls/path-parts.ts';
import type { SiteRequest, SiteView } from '#sites/framework/request.ts';
import { refuseParameter, refuseReference } from '#sites/framework/site.ts';
import { describeStayPage } from './page-kinds.ts';

const Guests = (least: number) => z.int().min(least).max(50).optional();
const Degrees = (most: number) => z.number().min(-most).max(most).optional();
const Locale = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, 'must be a language such as en or pt-BR')
  .default('en-US');

const Trip = {
  check_in: z.iso.date().optional().describe('With check_out'),
  check_out: z.iso.date().optional().describe('With check_in'),
  adults: Guests(1).describe('How many adults stay'),
  children: Guests(0).describe('How many children stay'),
  infants: Guests(0).describe('How many infants stay'),
  pets: Guests(0).describe('How many pets stay'),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'must be a code of three letters')
    .default('USD')
    .describe('ISO 4217'),
  locale: Locale.describe('Language of texts, BCP 47'),
};

export const StaySearchInput = z.object({
  location: z.string().trim().min(2).max(200).describe('A place, as Lisbon or Harrow, United Kingdom'),
  ...Trip,
  price_min: z.int().min(0).optional().describe('The lowest price of a night'),
  price_max: z.int().min(0).optional().describe('The highest price of a night'),
  place_id: z.string().min(1).max(200).optional().describe('The site’s own name of the place'),
  ne_lat: Degrees(90).describe('A corner of the map; with the other three'),
  ne_lng: Degrees(180).describe('Its longitude'),
  sw_lat: Degrees(90).describe('The corner across'),
  sw_lng: Degrees(180).describe('Its longitude'),
});

export const StayInput = z.object({
  id: z.string().min(1).max(2000).optional().describe('The number of the home, or its address; wins over url'),
  url: z.url().max(2000).optional().describe('The page of the home'),
  ...Trip,
});

export const StayReviewsInput = z.object({ id: StayInput.shape.id, url: StayInput.shape.url, locale: Trip.locale });

export type StaySearchInput = z.output<typeof StaySearchInput>;
export type StayInput = z.output<typeof StayInput>;
export type StayReviewsInput = z.output<typeof StayReviewsInput>;

/** The number of the home that is meant. Throws `invalid_request`. */
export function stayIdOf({ id, url }: Pick<StayInput, 'id' | 'url'>, site: Pick<SiteView, 'locate'>): string {
  const given = (id ?? url ?? '').trim();
  if (/^\d{1,20}$/.test(given)) return given;
  const place = site.locate(given);
  const parts = pathParts(place?.path);
  const number = parts[0] === 'rooms' ? (/^\d{1,20}$/.test(parts[1] ?? '') ? parts[1] : parts[2]) : undefined;
  if (number !== undefined && /^\d{1,20}$/.test(number)) return number;
  const why =
    place === null ? 'names no home of this site' : `is ${describeStayPage(place.path)} of this site, and no home`;
  return refuseReference(id === undefined ? 'url' : 'id', why);
}

type Stretch = Pick<StayInput, 'check_in' | 'check_out'>;

/** Whether days are given: both, or none. Throws `invalid_request`. */
export function hasDays({ check_in: from, check_out: until }: Stretch): boolean {
  if (from === undefined && until === undefined) return false;
  if (from === undefined || until === undefined)
    return refuseParameter(from === undefined ? 'check_in' : 'check_out', 'is needed with the other day');
  return from < until || refuseParameter('check_out', 'must be after check_in');
}

export function requestStay(input: StayInput, site: Pick<SiteView, 'locate'>): SiteRequest {
  hasDays(input);
  const { check_in, check_out, adults, children, infants, pets, currency, locale } = input;
  return {
    origin: 'web',
    path: `/rooms/${stayIdOf(input, site)}`,
    query: { check_in, check_out, adults, children, infants, pets, currency: currency.toUpperCase(), locale },
    language: locale,
  };
}

/** The request of a page of results; a cursor is the site's own. Throws `invalid_request`. */
export function requestStays(input: StaySearchInput, cursor: string | null): SiteRequest {
  hasDays(input);
  const corners = [input.ne_lat, input.ne_lng, input.sw_lat, input.sw_lng];
  const given = corners.filter((corner) => corner !== undefined).length;
  if (given > 0 && given < 4) refuseParameter('ne_lat', 'is needed with ne_lng, sw_lat and sw_lng');
  if (input.price_min !== undefined && input.price_max !== undefined && input.price_min > input.price_max)
    refuseParameter('price_min', 'is above price_max');
  const slug = input.location.replaceAll(/,\s*/g, '--').replaceAll(/\s+/g, '-');
  return {
    origin: 'web',
    path: `/s/${encodeURIComponent(slug)}/homes`,
    query: {
      query: input.location,
      checkin: input.check_in,
      checkout: input.check_out,
      adults: input.adults,
      children: input.children,
      infants: input.infants,
      pets: input.pets,
      price_min: input.price_min,
      price_max: input.price_max,
      currency: input.currency.toUpperCase(),
      locale: input.locale,
      place_id: input.place_id,
      ne_lat: input.ne_lat,
      ne_lng: input.ne_lng,
      sw_lat: input.sw_lat,
      sw_lng: input.sw_lng,
      search_by_map: given === 4 ? true : null,
      cursor,
    },
    language: input.locale,
  };
}
