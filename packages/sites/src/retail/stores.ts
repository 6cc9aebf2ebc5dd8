import { z } from 'zod';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, decimal, line, list, natural } from '#extract/values/raw.ts';
import { empty, more, unusable } from '#sites/framework/answers.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import {
  buildInterfaceRequest,
  Count,
  findInterfaceKeys,
  parseStockState,
  readProductId,
  Stock,
  StoreId,
  Text,
  Zip,
} from './shared.ts';
import { retail } from './site.ts';

const Store = z.object({
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

type Store = z.output<typeof Store>;

const StoresInput = z.object({
  query: z.string().trim().min(2).max(100).optional().describe('City, region or address to search around'),
  zip: Zip,
});

type StoresInput = z.output<typeof StoresInput>;

export const retailStores = retail({
  path: '/stores',
  summary: 'The stores of a chain around a place, nearest first',
  input: StoresInput,
  record: z.object({ stores: z.array(Store).readonly() }),
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
      if (keys === null) return unusable('the key of the interface');
      return more(buildInterfaceRequest('nearby_stores_v1', keys, parameters), true);
    }
    const found = at(tryParse(page.body), 'data', 'nearby_stores');
    const rows = at(found, 'stores');
    if (!Array.isArray(rows)) return unusable('a list of stores');
    const stores = list(rows).flatMap((row) => parseStore(row) ?? []);
    if (stores.length > 0) return { stores };
    return rows.length === 0 ? empty() : unusable('stores that can be read');
  },
});

/** Parses a store of the interface. Null if it has no id or no name. */
function parseStore(raw: unknown): Store | null {
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

const StoreStock = z.object({
  id: z.string(),
  shipping: Stock,
  shipping_quantity: Count,
  delivery: Stock,
  stores: z
    .array(z.object({ id: z.string(), name: Text, quantity: Count, pickup: Stock, in_store: Stock }))
    .readonly()
    .nullable(),
  sold_out_everywhere: z.boolean().nullable(),
});

type StoreStock = z.output<typeof StoreStock>;

const AvailabilityInput = z.object({
  id: z.string().min(1).max(2000).describe('The number of the product, or its address'),
  store_id: StoreId,
  zip: Zip,
});

type AvailabilityInput = z.output<typeof AvailabilityInput>;

export const retailAvailability = retail({
  path: '/availability',
  summary: 'Whether a product is in stock: shipped, or picked up at a store',
  input: AvailabilityInput,
  record: z.object({ availability: StoreStock }),
  expected: ['availability.shipping', 'availability.stores'],
  canary: { id: '10291923', store_id: '1375' },
  request(input, site) {
    if (input.store_id === undefined && input.zip === undefined) refuseParameter('store_id', 'or zip is needed');
    return { origin: 'web', path: `/p/-/A-${readProductId(input, site)}` };
  },
  parse(page, input, site) {
    const id = readProductId(input, site);
    if (page.carry !== undefined) {
      const availability = parseStock(at(tryParse(page.body), 'data', 'product'), id);
      return availability === null ? unusable('the stock of the product') : { availability };
    }
    const keys = findInterfaceKeys(page);
    if (keys === null) return unusable('the key of the interface');
    const { store_id: store, zip } = input;
    const query = { tcin: id, store_id: store, required_store_id: store, scheduled_delivery_store_id: store, zip };
    return more(buildInterfaceRequest('product_fulfillment_v1', keys, query), true);
  },
});

function parseStock(product: unknown, id: string): StoreStock | null {
  const given = at(product, 'fulfillment');
  if (line(at(product, 'tcin')) !== id || given === undefined) return null;
  const stores = at(given, 'store_options');
  return {
    id,
    shipping: parseStockState(at(given, 'shipping_options', 'availability_status')),
    shipping_quantity: natural(at(given, 'shipping_options', 'available_to_promise_quantity')),
    delivery: parseStockState(at(given, 'scheduled_delivery', 'availability_status')),
    stores: Array.isArray(stores) ? list(stores).flatMap((one) => parseStoreStock(one)) : null,
    sold_out_everywhere: boolean(at(given, 'is_out_of_stock_in_all_store_locations')),
  };
}

function parseStoreStock(raw: unknown): NonNullable<StoreStock['stores']> {
  const id = line(at(raw, 'location_id') ?? at(raw, 'store', 'store_id'));
  if (id === null) return [];
  return [
    {
      id,
      name: line(at(raw, 'location_name') ?? at(raw, 'store', 'location_name')),
      quantity: natural(at(raw, 'location_available_to_promise_quantity')),
      pickup: parseStockState(at(raw, 'order_pickup', 'availability_status')),
      in_store: parseStockState(at(raw, 'in_store_only', 'availability_status')),
    },
  ];
}
