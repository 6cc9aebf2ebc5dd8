import { z } from 'zod';
import { defineWork } from '#engine/call/operation.ts';
import { buildInputReader } from '#engine/call/validation.ts';
import { HotelRate } from '#sites/framework/hotels/rate.ts';
import { STAY_FIELDS } from '#sites/framework/hotels/stay.ts';

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

/** Credits per channel. */
const CHANNEL_PRICE = 15;

/** The cheapest rate of one stay on several sites, used by hotel monitors. */
export const hotelRates = defineWork(
  {
    id: 'hotels.rates',
    route: null,
    summary: 'The cheapest rate of one stay on each of several sites',
    plan: 'starter',
    price: { base: CHANNEL_PRICE, cacheHit: CHANNEL_PRICE, perTier: false },
    errors: [
      'not_found',
      'target_rate_limited',
      'target_blocked',
      'unusable_response',
      'backend_unavailable',
      'timeout',
    ],
    input: ChannelRatesInput,
    output: ChannelRates,
    example: {
      channels: [
        { provider: 'hotel-b', property_id: 'gb/gardencourthotel' },
        { provider: 'hotel-a', property_id: 'https://www.agoda.com/the-langham-london-hotel/hotel/london-gb.html' },
      ],
      check_in: '2027-03-01',
      check_out: '2027-03-03',
    },
    list: null,
    isLongRunning: false,
    canQueue: true,
    site: null,
    agent: { tool: null },
  },
  buildInputReader(ChannelRatesInput),
);
