import { z } from 'zod';
import { HOTEL_PROVIDERS } from './providers.ts';
import { HotelRate } from '#sites/framework/hotels/rate.ts';
import { STAY_FIELDS } from '#sites/framework/hotels/stay.ts';

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

export const ChannelRatesInput = z.strictObject({ channels: Channels, ...STAY_FIELDS });

/** The result of each channel: its rate, or an error. */
export const ChannelRates = z.object({
  channels: z.array(
    z.object({
      provider: z.string(),
      property_id: z.string(),
      rate: HotelRate.nullable(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
});

export type ChannelRates = z.output<typeof ChannelRates>;
