import { z } from 'zod';

/** What a tenant has beside the credits of its plan, as `toBalance` gives it. */
export const CREDIT_MEMBERS = {
  credits_topped_up: z.int(),
  credits_used: z.int(),
  credits_reserved: z.int().describe('Reserved by running calls'),
  credits_remaining: z.int().nullable(),
  daily_cap: z.int().nullable(),
  daily_used: z.int(),
};
