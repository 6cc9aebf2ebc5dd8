import { unusable } from '#features/sites/answers.ts';
import { cheapestOffer, isForSome } from '#features/sites/hotels/cheapest.ts';
import type { RateOffer } from '#features/sites/hotels/cheapest.ts';
import { boardIn, toRate } from '#features/sites/hotels/rate.ts';
import { nightsOf } from '#features/sites/hotels/stay.ts';
import { isJsonObject } from '#kernel/json.ts';
import { findWith } from '#extract/json/search.ts';
import { first } from '#extract/values/first.ts';
import { at, decimal, integer, line, list } from '#extract/values/raw.ts';
import type { HotelAInput } from './rate-input.ts';

/** The cheapest rate in the site's data of a property's rooms; a list of rooms that is there and empty is sold out. */
export function readRooms(raw: unknown, input: HotelAInput, property: { readonly id: string | null }) {
  const [grid] = findWith(raw, 'masterRooms');
  if (grid === undefined) return unusable('no rooms in the data of the property');
  const other = line(at(raw, 'hotelInfo', 'id')) ?? line(at(raw, 'hotelInfo', 'hotelId')) ?? line(at(raw, 'hotelId'));
  if (other !== null && property.id !== null && other !== property.id) return unusable(`another property: ${other}`);
  const name = line(at(raw, 'hotelInfo', 'name'));
  if (name === null) return unusable('no name of the property');
  const identity = { url: input.url };
  const masters = list(grid['masterRooms']);
  if (masters.length === 0) {
    const none = { hotel_name: name, available: false, offers_count: 0, source: 'rooms' };
    return toRate(input, identity, none);
  }
  const currency = first(
    () => line(at(raw, 'currencyInfo', 'code')),
    () => line(findWith(raw, 'currencyCode')[0]?.['currencyCode']),
  );
  const offers = masters.flatMap((master) => list(at(master, 'rooms')).map((room) => toOffer(master, room, input)));
  const cheapest = cheapestOffer(offers, input, currency);
  if (cheapest === null) return unusable('no room with a price for so many people');
  return toRate(input, identity, { ...cheapest, hotel_name: name, source: 'rooms' });
}

/** Prices are those of one room and night. */
function toOffer(master: unknown, room: unknown, input: HotelAInput): RateOffer {
  const perNight = decimal(at(room, 'pricing', 'displayPrice'));
  const words = wordsOf(room);
  return {
    price: perNight === null ? null : perNight * nightsOf(input),
    basis: 'unknown',
    isRestricted: isForSome(words),
    room_name: line(at(master, 'name')) ?? line(at(room, 'name')),
    room_id: line(at(master, 'id')),
    offer_id: line(at(room, 'id')) ?? line(at(room, 'uid')),
    board: boardIn(words),
    cancellation: /non[- ]?refundable/i.test(words)
      ? 'non_refundable'
      : /free cancell?ation/i.test(words)
        ? 'free'
        : null,
    max_occupancy: integer(at(room, 'occupancy')) ?? integer(at(room, 'maxOccupancy')),
    rooms_left: integer(at(room, 'remainingRooms')),
  };
}

const DEEPEST = 4;

/** The texts of an offer, in which the site says what is included and for whom. */
function wordsOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth >= DEEPEST) return '';
  const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return inner
    .map((one) => wordsOf(one, depth + 1))
    .filter((words) => words !== '')
    .join('\n');
}
