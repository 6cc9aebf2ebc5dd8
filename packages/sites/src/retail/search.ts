import { FoundProducts } from './product-record.ts';
import { ChainSearchInput } from './retail-input.ts';
import { chainCards, chainSearched, describedCategory } from './search-sources.ts';
import { retail } from './site.ts';

export const chainSearch = retail({
  path: '/search',
  summary: 'Products of a chain of shops by words, or of a category by its address',
  input: ChainSearchInput,
  record: FoundProducts,
  anyOf: ['search', 'url'],
  aliases: { search: ['q', 'query', 'keyword', 'keywords'] },
  list: 'results',
  sources: [chainSearched, chainCards, describedCategory],
  expected: ['results.price.current', 'results.images', 'results.rating'],
  canary: { search: 'cast iron skillet' },
});
