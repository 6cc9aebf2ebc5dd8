import { z } from 'zod';
import { answerEmpty, requestMore, buildPage, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteLocation } from '#sites/framework/request.ts';
import { refuseReference, refuseLink } from '#sites/framework/site.ts';
import { findCanonicalUrl, listEntities, selectAll, readAttributeAt, readLineAt } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { toList, parseJsonValue } from '#extract/values/json.ts';
import { parseMoneyText } from '#extract/values/money.ts';
import { getPath, toInteger, toArray, toMediaUrl, toCleanUrl } from '#extract/values/raw.ts';
import {
  buildInterfaceRequest,
  ProductSummary,
  findInterfaceKeys,
  parseProductId,
  parseDescribedResult,
  parseResult,
  PATH_KINDS,
  type SiteLocator,
  StoreId,
  Zip,
} from './shared.ts';
import { retail, TARGET_HOME } from './site.ts';

const SearchAnswer = z.object({
  results: z.array(ProductSummary).readonly(),
  total_results: z.int().min(0).nullable(),
  page: z.int().min(1).nullable(),
});

const SearchInput = z.object({
  search: z.string().trim().min(1).max(300).optional().describe('Words to search for at the first chain'),
  url: z.url().max(2000).optional().describe('Address of a category of the furniture chain, instead of search'),
  page: z.int().min(1).max(50).default(1).describe('Number of the result page'),
  sort: z
    .enum(['relevance', 'featured', 'price_asc', 'price_desc', 'rating', 'bestselling', 'newest'])
    .default('relevance')
    .describe('The order of the products'),
  store_id: StoreId,
  zip: Zip,
});

type SearchSource = EndpointSource<typeof SearchInput, typeof SearchAnswer>;
type SearchInput = z.output<typeof SearchInput>;

/** The interface. The result page is loaded first, because it contains the key for the interface. */
const interfaceSource: SearchSource = {
  name: 'interface',
  when: (_site, { url: address }) => address === undefined,
  request: (input, { cursor }) => buildResultsRequest(input, cursor),
  parse(page, input, { cursor }) {
    const number = readPageNumber(input, cursor);
    if (page.carry === undefined) {
      const keys = findInterfaceKeys(page);
      if (keys === null) return unusable('the key of the interface is missing');
      const query = {
        keyword: input.search,
        page: `/s/${input.search ?? ''}`,
        count: PAGE_SIZE,
        offset: (number - 1) * PAGE_SIZE,
        sort_by: SORTS[input.sort],
        default_purchasability_filter: true,
        include_sponsored: false,
        pricing_store_id: input.store_id ?? '3991',
        store_ids: input.store_id,
        zip: input.zip,
      };
      return requestMore(buildInterfaceRequest('plp_search_v2', keys, query), true);
    }
    const search = getPath(parseJsonValue(page.body), 'data', 'search');
    const facts =
      getPath(search, 'search_response', 'typed_metadata') ?? getPath(search, 'search_response', 'metadata');
    const total = toInteger(getPath(facts, 'total_results'));
    const rows = getPath(search, 'products');
    if (!Array.isArray(rows)) return unusable('the results of a search are missing');
    const results = toArray(rows).flatMap((row) => parseResult(row) ?? []);
    if (results.length === 0)
      return rows.length === 0 && (total === 0 || number > 1) ? answerEmpty() : unusable('no products');
    const pages = toInteger(getPath(facts, 'total_pages')) ?? (total === null ? number : Math.ceil(total / PAGE_SIZE));
    return buildPage({ results, total_results: total, page: number }, number < pages ? String(number + 1) : null);
  },
};

const CARD = '[data-test="@web/site-top-of-funnel/ProductCardWrapper"]';

/** The result page as a browser renders it. */
const pageSource: SearchSource = {
  name: 'cards',
  needs: 'browser',
  browser: { scroll: 'end', wait_for: CARD },
  lacks: 'the result page does not show ratings and the total number of results',
  when: (_site, { url: address }) => address === undefined,
  request: (input, { cursor }) => buildResultsRequest(input, cursor),
  parse(source, input, { cursor }) {
    const page = parsePage(source.body, source.url);
    const cards = selectAll(page, CARD);
    const results = cards.flatMap((card) => parseCard(page, card) ?? []);
    if (results.length === 0) {
      const isEmpty = /no results found|we couldn.t find a match/i.test(
        readLineAt(page, 'main') ?? readLineAt(page, 'body') ?? '',
      );
      return cards.length === 0 && isEmpty ? answerEmpty() : unusable('no products');
    }
    const number = readPageNumber(input, cursor);
    const next = cards.length < PAGE_SIZE ? null : String(number + 1);
    return buildPage({ results, total_results: null, page: number }, next);
  },
};

/** The schema.org data of the page of a category. */
const categorySource: SearchSource = {
  name: 'category',
  lacks: 'the page of a category has only the data of its first products',
  when: (_site, { url: address }) => address !== undefined,
  request: (input, site) => locateCategory(input, site),
  parse(source, input, site) {
    const page = parsePage(source.body, source.url);
    const wanted = [locateCategory(input, site).path, new URL(source.url).pathname].map((path) =>
      path.replace(/\/$/, ''),
    );
    const own = URL.parse(findCanonicalUrl(page) ?? '', source.url)?.pathname.replace(/\/$/, '');
    if (own === undefined || !wanted.includes(own)) return unusable('the requested category is missing');
    const lists = listEntities(page, 'ItemList').map(({ members }) => toList(getPath(members, 'itemListElement')));
    const results = lists.flat().flatMap((one) => parseDescribedResult(getPath(one, 'item') ?? one, page.url) ?? []);
    if (results.length > 0) return buildPage({ results, total_results: null, page: 1 }, null);
    return lists.some((one) => one.length > 0) || lists.length === 0 ? unusable('no products') : answerEmpty();
  },
};

export const retailSearch = retail({
  path: '/search',
  summary: 'Products of a chain of shops by words, or of a category by its address',
  input: SearchInput,
  record: SearchAnswer,
  anyOf: ['search', 'url'],
  aliases: { search: ['q', 'query', 'keyword', 'keywords'] },
  list: 'results',
  sources: [interfaceSource, pageSource, categorySource],
  expected: ['results.price.current', 'results.images', 'results.rating'],
  canary: { search: 'cast iron skillet' },
});

const PAGE_SIZE = 24;

const SORTS = {
  relevance: 'relevance',
  featured: 'Featured',
  price_asc: 'PriceLow',
  price_desc: 'PriceHigh',
  rating: 'RatingHigh',
  bestselling: 'bestselling',
  newest: 'newest',
} as const;

function readPageNumber({ page }: SearchInput, cursor: string | null): number {
  return cursor !== null && /^\d{1,3}$/.test(cursor) ? Number(cursor) : page;
}

function buildResultsRequest(input: SearchInput, cursor: string | null) {
  const offset = (readPageNumber(input, cursor) - 1) * PAGE_SIZE;
  return {
    origin: 'web',
    path: '/s',
    query: { searchTerm: input.search, sortBy: SORTS[input.sort], Nao: offset === 0 ? null : offset },
  };
}

function parseCard(page: ParsedPage, card: number): ProductSummary | null {
  const address = readAttributeAt(page, 'a[href*="/A-"]', 'href', card);
  const id = parseProductId(address ?? '');
  const title =
    readAttributeAt(page, '[data-test="@web/ProductCard/title"]', 'aria-label', card) ??
    readLineAt(page, '[data-test="@web/ProductCard/title"]', card) ??
    readLineAt(page, '[data-test="product-title"]', card);
  if (id === null || title === null) return null;
  const shown = readLineAt(page, '[data-test="current-price"]', card);
  const before = readLineAt(page, '[data-test="comparison-price"]', card);
  return {
    id,
    url: toCleanUrl(address?.replace(/#.*/, ''), TARGET_HOME) ?? `${TARGET_HOME}/p/-/A-${id}`,
    title,
    brand: readLineAt(page, '[data-test="@web/ProductCard/ProductCardBrandAndRibbonMessage/brand"]', card),
    price: {
      current: parseMoney(shown)?.amount ?? null,
      regular: parseMoney(before)?.amount ?? null,
      currency: parseMoney(shown)?.currency ?? null,
      text: shown,
    },
    rating: null,
    review_count: null,
    images: [toMediaUrl(readAttributeAt(page, 'img', 'src', card), TARGET_HOME)].flatMap((one) => one ?? []),
  };
}

function parseMoney(words: string | null) {
  return words === null ? null : parseMoneyText(words, { locale: 'en-US', currency: 'USD' });
}

const CATEGORY_PATH = /^\/[a-z]{2}\/[a-z]{2}\/cat\/[\w-]{1,200}\/?$/;

/** Locates the wanted category. Throws `not_found`, and `invalid_request` for an address of another kind. */
function locateCategory({ url: link }: SearchInput, site: SiteLocator): SiteLocation {
  const place = site.locate(link ?? '');
  const [path = ''] = place?.path.split('?') ?? [];
  if (place?.origin === 'furniture' && CATEGORY_PATH.test(path)) return { origin: 'furniture', path };
  if (place?.origin !== 'furniture') return refuseReference('url', 'is not a category of the furniture chain');
  return refuseLink({ parameter: 'url', place, kinds: PATH_KINDS, wanted: 'a category' });
}
