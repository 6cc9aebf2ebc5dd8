import { z } from 'zod';
import { readItemPage } from './item-page.ts';
import { RetailItem, ItemInput, itemNumberOf } from './product-record.ts';
import { shopW } from './site.ts';

export const retailProduct = shopW({
  path: '/product',
  summary: 'A product by its number or address',
  input: ItemInput,
  record: z.object({ product: RetailItem }),
  anyOf: ['id', 'url'],
  expected: ['product.price', 'product.images', 'product.availability', 'product.rating', 'product.specifications'],
  canary: { id: '436473700' },
  request: (input, site) => ({ origin: 'web', path: `/ip/${itemNumberOf(input, site)}` }),
  parse: (page, input, site) => readItemPage(page, itemNumberOf(input, site)),
});
