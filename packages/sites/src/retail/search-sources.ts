import { empty, more, pageOf, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { canonicalOf, things } from '#extract/dom/described.ts';
import { all, attributeAt, lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { readMoney } from '#extract/values/money.ts';
import { toList, tryParse } from '#extract/values/json.ts';
import { at, integer, list, mediaUrl, url } from '#extract/values/raw.ts';
import { toDescribed } from './described-product.ts';
import { askChain, interfaceWordsIn } from './interface.ts';
import type { ChainResult, FoundProducts } from './product-record.ts';
import { readChainResult } from './read-chain.ts';
import { categoryAt, chainIdIn } from './retail-input.ts';
import type { ChainSearchInput } from './retail-input.ts';
import { RETAIL_HOME } from './site.ts';

type ChainSearchSource = EndpointSource<typeof ChainSearchInput, typeof FoundProducts>;

const SIZE = 24;
const SORTS = {
  relevance: 'relevance',
  featured: 'Featured',
  price_asc: 'PriceLow',
  price_desc: 'PriceHigh',
  rating: 'RatingHigh',
  bestselling: 'bestselling',
  newest: 'newest',
} as const;

function pageAt({ page }: ChainSearchInput, cursor: string | null): number {
  return cursor !== null && /^\d{1,3}$/.test(cursor) ? Number(cursor) : page;
}

function requestResults(input: ChainSearchInput, cursor: string | null) {
  const offset = (pageAt(input, cursor) - 1) * SIZE;
  return {
    origin: 'web',
    path: '/s',
    query: { searchTerm: input.search, sortBy: SORTS[input.sort], Nao: offset === 0 ? null : offset },
  };
}

/** The page of a search for what the interface is asked with, then the interface. */
export const chainSearched: ChainSearchSource = {
  name: 'interface',
  when: (_site, { url: address }) => address === undefined,
  request: (input, { cursor }) => requestResults(input, cursor),
  parse(page, input, { cursor }) {
    const number = pageAt(input, cursor);
    if (page.carry === undefined) {
      const words = interfaceWordsIn(page);
      if (words === null) return unusable('what the interface is asked with');
      const query = {
        keyword: input.search,
        page: `/s/${input.search ?? ''}`,
        count: SIZE,
        offset: (number - 1) * SIZE,
        sort_by: SORTS[input.sort],
        default_purchasability_filter: true,
        include_sponsored: false,
        pricing_store_id: input.store_id ?? '3991',
        store_ids: input.store_id,
        zip: input.zip,
      };
      return more(askChain('plp_search_v2', words, query), true);
    }
    const search = at(tryParse(page.body), 'data', 'search');
    const facts = at(search, 'search_response', 'typed_metadata') ?? at(search, 'search_response', 'metadata');
    const total = integer(at(facts, 'total_results'));
    const rows = at(search, 'products');
    if (!Array.isArray(rows)) return unusable('the results of a search');
    const results = list(rows).flatMap((row) => readChainResult(row) ?? []);
    if (results.length === 0) return rows.length === 0 && (total === 0 || number > 1) ? empty() : unusable('products');
    const pages = integer(at(facts, 'total_pages')) ?? (total === null ? number : Math.ceil(total / SIZE));
    return pageOf({ results, total_results: total, page: number }, number < pages ? String(number + 1) : null);
  },
};

const CARD = '[data-test="@web/site-top-of-funnel/ProductCardWrapper"]';

/** The page of a search as a browser draws it. */
export const chainCards: ChainSearchSource = {
  name: 'cards',
  needs: 'browser',
  browser: { scroll: 'end', wait_for: CARD },
  lacks: 'the page of a search does not tell ratings and how many there are',
  when: (_site, { url: address }) => address === undefined,
  request: (input, { cursor }) => requestResults(input, cursor),
  parse(source, input, { cursor }) {
    const page = parsePage(source.body, source.url);
    const cards = all(page, CARD);
    const results = cards.flatMap((card) => cardOf(page, card) ?? []);
    if (results.length === 0) {
      const isEmpty = /no results found|we couldn.t find a match/i.test(
        lineAt(page, 'main') ?? lineAt(page, 'body') ?? '',
      );
      return cards.length === 0 && isEmpty ? empty() : unusable('products');
    }
    const number = pageAt(input, cursor);
    const next = cards.length < SIZE ? null : String(number + 1);
    return pageOf({ results, total_results: null, page: number }, next);
  },
};

function cardOf(page: ParsedPage, card: number): ChainResult | null {
  const address = attributeAt(page, 'a[href*="/A-"]', 'href', card);
  const id = chainIdIn(address ?? '');
  const title =
    attributeAt(page, '[data-test="@web/ProductCard/title"]', 'aria-label', card) ??
    lineAt(page, '[data-test="@web/ProductCard/title"]', card) ??
    lineAt(page, '[data-test="product-title"]', card);
  if (id === null || title === null) return null;
  const shown = lineAt(page, '[data-test="current-price"]', card);
  const before = lineAt(page, '[data-test="comparison-price"]', card);
  return {
    id,
    url: url(address?.replace(/#.*/, ''), RETAIL_HOME) ?? `${RETAIL_HOME}/p/-/A-${id}`,
    title,
    brand: lineAt(page, '[data-test="@web/ProductCard/ProductCardBrandAndRibbonMessage/brand"]', card),
    price: {
      current: moneyIn(shown)?.amount ?? null,
      regular: moneyIn(before)?.amount ?? null,
      currency: moneyIn(shown)?.currency ?? null,
      text: shown,
    },
    rating: null,
    review_count: null,
    images: [mediaUrl(attributeAt(page, 'img', 'src', card), RETAIL_HOME)].flatMap((one) => one ?? []),
  };
}

function moneyIn(words: string | null) {
  return words === null ? null : readMoney(words, { locale: 'en-US', currency: 'USD' });
}

/** The page of a category, which describes the products that it shows for search engines. */
export const describedCategory: ChainSearchSource = {
  name: 'category',
  lacks: 'a category describes only the products that it shows first',
  when: (_site, { url: address }) => address !== undefined,
  request: (input, site) => categoryAt(input, site),
  parse(source, input, site) {
    const page = parsePage(source.body, source.url);
    const wanted = [categoryAt(input, site).path, new URL(source.url).pathname].map((path) => path.replace(/\/$/, ''));
    const own = URL.parse(canonicalOf(page) ?? '', source.url)?.pathname.replace(/\/$/, '');
    if (own === undefined || !wanted.includes(own)) return unusable('the category asked for');
    const lists = things(page, 'ItemList').map(({ members }) => toList(at(members, 'itemListElement')));
    const results = lists.flat().flatMap((one) => toDescribed(at(one, 'item') ?? one, page.url) ?? []);
    if (results.length > 0) return pageOf({ results, total_results: null, page: 1 }, null);
    return lists.some((one) => one.length > 0) || lists.length === 0 ? unusable('products') : empty();
  },
};
