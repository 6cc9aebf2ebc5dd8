import { z } from 'zod';
import { ChangeRecord, HotelChange } from '#features/monitors/store/monitor-record.ts';
import type { Operation } from '#engine/call/operation.ts';
import { HOTEL_PROVIDERS } from '#features/sites/hotels/providers.ts';
import { HotelPatch, hotelInputOf } from './hotel-input.ts';
import { LaunchInput, LaunchPatch } from './launch-input.ts';
import { EXAMPLE_ID } from './schemas.ts';
import { declareSurface } from './surface.ts';

const STAY = {
  check_in: '2027-03-01',
  check_out: '2027-03-03',
  watch: { thresholds: { pct: 5 } },
  cron: '0 */6 * * *',
  webhook: 'https://hooks.example/rates',
};

const SWITCHED_OFF = { id: EXAMPLE_ID, active: false };

const HOTELS = {
  about: 'the cheapest rate of a stay, on one site or on several',
  kinds: ['hotel', 'hotel_channels'],
  patch: HotelPatch,
  patchExample: { id: EXAMPLE_ID, check_in: '2027-03-08', check_out: '2027-03-10' },
  change: HotelChange,
  filters: { provider: z.enum(HOTEL_PROVIDERS).optional().describe('Only those with a channel on this site') },
  waits: true,
} as const;

/** Monitors of rates under the path of each hotel site; all but the creation of a single one serves any of them. */
export const hotelBMonitors = declareSurface({
  ...HOTELS,
  site: 'hotel-b',
  noun: 'HotelB',
  create: hotelInputOf('hotel-b'),
  example: { property_id: 'gb/gardencourthotel', ...STAY },
  alias: 'hotels',
});

export const hotelAMonitors = declareSurface({
  ...HOTELS,
  site: 'hotel-a',
  noun: 'HotelA',
  create: hotelInputOf('hotel-a'),
  example: { url: 'https://www.agoda.com/the-langham-london-hotel/hotel/london-gb.html', ...STAY },
});

/** Monitors of the upvotes of a product. */
export const launchMonitors = declareSurface({
  site: 'launches',
  noun: 'Launch',
  about: 'the upvotes of a product',
  kinds: ['launch'],
  create: LaunchInput,
  example: {
    slug: 'quern',
    watch: { thresholds: { abs: 50 } },
    cron: '@hourly',
    webhook: 'https://hooks.example/launch',
  },
  patch: LaunchPatch,
  patchExample: SWITCHED_OFF,
  change: ChangeRecord,
  filters: {},
  waits: false,
});

/** The routes of all of them, in the order of the docs. */
export const operationsOfSurfaces: readonly Operation[] = [hotelBMonitors, hotelAMonitors, launchMonitors].flatMap(
  ({ kinds: _kinds, waits: _waits, ...operations }): readonly Operation[] => Object.values(operations),
);
