import { z } from 'zod';
import { getMinorDigits } from '#extract/values/currencies.ts';
import { type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { listChildAges, checkStay, countNights, countGuestsPerRoom, type Stay } from './stay.ts';

const Text = z.string().nullable();
const Amount = z.number().positive().nullable();
const Whole = z.int().min(0).nullable();

const BOARDS = ['room_only', 'breakfast', 'half_board', 'full_board', 'all_inclusive'] as const;
const CANCELLATIONS = ['free', 'non_refundable', 'partial'] as const;
/** What the price of an offer includes, the most precise first. */
export const PRICE_BASES = ['total_incl_taxes', 'total_excl_taxes', 'unknown'] as const;

const RATE_FIELDS = {
  hotel_name: z.string(),
  check_in: z.iso.date(),
  check_out: z.iso.date(),
  nights: z.int(),
  adults: z.int(),
  children_ages: z.array(z.int().nullable()).readonly().describe('Null for a child of unknown age'),
  rooms: z.int(),
  available: z.boolean(),
  price: Amount.describe('For the whole stay and all rooms; null if nothing is available'),
  price_per_night: Amount,
  currency: Text,
  price_basis: z.enum(PRICE_BASES),
  taxes_and_fees: z.number().min(0).nullable().describe('Charges that are added to the price'),
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

/** The cheapest rate of a property that is identified by its id. */
export const RateById = z.object({ property_id: z.string(), ...RATE_FIELDS });
/** The cheapest rate of a property that is identified by its URL. */
export const RateByUrl = z.object({ url: z.string(), ...RATE_FIELDS });

/** The cheapest rate of a property for one stay. */
export const HotelRate = z.object(RATE_FIELDS);

export type HotelRate = z.output<typeof HotelRate>;

/** The result of one source: the cheapest matching offer, or `available: false`. */
export type RateResult = Partial<HotelRate> & Pick<HotelRate, 'hotel_name' | 'available' | 'source'>;

/** Throws `invalid_request` if the dates, guests and rooms of a stay do not fit together. */
export function assertStay(stay: Stay): void {
  const fault = checkStay(stay);
  if (fault !== null) refuseParameter(fault.parameter, fault.why);
}

/** Builds the record of a stay from the result of a source. Unusable if the price is not in the requested currency. */
export function buildRate<P extends object>(
  stay: Stay,
  property: P,
  found: RateResult,
): { readonly rate: P & HotelRate } | SiteAnswer {
  const nights = countNights(stay);
  const { price = null, currency = null } = found;
  if (price !== null && stay.currency !== undefined && currency !== stay.currency)
    return unusable(`prices in ${stay.currency} were asked for, but the site returned ${currency ?? 'no currency'}`);
  const rate = {
    ...property,
    check_in: stay.check_in,
    check_out: stay.check_out,
    nights,
    adults: stay.adults,
    children_ages: listChildAges(stay),
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
    price_per_night: price === null ? null : roundToMinorUnits(price / nights, currency),
  };
  return { rate };
}

/** Rounds an amount to the minor units of its currency: 2 digits for EUR, none for JPY. */
export function roundToMinorUnits(amount: number, currency: string | null): number {
  const scale = 10 ** (currency === null ? 2 : getMinorDigits(currency));
  return Math.round(amount * scale) / scale;
}

/** Parses the meals that an offer includes from its text; null if the text has none. */
export function parseBoardText(wording: string | null): HotelRate['board'] {
  if (wording === null) return null;
  if (/all[ _-]?inclusive/i.test(wording)) return 'all_inclusive';
  if (/full[ _-]?board|breakfast.*lunch.*dinner/i.test(wording)) return 'full_board';
  if (/half[ _-]?board|breakfast.*dinner/i.test(wording)) return 'half_board';
  return /breakfast/i.test(wording) ? 'breakfast' : /room[ _-]?only|no[ _]meal/i.test(wording) ? 'room_only' : null;
}

/** An offer of a room on the page of a hotel. */
export type RateOffer = Pick<
  HotelRate,
  'room_name' | 'room_id' | 'offer_id' | 'board' | 'cancellation' | 'max_occupancy' | 'rooms_left'
> & {
  /** The price of one room for the whole stay; null if the offer has none. */
  readonly price: number | null;
  readonly basis: HotelRate['price_basis'];
  /** Whether the offer is only for members or users of an app. */
  readonly isRestricted: boolean;
};

const RESTRICTED_TEXT = /\bgenius\b|\bmembers?[ -]only\b|\b(?:app|mobile)[ -]only\b|\bsign in to (?:see|get|save)\b/i;

/** Whether the text of an offer restricts it to members or users of an app. */
export function isRestrictedOffer(words: string | null): boolean {
  return words !== null && RESTRICTED_TEXT.test(words);
}

type CheapestRate = Omit<RateResult, 'hotel_name' | 'source'>;

/**
 * Finds the cheapest unrestricted offer with enough beds per room. Only offers with the same price basis are compared: the
 * most precise basis that any of them has. Null if no offer fits.
 */
export function findCheapestOffer(
  offers: readonly RateOffer[],
  stay: Stay,
  currency: string | null,
): CheapestRate | null {
  const needed = countGuestsPerRoom(stay);
  const fitting = offers.filter(
    ({ price, max_occupancy: most, isRestricted }) =>
      !isRestricted && price !== null && price > 0 && most !== null && most >= needed,
  );
  const basis = PRICE_BASES.find((one) => fitting.some((offer) => offer.basis === one));
  const [cheapest] = fitting
    .filter((offer) => offer.basis === basis)
    .toSorted((one, other) => (one.price ?? 0) - (other.price ?? 0));
  if (cheapest === undefined || cheapest.price === null) return null;
  const { price, basis: priceBasis, isRestricted: _, ...offer } = cheapest;
  return {
    ...offer,
    available: true,
    price: roundToMinorUnits(price * stay.rooms, currency),
    price_basis: priceBasis,
    currency,
    offers_count: fitting.length,
  };
}
