import { BASES, type FoundRate, type HotelRate, inMinor } from './rate.ts';
import { peopleInRoom, type Stay } from './stay.ts';

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

const FOR_SOME = /\bgenius\b|\bmembers?[ -]only\b|\b(?:app|mobile)[ -]only\b|\bsign in to (?:see|get|save)\b/i;

/** Whether the words of an offer say that only members or users of an app get it. */
export function isForSome(words: string | null): boolean {
  return words !== null && FOR_SOME.test(words);
}

type Cheapest = Omit<FoundRate, 'hotel_name' | 'source'>;

/**
 * The cheapest offer for everybody that takes as many as each room must, compared on one basis: that which tells most.
 * Null where none fits.
 */
export function cheapestOffer(offers: readonly RateOffer[], stay: Stay, currency: string | null): Cheapest | null {
  const needed = peopleInRoom(stay);
  const fitting = offers.filter(
    ({ price, max_occupancy: most, isRestricted }) =>
      !isRestricted && price !== null && price > 0 && most !== null && most >= needed,
  );
  const basis = BASES.find((one) => fitting.some((offer) => offer.basis === one));
  const [cheapest] = fitting
    .filter((offer) => offer.basis === basis)
    .toSorted((one, other) => (one.price ?? 0) - (other.price ?? 0));
  if (cheapest === undefined || cheapest.price === null) return null;
  const { price, basis: priceBasis, isRestricted: _, ...offer } = cheapest;
  return {
    ...offer,
    available: true,
    price: inMinor(price * stay.rooms, currency),
    price_basis: priceBasis,
    currency,
    offers_count: fitting.length,
  };
}
