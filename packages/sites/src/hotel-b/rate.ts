import { z } from 'zod';
import { RateOfId } from '#sites/framework/hotels/rate.ts';
import { RateInput } from './rate-input.ts';
import { propertyPage } from './rate-page.ts';
import { searchPage } from './rate-search.ts';
import { hotelB } from './site.ts';

/** The record that hotel monitors watch. */
export const hotelBRate = hotelB({
  path: '/rate',
  summary: 'The cheapest rate of a property for one stay',
  internal: true,
  input: RateInput,
  record: z.object({ rate: RateOfId }),
  expected: ['rate.price', 'rate.currency', 'rate.room_name'],
  canary: { property_id: 'gb/gardencourthotel', check_in: '2027-03-01', check_out: '2027-03-03' },
  sources: [propertyPage, searchPage],
});
