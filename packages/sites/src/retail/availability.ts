import { z } from 'zod';
import { more, unusable } from '#sites/framework/answers.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, line, list, natural } from '#extract/values/raw.ts';
import { askChain, interfaceWordsIn } from './interface.ts';
import { ChainStock } from './product-record.ts';
import { stockState } from './read-chain.ts';
import { chainIdOf, ChainStockInput } from './retail-input.ts';
import { retail } from './site.ts';

function readStock(product: unknown, id: string): ChainStock | null {
  const given = at(product, 'fulfillment');
  if (line(at(product, 'tcin')) !== id || given === undefined) return null;
  const stores = at(given, 'store_options');
  return {
    id,
    shipping: stockState(at(given, 'shipping_options', 'availability_status')),
    shipping_quantity: natural(at(given, 'shipping_options', 'available_to_promise_quantity')),
    delivery: stockState(at(given, 'scheduled_delivery', 'availability_status')),
    stores: Array.isArray(stores) ? list(stores).flatMap((one) => readStoreStock(one)) : null,
    sold_out_everywhere: boolean(at(given, 'is_out_of_stock_in_all_store_locations')),
  };
}

function readStoreStock(raw: unknown): NonNullable<ChainStock['stores']> {
  const id = line(at(raw, 'location_id') ?? at(raw, 'store', 'store_id'));
  if (id === null) return [];
  return [
    {
      id,
      name: line(at(raw, 'location_name') ?? at(raw, 'store', 'location_name')),
      quantity: natural(at(raw, 'location_available_to_promise_quantity')),
      pickup: stockState(at(raw, 'order_pickup', 'availability_status')),
      in_store: stockState(at(raw, 'in_store_only', 'availability_status')),
    },
  ];
}

export const chainStock = retail({
  path: '/availability',
  summary: 'Whether a product is in stock: shipped, or picked up at a store',
  input: ChainStockInput,
  record: z.object({ availability: ChainStock }),
  expected: ['availability.shipping', 'availability.stores'],
  canary: { id: '10291923', store_id: '1375' },
  request(input, site) {
    if (input.store_id === undefined && input.zip === undefined) refuseParameter('store_id', 'or zip is needed');
    return { origin: 'web', path: `/p/-/A-${chainIdOf(input, site)}` };
  },
  parse(page, input, site) {
    const id = chainIdOf(input, site);
    if (page.carry !== undefined) {
      const availability = readStock(at(tryParse(page.body), 'data', 'product'), id);
      return availability === null ? unusable('the stock of the product') : { availability };
    }
    const words = interfaceWordsIn(page);
    if (words === null) return unusable('what the interface is asked with');
    const { store_id: store, zip } = input;
    const query = { tcin: id, store_id: store, required_store_id: store, scheduled_delivery_store_id: store, zip };
    return more(askChain('product_fulfillment_v1', words, query), true);
  },
});
