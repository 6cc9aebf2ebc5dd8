import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockSite } from './site-pages.ts';

const page = (name: string): PageReply => readSyntheticPage('retail', name);

/** Mock of retail chains: a product with stock, a store, a search with two pages, and products of two other chains. */
export const RETAIL_PAGES: MockSite = {
  site: 'retail',
  origins: {
    web: ({ url }) => answerWeb(url),
    api: ({ url }) => answerInterface(url),
    furniture: ({ url }) => (url.pathname.startsWith('/us/en/cat/mills') ? page('search--category.page.html') : null),
    electronics: ({ url }) => (url.pathname.startsWith('/product/') ? page('product--electric.page.html') : null),
  },
};

function answerWeb({ pathname }: URL): PageReply {
  if (pathname === '/p/-/A-70010020') return page('product--mill.page.html');
  if (pathname === '/s' || pathname.startsWith('/store-locator/')) return page('search--page.page.html');
  return buildHtmlReply('<!doctype html><title>page not found</title>\n', 404);
}

function answerInterface({ pathname, searchParams }: URL): PageReply {
  if (searchParams.get('key') !== '9f00aa11bb22cc33') return buildJsonReply({ message: 'Forbidden' }, 403);
  switch (pathname.split('/').at(-1)) {
    case 'pdp_client_v1':
      return page('product--store.page.json');
    case 'product_fulfillment_v1':
      return page('availability--mill.page.json');
    case 'nearby_stores_v1':
      return page('stores--weir.page.json');
    default:
      return findProducts(searchParams);
  }
}

function findProducts(query: URLSearchParams): PageReply {
  const nothing = { products: [], search_response: { typed_metadata: { total_results: 0, total_pages: 0 } } };
  if (query.get('keyword') !== 'mill') return buildJsonReply({ data: { search: nothing } });
  return page(`search--${query.get('offset') === '0' ? 'first' : 'second'}.page.json`);
}
