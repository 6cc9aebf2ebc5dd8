import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import { HotelRate } from '#sites/framework/hotels/rate.ts';
import { STAY_FIELDS } from '#sites/framework/hotels/stay.ts';
import { Channels } from './channels.ts';

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
export const hotelRates = declareWork({
  id: 'hotels.rates',
  route: null,
  summary: 'The cheapest rate of one stay on each of several sites',
  plan: 'starter',
  price: { base: CHANNEL_PRICE, cacheHit: CHANNEL_PRICE, perTier: false },
  errors: ['not_found', 'target_rate_limited', 'target_blocked', 'unusable_response', 'backend_unavailable', 'timeout'],
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
  agent: { tool: null },
});
