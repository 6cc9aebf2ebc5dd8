import { z } from 'zod';

/** Credit fields of a tenant in addition to those of its plan, as returned by `toBalance`. */
export const CREDIT_FIELDS = {
  credits_topped_up: z.int(),
  credits_used: z.int(),
  credits_reserved: z.int().describe('Reserved by running calls'),
  credits_remaining: z.int().nullable(),
  daily_cap: z.int().nullable(),
  daily_used: z.int(),
};
