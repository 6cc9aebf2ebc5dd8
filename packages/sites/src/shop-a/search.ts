import { crawlOf } from '#sites/framework/list-crawl.ts';
import { MOST_SEARCH_PAGES, ShopSearchInput, toQuery } from './search-input.ts';
import { pageNumberOf, readSearchPage, SearchPage } from './search-page.ts';
import { shopA } from './site.ts';

export const shopSearch = shopA({
  path: '/search',
  summary: 'Search products',
  input: ShopSearchInput,
  record: SearchPage,
  aliases: { search: ['query', 'q', 'keyword', 'keywords'] },
  list: 'results',
  expected: ['results.image_url', 'results.price', 'results.rating', 'total_results'],
  canary: { search: 'coffee grinder' },
  request: (input, site) => ({
    origin: `web.${input.domain}`,
    path: '/s',
    query: toQuery(input, pageNumberOf(input, site)),
    ...(input.language === undefined ? {} : { language: input.language }),
  }),
  parse: readSearchPage,
});

export const shopSearchCrawl = crawlOf(shopSearch, {
  method: 'GET',
  summary: 'All products that a search finds, as a job',
  by: 'asin',
  bound: { name: 'max_pages', default: 5, most: MOST_SEARCH_PAGES },
});
