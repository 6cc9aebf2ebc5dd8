import { z } from 'zod';
import { minorDigitsOf } from '#extract/values/currencies.ts';
import { type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { agesOf, faultOfStay, nightsOf, type Stay } from './stay.ts';

const Text = z.string().nullable();
const Amount = z.number().positive().nullable();
const Whole = z.int().min(0).nullable();

const BOARDS = ['room_only', 'breakfast', 'half_board', 'full_board', 'all_inclusive'] as const;
const CANCELLATIONS = ['free', 'non_refundable', 'partial'] as const;
/** What the price of an offer includes, the most telling first. */
export const BASES = ['total_incl_taxes', 'total_excl_taxes', 'unknown'] as const;

const RATE_FIELDS = {
  hotel_name: z.string(),
  check_in: z.iso.date(),
  check_out: z.iso.date(),
  nights: z.int(),
  adults: z.int(),
  children_ages: z.array(z.int().nullable()).readonly().describe('Null for a child of unknown age'),
  rooms: z.int(),
  available: z.boolean(),
  price: Amount.describe('Of the whole stay and all rooms; null when nothing is available'),
  price_per_night: Amount,
  currency: Text,
  price_basis: z.enum(BASES),
  taxes_and_fees: z.number().min(0).nullable().describe('What comes on top of the price'),
  original_price: Amount,
  room_name: Text,
  room_id: Text,
  offer_id: Text,
  board: z.enum(BOARDS).nullable(),
  cancellation: z.enum(CANCELLATIONS).nullable(),
  max_occupancy: Whole,
  rooms_left: Whole,
  offers_count: Whole,
  min_stay: Whole,
  source: z.string(),
} as const;

/** The cheapest rate of a property that is known by its id. */
export const RateOfId = z.object({ property_id: z.string(), ...RATE_FIELDS });
/** The cheapest rate of a property that is known by its address. */
export const RateOfUrl = z.object({ url: z.string(), ...RATE_FIELDS });

/** The cheapest rate of a property for one stay. */
export const HotelRate = z.object(RATE_FIELDS);

export type HotelRate = z.output<typeof HotelRate>;

/** The result of one source: the cheapest matching offer, or why there is none. */
export type FoundRate = Partial<HotelRate> & Pick<HotelRate, 'hotel_name' | 'available' | 'source'>;

/** Throws `invalid_request` for a stay that makes no sense. */
export function demandStay(stay: Stay): void {
  const fault = faultOfStay(stay);
  if (fault !== null) refuseParameter(fault.parameter, fault.why);
}

/** The record of a stay by what was found; unusable where the price is in another currency than the asked one. */
export function toRate<P extends object>(
  stay: Stay,
  property: P,
  found: FoundRate,
): { readonly rate: P & HotelRate } | SiteAnswer {
  const nights = nightsOf(stay);
  const { price = null, currency = null } = found;
  if (price !== null && stay.currency !== undefined && currency !== stay.currency)
    return unusable(`prices in ${stay.currency} were asked for, and the site answered ${currency ?? 'no currency'}`);
  const rate = {
    ...property,
    check_in: stay.check_in,
    check_out: stay.check_out,
    nights,
    adults: stay.adults,
    children_ages: agesOf(stay),
    rooms: stay.rooms,
    price_basis: 'unknown' as const,
    taxes_and_fees: null,
    original_price: null,
    room_name: null,
    room_id: null,
    offer_id: null,
    board: null,
    cancellation: null,
    max_occupancy: null,
    rooms_left: null,
    offers_count: null,
    min_stay: null,
    ...found,
    currency,
    price,
    price_per_night: price === null ? null : inMinor(price / nights, currency),
  };
  return { rate };
}

/** An amount with the digits that its currency has. */
export function inMinor(amount: number, currency: string | null): number {
  const scale = 10 ** (currency === null ? 2 : minorDigitsOf(currency));
  return Math.round(amount * scale) / scale;
}

/** The meals that the words of an offer include; null where they name none. */
export function boardIn(wording: string | null): HotelRate['board'] {
  if (wording === null) return null;
  if (/all[ _-]?inclusive/i.test(wording)) return 'all_inclusive';
  if (/full[ _-]?board|breakfast.*lunch.*dinner/i.test(wording)) return 'full_board';
  if (/half[ _-]?board|breakfast.*dinner/i.test(wording)) return 'half_board';
  return /breakfast/i.test(wording) ? 'breakfast' : /room[ _-]?only|no[ _]meal/i.test(wording) ? 'room_only' : null;
}
