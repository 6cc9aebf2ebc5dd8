import { z } from 'zod';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toBoolean, toNumber, toLine, toArray, toNatural } from '#extract/values/raw.ts';
import { answerEmpty, requestMore, unusable } from '#sites/framework/answers.ts';
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
      if (keys === null) return unusable('the key of the interface is missing');
      return requestMore(buildInterfaceRequest('nearby_stores_v1', keys, parameters), true);
    }
    const nearbyStores = getPath(parseJsonValue(page.body), 'data', 'nearby_stores');
    const rows = getPath(nearbyStores, 'stores');
    if (!Array.isArray(rows)) return unusable('no list of stores');
    const stores = toArray(rows).flatMap((row) => parseStore(row) ?? []);
    if (stores.length > 0) return { stores };
    return rows.length === 0 ? answerEmpty() : unusable('no readable stores');
  },
});

/** Parses a store of the interface. Null if it has no id or no name. */
function parseStore(raw: unknown): Store | null {
  const id = toLine(getPath(raw, 'store_id') ?? getPath(raw, 'location_id'));
  const name = toLine(getPath(raw, 'location_name') ?? getPath(raw, 'store_name'));
  if (id === null || name === null) return null;
  const address = getPath(raw, 'mailing_address') ?? getPath(raw, 'address');
  const place = getPath(raw, 'geographic_specifications');
  const distance = toNumber(getPath(raw, 'distance'));
  return {
    id,
    name,
    address: toLine(getPath(address, 'address_line1')),
    city: toLine(getPath(address, 'city')),
    region: toLine(getPath(address, 'region') ?? getPath(address, 'state')),
    zip: toLine(getPath(address, 'postal_code')),
    country: toLine(getPath(address, 'country_code') ?? getPath(address, 'country')),
    phone: toLine(getPath(raw, 'main_voice_phone_number')),
    distance_miles: distance === null || distance < 0 ? null : distance,
    latitude: toNumber(getPath(place, 'latitude')),
    longitude: toNumber(getPath(place, 'longitude')),
    status: toLine(getPath(raw, 'status')),
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
    if (input.store_id === undefined && input.zip === undefined) refuseParameter('store_id', 'or zip is required');
    return { origin: 'web', path: `/p/-/A-${readProductId(input, site)}` };
  },
  parse(page, input, site) {
    const id = readProductId(input, site);
    if (page.carry !== undefined) {
      const availability = parseStock(getPath(parseJsonValue(page.body), 'data', 'product'), id);
      return availability === null ? unusable('the stock of the product is missing') : { availability };
    }
    const keys = findInterfaceKeys(page);
    if (keys === null) return unusable('the key of the interface is missing');
    const { store_id: store, zip } = input;
    const query = { tcin: id, store_id: store, required_store_id: store, scheduled_delivery_store_id: store, zip };
    return requestMore(buildInterfaceRequest('product_fulfillment_v1', keys, query), true);
  },
});

function parseStock(product: unknown, id: string): StoreStock | null {
  const fulfillment = getPath(product, 'fulfillment');
  if (toLine(getPath(product, 'tcin')) !== id || fulfillment === undefined) return null;
  const stores = getPath(fulfillment, 'store_options');
  return {
    id,
    shipping: parseStockState(getPath(fulfillment, 'shipping_options', 'availability_status')),
    shipping_quantity: toNatural(getPath(fulfillment, 'shipping_options', 'available_to_promise_quantity')),
    delivery: parseStockState(getPath(fulfillment, 'scheduled_delivery', 'availability_status')),
    stores: Array.isArray(stores) ? toArray(stores).flatMap((one) => parseStoreStock(one)) : null,
    sold_out_everywhere: toBoolean(getPath(fulfillment, 'is_out_of_stock_in_all_store_locations')),
  };
}

function parseStoreStock(raw: unknown): NonNullable<StoreStock['stores']> {
  const id = toLine(getPath(raw, 'location_id') ?? getPath(raw, 'store', 'store_id'));
  if (id === null) return [];
  return [
    {
      id,
      name: toLine(getPath(raw, 'location_name') ?? getPath(raw, 'store', 'location_name')),
      quantity: toNatural(getPath(raw, 'location_available_to_promise_quantity')),
      pickup: parseStockState(getPath(raw, 'order_pickup', 'availability_status')),
      in_store: parseStockState(getPath(raw, 'in_store_only', 'availability_status')),
    },
  ];
}
