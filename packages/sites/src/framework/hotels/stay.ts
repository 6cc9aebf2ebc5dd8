import { z } from 'zod';
import { wholeNumber } from '#extract/schema/whole-number.ts';

const MAX_NIGHTS = 30;
const MAX_CHILDREN = 10;
const DAY_MS = 86_400_000;

/** The parameters of a stay. All hotel sites and rate monitors use the same ones. */
export const STAY_FIELDS = {
  check_in: z.iso.date().describe('Day of arrival, in the time zone of the property'),
  check_out: z.iso.date().describe(`Day of departure, 1 to ${MAX_NIGHTS} nights later`),
  adults: wholeNumber(1, 30).default(2).describe('Number of adults'),
  children: z
    .union(
      [z.array(wholeNumber(0, 17)).max(MAX_CHILDREN), wholeNumber(0, MAX_CHILDREN)],
      `must be a list of ages from 0 to 17, or the number of children, at most ${MAX_CHILDREN}`,
    )
    .default([])
    .describe('The age of each child, or the number of children if their ages are unknown'),
  rooms: wholeNumber(1, 8).default(1).describe('Number of rooms, at most one per adult'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capitals, such as EUR')
    .optional()
    .describe('ISO 4217 code; by default the currency of the property'),
} as const;

/** A stay at a hotel. Parameters that only one site has are ignored. */
export const Stay = z.object(STAY_FIELDS);

export type Stay = z.output<typeof Stay>;

/** Counts the nights of a stay; negative if it ends before it begins. */
export function countNights({ check_in: from, check_out: to }: Pick<Stay, 'check_in' | 'check_out'>): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** Returns the first parameter that does not fit the others, and the reason; null for a valid stay. */
export function checkStay(stay: Stay): { readonly parameter: keyof Stay; readonly why: string } | null {
  const nights = countNights(stay);
  if (nights < 1 || nights > MAX_NIGHTS)
    return { parameter: 'check_out', why: `must be 1 to ${MAX_NIGHTS} nights after check_in` };
  if (stay.rooms > stay.adults) return { parameter: 'rooms', why: 'needs an adult in each' };
  return null;
}

/** Lists the ages of the children; null for a child of unknown age. */
export function listChildAges({ children }: Pick<Stay, 'children'>): readonly (number | null)[] {
  return typeof children === 'number' ? Array.from({ length: children }, () => null) : children;
}

/** Counts the people that each room must accommodate, rounded up. */
export function countGuestsPerRoom(stay: Pick<Stay, 'adults' | 'children' | 'rooms'>): number {
  return Math.ceil((stay.adults + listChildAges(stay).length) / stay.rooms);
}
