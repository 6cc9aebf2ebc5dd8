import { z } from 'zod';
import { requestVehicles, VehicleSearchInput } from './search-input.ts';
import { readVehicles } from './search-page.ts';
import { vehicles } from './site.ts';
import { VehicleOffer } from './vehicle-record.ts';

/** The page that a cursor leads to, or that was asked for. */
function pageAt({ page }: VehicleSearchInput, cursor: string | null): number {
  return cursor !== null && /^\d{1,2}$/.test(cursor) ? Number(cursor) : page;
}

export const vehicleSearch = vehicles({
  path: '/search',
  summary: 'Cars for sale, new or used, one page of results a request',
  input: VehicleSearchInput,
  record: z.object({
    results: z.array(VehicleOffer).readonly(),
    total_results: z.int().min(0).nullable(),
    page: z.int().min(1).nullable(),
  }),
  anyOf: ['make', 'url', 'country', 'zip'],
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], country: ['geo'] },
  list: 'results',
  expected: ['results.price.amount', 'results.mileage', 'results.first_registration', 'results.images', 'results.fuel'],
  canary: { make: 'volkswagen', model: 'golf' },
  request: (input, site) => requestVehicles(input, pageAt(input, site.cursor), site),
  parse: (source, input, site) => readVehicles(source, input, pageAt(input, site.cursor)),
});
