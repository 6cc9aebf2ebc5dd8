import { z } from 'zod';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { ProductInput } from './asin.ts';

/** The orders of results, as the site names them. */
const ORDERS = {
  relevance: 'relevanceblender',
  price_asc: 'price-asc-rank',
  price_desc: 'price-desc-rank',
  rating: 'review-rank',
  newest: 'date-desc-rank',
  bestselling: 'exact-aware-popularity-rank',
} as const;

/** Pages of results that the site shows at most, of some searches many more. */
export const MOST_SEARCH_PAGES = 20;

const price = (what: string) =>
  z.number().min(0).max(10_000_000).optional().describe(`${what}, in the shop's currency`);

export const ShopSearchInput = z.object({
  search: z.string().trim().min(1).max(500).describe('Words to search for'),
  domain: ProductInput.shape.domain.unwrap().default('com').describe('Marketplace'),
  page: wholeNumber(1, MOST_SEARCH_PAGES).default(1).describe('Which page of results; cursor wins'),
  sort: z
    .enum(['relevance', 'price_asc', 'price_desc', 'rating', 'newest', 'bestselling'])
    .default('relevance')
    .describe('The order of the results'),
  min_price: price('At least'),
  max_price: price('At most'),
  category: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,60}$/, 'is the code of a department such as electronics')
    .optional()
    .describe('Department, as the site names it in addresses'),
  language: ProductInput.shape.language,
});

export type ShopSearchInput = z.output<typeof ShopSearchInput>;

/** The query of one page of results in the site's own words. */
export function toQuery(input: ShopSearchInput, page: number) {
  const { search, sort, min_price: low, max_price: high, category } = input;
  return { k: search, page, s: ORDERS[sort], i: category, 'low-price': low, 'high-price': high };
}
