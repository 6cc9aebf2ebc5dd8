import { z } from 'zod';
import { more, unusable } from '#sites/framework/answers.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, line, list, natural } from '#extract/values/raw.ts';
import {
  buildInterfaceRequest,
  Count,
  findInterfaceKeys,
  parseStockState,
  readChainId,
  Stock,
  StoreId,
  Text,
  Zip,
} from './shared.ts';
import { retail } from './site.ts';

const ChainStock = z.object({
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

type ChainStock = z.output<typeof ChainStock>;

const ChainStockInput = z.object({
  id: z.string().min(1).max(2000).describe('The number of the product, or its address'),
  store_id: StoreId,
  zip: Zip,
});

type ChainStockInput = z.output<typeof ChainStockInput>;

export const chainStock = retail({
  path: '/availability',
  summary: 'Whether a product is in stock: shipped, or picked up at a store',
  input: ChainStockInput,
  record: z.object({ availability: ChainStock }),
  expected: ['availability.shipping', 'availability.stores'],
  canary: { id: '10291923', store_id: '1375' },
  request(input, site) {
    if (input.store_id === undefined && input.zip === undefined) refuseParameter('store_id', 'or zip is needed');
    return { origin: 'web', path: `/p/-/A-${readChainId(input, site)}` };
  },
  parse(page, input, site) {
    const id = readChainId(input, site);
    if (page.carry !== undefined) {
      const availability = parseStock(at(tryParse(page.body), 'data', 'product'), id);
      return availability === null ? unusable('the stock of the product') : { availability };
    }
    const keys = findInterfaceKeys(page);
    if (keys === null) return unusable('what the interface is asked with');
    const { store_id: store, zip } = input;
    const query = { tcin: id, store_id: store, required_store_id: store, scheduled_delivery_store_id: store, zip };
    return more(buildInterfaceRequest('product_fulfillment_v1', keys, query), true);
  },
});

function parseStock(product: unknown, id: string): ChainStock | null {
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

function parseStoreStock(raw: unknown): NonNullable<ChainStock['stores']> {
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
