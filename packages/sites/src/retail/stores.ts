import { z } from 'zod';
import { empty, more, unusable } from '#sites/framework/answers.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, decimal, line, list } from '#extract/values/raw.ts';
import { buildInterfaceRequest, findInterfaceKeys, Text, Zip } from './shared.ts';
import { retail } from './site.ts';

const Shop = z.object({
  id: z.string(),
  name: z.string(),
  address: Text,
  city: Text,
  region: Text,
  zip: Text,
  country: Text,
  phone: Text,
  distance_miles: z.number().min(0).nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  status: Text,
});

type Shop = z.output<typeof Shop>;

const ShopsInput = z.object({
  query: z.string().trim().min(2).max(100).optional().describe('A place'),
  zip: Zip,
});

type ShopsInput = z.output<typeof ShopsInput>;

export const shops = retail({
  path: '/stores',
  summary: 'The stores of a chain around a place, nearest first',
  input: ShopsInput,
  record: z.object({ stores: z.array(Shop).readonly() }),
  anyOf: ['zip', 'query'],
  list: 'stores',
  expected: ['stores.address', 'stores.city', 'stores.zip', 'stores.distance_miles'],
  canary: { zip: '55403' },
  request: ({ zip, query }) => ({
    origin: 'web',
    path: `/store-locator/find-stores/${encodeURIComponent(zip ?? query ?? '')}`,
  }),
  parse(page, { zip, query }) {
    if (page.carry === undefined) {
      const keys = findInterfaceKeys(page);
      const parameters = { place: zip ?? query, limit: 20, within: 100, unit: 'mile' };
      if (keys === null) return unusable('what the interface is asked with');
      return more(buildInterfaceRequest('nearby_stores_v1', keys, parameters), true);
    }
    const found = at(tryParse(page.body), 'data', 'nearby_stores');
    const rows = at(found, 'stores');
    if (!Array.isArray(rows)) return unusable('a list of stores');
    const stores = list(rows).flatMap((row) => parseShop(row) ?? []);
    if (stores.length > 0) return { stores };
    return rows.length === 0 ? empty() : unusable('stores that can be read');
  },
});

/** Parses a store of the interface. Null if it has no id or no name. */
function parseShop(raw: unknown): Shop | null {
  const id = line(at(raw, 'store_id') ?? at(raw, 'location_id'));
  const name = line(at(raw, 'location_name') ?? at(raw, 'store_name'));
  if (id === null || name === null) return null;
  const address = at(raw, 'mailing_address') ?? at(raw, 'address');
  const place = at(raw, 'geographic_specifications');
  const distance = decimal(at(raw, 'distance'));
  return {
    id,
    name,
    address: line(at(address, 'address_line1')),
    city: line(at(address, 'city')),
    region: line(at(address, 'region') ?? at(address, 'state')),
    zip: line(at(address, 'postal_code')),
    country: line(at(address, 'country_code') ?? at(address, 'country')),
    phone: line(at(raw, 'main_voice_phone_number')),
    distance_miles: distance === null || distance < 0 ? null : distance,
    latitude: decimal(at(place, 'latitude')),
    longitude: decimal(at(place, 'longitude')),
    status: line(at(raw, 'status')),
  };
}
