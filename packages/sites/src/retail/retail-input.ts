import { z } from 'zod';
import type { SitePlace, SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';
import { refusePlace } from '#sites/place-kinds.ts';

const StoreId = z
  .string()
  .regex(/^\d{1,6}$/, 'must be the number of a store')
  .optional()
  .describe('The number of a store, as /stores gives it');
const Zip = z
  .string()
  .regex(/^\d{5}$/, 'must be a zip code of five digits')
  .optional()
  .describe('Where the buyer is');

export const ChainProductInput = z.object({
  id: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('The number of a product of the first chain, or an address; wins over url'),
  url: z.url().max(2000).optional().describe('The page of a product of any of the chains'),
  store_id: StoreId,
  zip: Zip,
});

export const ChainSearchInput = z.object({
  search: z.string().trim().min(1).max(300).optional().describe('Words to search for at the first chain'),
  url: z.url().max(2000).optional().describe('A category of the furniture chain instead of search'),
  page: z.int().min(1).max(50).default(1).describe('The page of results'),
  sort: z
    .enum(['relevance', 'featured', 'price_asc', 'price_desc', 'rating', 'bestselling', 'newest'])
    .default('relevance')
    .describe('The order of the products'),
  store_id: StoreId,
  zip: Zip,
});

export const ShopsInput = z.object({
  query: z.string().trim().min(2).max(100).optional().describe('A place'),
  zip: Zip,
});

export const ChainStockInput = z.object({
  id: z.string().min(1).max(2000).describe('The number of the product, or its address'),
  store_id: StoreId,
  zip: Zip,
});

export type ChainProductInput = z.output<typeof ChainProductInput>;
export type ChainSearchInput = z.output<typeof ChainSearchInput>;
export type ShopsInput = z.output<typeof ShopsInput>;
export type ChainStockInput = z.output<typeof ChainStockInput>;
type Locating = Pick<SiteView, 'locate'>;

/** What the paths of the chains lead to. */
const PLACES: PlaceKinds = [
  [/\/A-\d{5,12}(?:[/?#]|$)|^\/[a-z]{2}\/[a-z]{2}\/p\/|^\/product\/|\.p(?:\?|$)/, 'a product'],
  [/^\/s(?:[/?]|$)|\/search(?:[/?]|$)|searchpage/, 'a search'],
  [/^\/c\/|^\/[a-z]{2}\/[a-z]{2}\/cat\//, 'a category'],
  [/^\/b\//, 'a brand'],
  [/^\/sl\/|\/stores?\/|^\/store-locator/, 'a store'],
];

const NUMBER = /^\d{5,12}$/;
/** The pages of products and of categories of the chains that are asked by address alone. */
const PRODUCT_PATHS: Readonly<Record<string, RegExp>> = {
  furniture: /^\/[a-z]{2}\/[a-z]{2}\/p\/[\w-]{1,200}-s?\d{8}\/?$/,
  electronics: /^\/(?:site|product)\/[\w-]{1,300}\/[\w-]{1,30}(?:\.p)?$/,
};
const CATEGORY_PATH = /^\/[a-z]{2}\/[a-z]{2}\/cat\/[\w-]{1,200}\/?$/;

/** The number in the address of a product of the first chain; null where there is none. */
export function chainIdIn(path: string): string | null {
  return /\/A-(\d{5,12})(?:[/?#]|$)/.exec(path)?.[1] ?? null;
}

/** The place of the page of the product that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function chainProductAt({ id, url }: Pick<ChainProductInput, 'id' | 'url'>, site: Locating): SitePlace {
  const given = (id ?? url ?? '').trim();
  if (NUMBER.test(given)) return { origin: 'web', path: `/p/-/A-${given}` };
  const place = site.locate(given);
  const [path = ''] = place?.path.split('?') ?? [];
  const number = place?.origin === 'web' ? chainIdIn(path) : null;
  if (number !== null) return { origin: 'web', path: `/p/-/A-${number}` };
  if (place !== null && PRODUCT_PATHS[place.origin]?.test(path) === true) return { origin: place.origin, path };
  const parameter = id === undefined ? 'url' : 'id';
  if (place === null) return refuseReference(parameter, 'names no product of these chains');
  return refusePlace({ parameter, place, kinds: PLACES, wanted: 'a product' });
}

/** The number of the product that is meant, which only the first chain has. Throws `not_found`, and `invalid_request` for another address. */
export function chainIdOf(input: Pick<ChainProductInput, 'id' | 'url'>, site: Locating): string {
  return chainIdIn(chainProductAt(input, site).path) ?? refuseReference('id', 'names no product of the first chain');
}

/** The place of the category that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function categoryAt({ url }: ChainSearchInput, site: Locating): SitePlace {
  const place = site.locate(url ?? '');
  const [path = ''] = place?.path.split('?') ?? [];
  if (place?.origin === 'furniture' && CATEGORY_PATH.test(path)) return { origin: 'furniture', path };
  if (place?.origin !== 'furniture') return refuseReference('url', 'is no category of the furniture chain');
  return refusePlace({ parameter: 'url', place, kinds: PLACES, wanted: 'a category' });
}
