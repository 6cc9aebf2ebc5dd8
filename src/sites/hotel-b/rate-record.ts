import { z } from 'zod';
import { minorDigitsOf } from '#extract/values/currencies.ts';
import { nightsOf, type Property, type RateInput } from './rate-input.ts';

const Text = z.string().nullable();
const Amount = z.number().positive().nullable();
const Whole = z.int().min(0).nullable();

export const BOARDS = ['room_only', 'breakfast', 'half_board', 'full_board', 'all_inclusive'] as const;
export const CANCELLATIONS = ['free', 'non_refundable', 'partial'] as const;
export const BASES = ['total_incl_taxes', 'total_excl_taxes', 'unknown'] as const;

export const HotelRate = z.object({
  property_id: z.string(),
  hotel_name: z.string(),
  check_in: z.iso.date(),
  check_out: z.iso.date(),
  nights: z.int(),
  adults: z.int(),
  children_ages: z.array(z.int()).readonly(),
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
});

export type HotelRate = z.input<typeof HotelRate>;

/** The result of one source: the cheapest matching offer, or why there is none. */
export type FoundRate = Partial<HotelRate> & Pick<HotelRate, 'hotel_name' | 'available' | 'source'>;

/** A run's record: what was asked, and what was found. */
export function toHotelRate(input: RateInput, { segment, country }: Property, found: FoundRate): HotelRate {
  const nights = nightsOf(input);
  const { price = null, currency = null } = found;
  return {
    property_id: country === null ? segment : `${country}/${segment}`,
    check_in: input.check_in,
    check_out: input.check_out,
    nights,
    adults: input.adults,
    children_ages: input.children,
    rooms: input.rooms,
    price_basis: 'unknown',
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
}

/** An amount with the digits that its currency has. */
export function inMinor(amount: number, currency: string | null): number {
  const scale = 10 ** (currency === null ? 2 : minorDigitsOf(currency));
  return Math.round(amount * scale) / scale;
}
