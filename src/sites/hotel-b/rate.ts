import { z } from 'zod';
import { RateInput } from './rate-input.ts';
import { propertyPage } from './rate-page.ts';
import { HotelRate } from './rate-record.ts';
import { searchPage } from './rate-search.ts';
import { hotelB } from './site.ts';

/** The record that hotel monitors watch. */
export const rate = hotelB({
  path: '/rate',
  summary: 'The cheapest rate of a property for one stay',
  internal: true,
  input: RateInput,
  record: z.object({ rate: HotelRate }),
  expected: ['rate.price', 'rate.currency', 'rate.room_name'],
  canary: { property_id: 'gb/gardencourthotel', check_in: '2027-03-01', check_out: '2027-03-03' },
  sources: [propertyPage, searchPage],
});
