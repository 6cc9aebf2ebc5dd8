import { z } from 'zod';

/** A schema for whole numbers within bounds. `-0` is rejected. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return z
    .int(`must be ${describeRange(min, max)}`)
    .min(min)
    .max(max)
    .refine((value) => !Object.is(value, -0), 'must not be -0');
}

function describeRange(min: number, max: number): string {
  if (max < Number.MAX_SAFE_INTEGER) return `a whole number from ${min} to ${max}`;
  return min > Number.MIN_SAFE_INTEGER ? `a whole number of at least ${min}` : 'a whole number';
}
