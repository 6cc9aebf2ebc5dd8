import { z } from 'zod';

/** A whole number in bounds; `-0` is refused like every other number that is not written as one. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return z
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min)
    .max(max)
    .refine((value) => !Object.is(value, -0), 'must not be -0');
}
