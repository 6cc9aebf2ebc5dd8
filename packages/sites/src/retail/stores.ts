import { z } from 'zod';
import { empty, more, unusable } from '#sites/framework/answers.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, decimal, line, list } from '#extract/values/raw.ts';
import { askChain, interfaceWordsIn } from './interface.ts';
import { Shop } from './product-record.ts';
import { ShopsInput } from './retail-input.ts';
import { retail } from './site.ts';

/** A store as the interface has it; null without a number and a name. */
function readShop(raw: unknown): Shop | null {
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
      const words = interfaceWordsIn(page);
      const asked = { place: zip ?? query, limit: 20, within: 100, unit: 'mile' };
      if (words === null) return unusable('what the interface is asked with');
      return more(askChain('nearby_stores_v1', words, asked), true);
    }
    const found = at(tryParse(page.body), 'data', 'nearby_stores');
    const rows = at(found, 'stores');
    if (!Array.isArray(rows)) return unusable('a list of stores');
    const stores = list(rows).flatMap((row) => readShop(row) ?? []);
    if (stores.length > 0) return { stores };
    return rows.length === 0 ? empty() : unusable('stores that can be read');
  },
});
