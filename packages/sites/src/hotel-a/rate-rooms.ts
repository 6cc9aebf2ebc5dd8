import { notFound, unusable } from '#sites/framework/answers.ts';
import { cheapestOffer, isForSome } from '#sites/framework/hotels/cheapest.ts';
import type { RateOffer } from '#sites/framework/hotels/cheapest.ts';
import { boardIn, toRate } from '#sites/framework/hotels/rate.ts';
import { nightsOf } from '#sites/framework/hotels/stay.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { findWith } from '#extract/json/search.ts';
import { first } from '#extract/values/first.ts';
import { at, boolean, decimal, integer, line, list, natural } from '#extract/values/raw.ts';
import type { HotelAInput } from './rate-input.ts';

/** The cheapest rate in the site's data of a property's rooms; a list of rooms that is there and empty is sold out. */
export function readRooms(raw: unknown, input: HotelAInput, property: { readonly id: string | null }) {
  const [grid] = findWith(raw, 'masterRooms');
  const name = line(at(raw, 'hotelInfo', 'name'));
  const masters = list(grid?.['masterRooms']);
  if (name === null && masters.length === 0 && isAnswered(raw) === true)
    return notFound('the site knows no such property');
  if (grid === undefined) return unusable('no rooms in the data of the property');
  if (name === null) return unusable('no name of the property');
  const wrong = findOtherStay(raw, input, property.id);
  if (wrong !== null) return unusable(wrong);
  const identity = { url: input.url };
  if (masters.length === 0) {
    if (isAnswered(raw) === false) return unusable('no rooms yet: the data are not whole');
    const none = { hotel_name: name, available: false, offers_count: 0, source: 'rooms' };
    return toRate(input, identity, none);
  }
  const rooms = masters.flatMap((master) => list(at(master, 'rooms')).map((room) => ({ master, room })));
  const currency = first(
    () => line(at(rooms[0]?.room, 'currency')),
    () => line(at(raw, 'currencyInfo', 'code')),
    () => line(findWith(raw, 'currencyCode')[0]?.['currencyCode']),
  );
  const isOther = (room: unknown): boolean => (line(at(room, 'currency')) ?? currency) !== currency;
  const offers = rooms
    .filter(({ master, room }) => !isPackage(master, room) && !isOther(room))
    .map(({ master, room }) => toOffer(master, room, input));
  const cheapest = cheapestOffer(offers, input, currency);
  if (cheapest === null) return unusable('no room with a price for so many people');
  return toRate(input, identity, { ...cheapest, hotel_name: name, source: 'rooms' });
}

/** Whether the site says that it has told all it knows; null where it says neither. */
function isAnswered(raw: unknown): boolean | null {
  return at(raw, 'error') ? false : boolean(at(raw, 'roomGridData', 'isDataReady'));
}

/** What data are about, where that is not what was asked for; else null. */
function findOtherStay(raw: unknown, input: HotelAInput, id: string | null): string | null {
  const other = line(at(raw, 'hotelInfo', 'id')) ?? line(at(raw, 'hotelInfo', 'hotelId')) ?? line(at(raw, 'hotelId'));
  if (other !== null && id !== null && other !== id) return `another property: ${other}`;
  const criteria = at(raw, 'hotelSearchCriteria');
  if (criteria === undefined) return null;
  const from = line(at(criteria, 'checkInDate'))?.slice(0, 10) ?? 'no day';
  const nights = integer(at(criteria, 'los'));
  if (from === input.check_in && nights === nightsOf(input)) return null;
  return `another stay: from ${from} for ${nights ?? 'no'} nights`;
}

/** Whether a price is that of several rooms, or of a room with something else. */
function isPackage(master: unknown, room: unknown): boolean {
  if (at(master, 'isMultiRoomSuggestion') === true || at(master, 'isMultiRoomBundle') === true) return true;
  const isBundle = [at(room, 'stayPackageType'), at(room, 'bundleType')].some(Boolean);
  return isBundle || (integer(at(room, 'numberOfFixRoom')) ?? 1) > 1;
}

function toOffer(master: unknown, room: unknown, input: HotelAInput): RateOffer {
  const words = wordsOf(room);
  const { perNight, basis } = readPrice(room);
  return {
    price: perNight === null ? null : perNight * nightsOf(input),
    basis,
    isRestricted: isForSome(words),
    room_name: line(at(master, 'name')) ?? line(at(room, 'name')),
    room_id: line(at(master, 'id')),
    offer_id: line(at(room, 'id')) ?? line(at(room, 'uid')),
    board: readBoard(room, words),
    cancellation: readCancellation(room, words),
    max_occupancy:
      integer(at(room, 'occupancy')) ?? integer(at(room, 'maxOccupancy')) ?? integer(at(master, 'maxOccupancy')),
    rooms_left:
      natural(at(room, 'availability')) ??
      natural(at(room, 'remainingRooms')) ??
      natural(at(master, 'firstRoomAvailability')),
  };
}

/** Prices are those of one room and night. */
function readPrice(room: unknown): { readonly perNight: number | null; readonly basis: RateOffer['basis'] } {
  const inclusive = decimal(at(room, 'inclusivePricePerNightWithoutExtraBed', 'display'));
  if (inclusive !== null && inclusive > 0) return { perNight: inclusive, basis: 'total_incl_taxes' };
  const exclusive = decimal(at(room, 'exclusivePrice', 'display'));
  if (exclusive !== null && exclusive > 0) return { perNight: exclusive, basis: 'total_excl_taxes' };
  return { perNight: decimal(at(room, 'pricing', 'displayPrice')), basis: 'unknown' };
}

/** The word of the site on breakfast decides over texts, which also say what breakfast would cost. */
function readBoard(room: unknown, words: string): RateOffer['board'] {
  const told = boardIn(words);
  const hasBreakfast = boolean(at(room, 'isBreakfastIncluded'));
  if (hasBreakfast === null) return told;
  if (!hasBreakfast) return 'room_only';
  return told === null || told === 'room_only' ? 'breakfast' : told;
}

function readCancellation(room: unknown, words: string): RateOffer['cancellation'] {
  if (at(room, 'isFreeCancellation') === true) return 'free';
  const own = [at(room, 'cancellation', 'symbol'), at(room, 'cancellation', 'title')].flatMap((one) => line(one) ?? []);
  const told = own.length > 0 ? own.join('\n') : words;
  if (/non[- ]?refund/i.test(told)) return 'non_refundable';
  return /free[- ]cancell?ation/i.test(told) && at(room, 'isFreeCancellation') === undefined ? 'free' : null;
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
