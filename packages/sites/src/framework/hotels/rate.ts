import { z } from 'zod';
import { minorDigitsOf } from '#extract/values/currencies.ts';
import { type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { listChildAges, faultOfStay, nightsOf, countGuestsPerRoom, type Stay } from './stay.ts';

const Text = z.string().nullable();
const Amount = z.number().positive().nullable();
const Whole = z.int().min(0).nullable();

const BOARDS = ['room_only', 'breakfast', 'half_board', 'full_board', 'all_inclusive'] as const;
const CANCELLATIONS = ['free', 'non_refundable', 'partial'] as const;
/** What the price of an offer includes, the most telling first. */
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
  price: Amount.describe('Of the whole stay and all rooms; null when nothing is available'),
  price_per_night: Amount,
  currency: Text,
  price_basis: z.enum(PRICE_BASES),
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
export const RateById = z.object({ property_id: z.string(), ...RATE_FIELDS });
/** The cheapest rate of a property that is known by its address. */
export const RateByUrl = z.object({ url: z.string(), ...RATE_FIELDS });

/** The cheapest rate of a property for one stay. */
export const HotelRate = z.object(RATE_FIELDS);

export type HotelRate = z.output<typeof HotelRate>;

/** The result of one source: the cheapest matching offer, or why there is none. */
export type RateResult = Partial<HotelRate> & Pick<HotelRate, 'hotel_name' | 'available' | 'source'>;

/** Throws `invalid_request` for a stay that makes no sense. */
export function assertStay(stay: Stay): void {
  const fault = faultOfStay(stay);
  if (fault !== null) refuseParameter(fault.parameter, fault.why);
}

/** The record of a stay by what was found; unusable where the price is in another currency than the asked one. */
export function buildRate<P extends object>(
  stay: Stay,
  property: P,
  found: RateResult,
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

/** An amount with the digits that its currency has. */
export function roundToMinorUnits(amount: number, currency: string | null): number {
  const scale = 10 ** (currency === null ? 2 : minorDigitsOf(currency));
  return Math.round(amount * scale) / scale;
}

/** The meals that the words of an offer include; null where they name none. */
export function parseBoardText(wording: string | null): HotelRate['board'] {
  if (wording === null) return null;
  if (/all[ _-]?inclusive/i.test(wording)) return 'all_inclusive';
  if (/full[ _-]?board|breakfast.*lunch.*dinner/i.test(wording)) return 'full_board';
  if (/half[ _-]?board|breakfast.*dinner/i.test(wording)) return 'half_board';
  return /breakfast/i.test(wording) ? 'breakfast' : /room[ _-]?only|no[ _]meal/i.test(wording) ? 'room_only' : null;
}

/** An offer of a room in a page of a hotel. */
export type RateOffer = Pick<
  HotelRate,
  'room_name' | 'room_id' | 'offer_id' | 'board' | 'cancellation' | 'max_occupancy' | 'rooms_left'
> & {
  /** Of one room for the whole stay; null where the offer names none. */
  readonly price: number | null;
  readonly basis: HotelRate['price_basis'];
  /** Whether only members or users of an app get it. */
  readonly isRestricted: boolean;
};

const RESTRICTED_TEXT = /\bgenius\b|\bmembers?[ -]only\b|\b(?:app|mobile)[ -]only\b|\bsign in to (?:see|get|save)\b/i;

/** Whether the words of an offer say that only members or users of an app get it. */
export function isRestrictedOffer(words: string | null): boolean {
  return words !== null && RESTRICTED_TEXT.test(words);
}

type CheapestRate = Omit<RateResult, 'hotel_name' | 'source'>;

/**
 * The cheapest offer for everybody that takes as many as each room must, compared on one basis: that which tells most.
 * Null where none fits.
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
