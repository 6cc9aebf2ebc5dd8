import { z } from 'zod';
import { wholeNumber } from '#extract/schema/whole-number.ts';

const MAX_NIGHTS = 30;
const MAX_CHILDREN = 10;
const DAY_MS = 86_400_000;

/** The parameters of a stay, the same for every hotel site and for monitors of rates. */
export const STAY_FIELDS = {
  check_in: z.iso.date().describe('First day, as the property counts days'),
  check_out: z.iso.date().describe(`Last day, 1 to ${MAX_NIGHTS} nights later`),
  adults: wholeNumber(1, 30).default(2).describe('How many adults stay'),
  children: z
    .union(
      [z.array(wholeNumber(0, 17)).max(MAX_CHILDREN), wholeNumber(0, MAX_CHILDREN)],
      `must be the age of each child, 0 to 17, or how many of unknown age, at most ${MAX_CHILDREN}`,
    )
    .default([])
    .describe('The age of each child, or how many of unknown age'),
  rooms: wholeNumber(1, 8).default(1).describe('At most one for each adult'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capitals, such as EUR')
    .optional()
    .describe('ISO 4217; default that of the property'),
} as const;

/** A stay of any hotel site; other members are left aside. */
export const Stay = z.object(STAY_FIELDS);

export type Stay = z.output<typeof Stay>;

/** Nights of a stay; negative where it ends before it begins. */
export function nightsOf({ check_in: from, check_out: to }: Pick<Stay, 'check_in' | 'check_out'>): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** The first parameter that does not fit the others, and the reason; null for a stay that makes sense. */
export function faultOfStay(stay: Stay): { readonly parameter: keyof Stay; readonly why: string } | null {
  const nights = nightsOf(stay);
  if (nights < 1 || nights > MAX_NIGHTS)
    return { parameter: 'check_out', why: `is 1 to ${MAX_NIGHTS} nights after check_in` };
  if (stay.rooms > stay.adults) return { parameter: 'rooms', why: 'needs an adult in each' };
  return null;
}

/** The age of each child, null where it is unknown. */
export function listChildAges({ children }: Pick<Stay, 'children'>): readonly (number | null)[] {
  return typeof children === 'number' ? Array.from({ length: children }, () => null) : children;
}

/** People that each room must take. */
export function countGuestsPerRoom(stay: Pick<Stay, 'adults' | 'children' | 'rooms'>): number {
  return Math.ceil((stay.adults + listChildAges(stay).length) / stay.rooms);
}
