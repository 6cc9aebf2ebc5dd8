import { more, partly, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { tryParse } from '#extract/values/json.ts';
import { askChain, frozenIn, interfaceWordsIn, productIn } from './interface.ts';
import type { ChainProductAnswer } from './product-record.ts';
import { readChainProduct } from './read-chain.ts';
import { chainIdIn, chainIdOf, chainProductAt } from './retail-input.ts';
import type { ChainProductInput } from './retail-input.ts';

const PRICELESS = 'the page does not tell the price';

/** The page of a product with the data that it is drawn from; what it costs at a store, the interface says. */
export const chainPage: EndpointSource<typeof ChainProductInput, typeof ChainProductAnswer> = {
  name: 'page',
  when: (site, input) => chainProductAt(input, site).origin === 'web',
  request: (input, site) => chainProductAt(input, site),
  parse(page, input, site) {
    const id = typeof page.carry === 'string' ? page.carry : shownIdOf(page, chainIdOf(input, site));
    if (page.carry !== undefined) return readInterface(page, id);
    const product = readChainProduct(productIn(frozenIn(page, '__TGT_DATA__'), id));
    const words = interfaceWordsIn(page);
    const isAtStore = input.store_id !== undefined || input.zip !== undefined;
    if (product !== null && product.price.current !== null && !isAtStore) return { product };
    const without =
      product === null ? null : partly({ product }, isAtStore ? 'of the store asked for nothing is told' : PRICELESS);
    if (words === null) return without ?? unusable('a product');
    const query = {
      tcin: id,
      is_bot: false,
      pricing_store_id: input.store_id ?? '3991',
      store_id: input.store_id,
      zip: input.zip,
    };
    return more(askChain('pdp_client_v1', words, query), id, without);
  },
};

function readInterface(page: SourcePage, id: string) {
  const product = readChainProduct(productIn(tryParse(page.body), id));
  return product === null ? unusable('the product asked for') : { product };
}

/** The number of the product that the page shows: where the site led to another, that. */
function shownIdOf(page: SourcePage, asked: string): string {
  const [own, shown] = [
    chainIdIn(new URL(page.url).pathname),
    chainIdIn(canonicalOf(parsePage(page.body, page.url)) ?? ''),
  ];
  return own !== null && own === shown ? own : asked;
}
