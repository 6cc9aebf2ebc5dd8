import { describedPage } from './described-product.ts';
import { chainPage } from './product-page.ts';
import { ChainProductAnswer } from './product-record.ts';
import { ChainProductInput } from './retail-input.ts';
import { retail } from './site.ts';

export const chainProduct = retail({
  path: '/product',
  summary: 'A product of a chain of shops, by its number or address',
  input: ChainProductInput,
  record: ChainProductAnswer,
  anyOf: ['id', 'url'],
  sources: [chainPage, describedPage],
  expected: ['product.price.current', 'product.brand', 'product.images', 'product.rating', 'product.breadcrumbs'],
  canary: { id: '10291923' },
});
