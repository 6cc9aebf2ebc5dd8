import { z } from 'zod';

/** The hotel sites, with the parameter that identifies a property in their rate endpoint. */
export const PROPERTY_PARAMETERS = { 'hotel-a': 'url', 'hotel-b': 'property_id' } as const;

export const HOTEL_PROVIDERS = ['hotel-a', 'hotel-b'] as const;

export type HotelProvider = (typeof HOTEL_PROVIDERS)[number];

/** Returns the id of the operation for the cheapest rate on a site. */
export function toRateOperationId(provider: HotelProvider): string {
  return `${provider}.rate`;
}

const MIN_CHANNELS = 2;
const MAX_CHANNELS = 4;

/** A hotel property on several sites. */
export const Channels = z
  .array(
    z.strictObject({
      provider: z.enum(HOTEL_PROVIDERS),
      property_id: z.string().min(1).max(2000).describe('Property id of the site; for hotel-a the URL of its page'),
    }),
  )
  .min(MIN_CHANNELS)
  .max(MAX_CHANNELS)
  .superRefine((channels, context) => {
    const seen = new Set<string>();
    for (const [at, { provider }] of channels.entries()) {
      if (seen.has(provider)) context.addIssue({ code: 'custom', path: [at, 'provider'], message: 'is named twice' });
      seen.add(provider);
    }
  });
