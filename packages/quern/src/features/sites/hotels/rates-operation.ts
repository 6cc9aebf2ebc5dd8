import { defineWork } from '#engine/call/operation.ts';
import { buildInputReader } from '#engine/call/validation.ts';
import { ChannelRates, ChannelRatesInput } from './channel-rates.ts';

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
