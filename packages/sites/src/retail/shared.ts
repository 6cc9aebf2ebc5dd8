import { decodeHTML } from 'entities';
import { z } from 'zod';
import type { SiteLocation, SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference, type PathKinds, refuseLink } from '#sites/framework/site.ts';
import { findValueAfter } from '#extract/json/embedded-json.ts';
import { toList } from '#extract/values/json.ts';
import {
  getPath,
  toNumber,
  toLine,
  toArray,
  toMediaUrl,
  toNatural,
  parseAmount,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { TARGET_HOME } from './site.ts';

export const StoreId = z
  .string()
  .regex(/^\d{1,6}$/, 'must be the number of a store')
  .optional()
  .describe('The number of a store, as returned by /stores');

export const Zip = z
  .string()
  .regex(/^\d{5}$/, 'must be a zip code of five digits')
  .optional()
  .describe('ZIP code of the buyer');

type ProductReference = { readonly id?: string; readonly url?: string };
export type SiteLocator = Pick<SiteContext, 'locate'>;

/** The kinds of the chains' addresses. */
export const PATH_KINDS: PathKinds = [
  [/\/A-\d{5,12}(?:[/?#]|$)|^\/[a-z]{2}\/[a-z]{2}\/p\/|^\/product\/|\.p(?:\?|$)/, 'a product'],
  [/^\/s(?:[/?]|$)|\/search(?:[/?]|$)|searchpage/, 'a search'],
  [/^\/c\/|^\/[a-z]{2}\/[a-z]{2}\/cat\//, 'a category'],
  [/^\/b\//, 'a brand'],
  [/^\/sl\/|\/stores?\/|^\/store-locator/, 'a store'],
];

const PRODUCT_NUMBER = /^\d{5,12}$/;

/** The paths of products of the chains that are read by address only. */
const PRODUCT_PATHS: Readonly<Record<string, RegExp>> = {
  furniture: /^\/[a-z]{2}\/[a-z]{2}\/p\/[\w-]{1,200}-s?\d{8}\/?$/,
  electronics: /^\/(?:site|product)\/[\w-]{1,300}\/[\w-]{1,30}(?:\.p)?$/,
};

/** Finds the id in the address of a product of the first chain. Null if there is none. */
export function parseProductId(path: string): string | null {
  return /\/A-(\d{5,12})(?:[/?#]|$)/.exec(path)?.[1] ?? null;
}

/** Locates the page of the wanted product. Throws `not_found`, and `invalid_request` for an address of another kind. */
export function locateProduct({ id, url: link }: ProductReference, site: SiteLocator): SiteLocation {
  const reference = (id ?? link ?? '').trim();
  if (PRODUCT_NUMBER.test(reference)) return { origin: 'web', path: `/p/-/A-${reference}` };
  const place = site.locate(reference);
  const [path = ''] = place?.path.split('?') ?? [];
  const number = place?.origin === 'web' ? parseProductId(path) : null;
  if (number !== null) return { origin: 'web', path: `/p/-/A-${number}` };
  if (place !== null && PRODUCT_PATHS[place.origin]?.test(path) === true) return { origin: place.origin, path };
  const parameter = id === undefined ? 'url' : 'id';
  if (place === null) return refuseReference(parameter, 'is not a product of these chains');
  return refuseLink({ parameter, place, kinds: PATH_KINDS, wanted: 'a product' });
}

/** Reads the id of the wanted product, which only the first chain has. Throws `not_found` and `invalid_request`. */
export function readProductId(input: ProductReference, site: SiteLocator): string {
  return (
    parseProductId(locateProduct(input, site).path) ?? refuseReference('id', 'is not a product of the first chain')
  );
}

export const Text = z.string().nullable();
export const Count = z.int().min(0).nullable();
const Amount = z.number().min(0).nullable();
const STOCK_STATES = ['in_stock', 'limited', 'out_of_stock', 'preorder', 'unavailable'] as const;
export const Stock = z.enum(STOCK_STATES).nullable();

export type StockState = z.output<typeof Stock>;

export const Price = z.object({ current: Amount, regular: Amount, currency: Text, text: Text });

type ProductPrice = z.output<typeof Price>;

/** A product in a list. */
export const ProductSummary = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  brand: Text,
  price: Price,
  rating: z.number().min(0).max(5).nullable(),
  review_count: Count,
  images: z.array(z.string()).readonly(),
});

export type ProductSummary = z.output<typeof ProductSummary>;

/** Reads a value that the page passes to `deepFreeze` under a name. Undefined if there is none. */
export function readFrozenValue({ body }: SourcePage, name: string): unknown {
  const place = body.indexOf(`'${name}'`);
  return place === -1 ? undefined : findValueAfter(body.slice(place), 'deepFreeze(');
}

/** The API key in every page, and the id of the visitor. */
type InterfaceKeys = { readonly key: string; readonly visitor: string | null };

export function findInterfaceKeys(page: SourcePage): InterfaceKeys | null {
  const services = getPath(readFrozenValue(page, '__CONFIG__'), 'services');
  const key = toLine(getPath(services, 'redskyAggregations', 'apiKey') ?? getPath(services, 'redsky', 'apiKey'));
  if (key === null || !/^\w{16,64}$/.test(key)) return null;
  const visitor = /"visitor_?[iI]d\\?"\s*:\s*\\?"(\w{16,64})/.exec(page.body)?.[1] ?? null;
  return { key, visitor };
}

/** Builds a request for the interface that the chain's own pages use. */
export function buildInterfaceRequest(
  name: string,
  { key, visitor }: InterfaceKeys,
  query: NonNullable<SiteRequest['query']>,
): SiteRequest {
  return {
    origin: 'api',
    path: `/redsky_aggregations/v1/web/${name}`,
    query: { key, channel: 'WEB', platform: 'desktop', visitor_id: visitor, ...query },
    headers: { accept: 'application/json' },
  };
}

/** Parses a product of the interface, which has the same shape in lists and in the data of a page. */
export function parseResult(raw: unknown): ProductSummary | null {
  const id = toLine(getPath(raw, 'tcin'));
  const item = getPath(raw, 'item') ?? getPath(raw, 'parent', 'item');
  const title = decodeText(getPath(item, 'product_description', 'title'));
  if (id === null || title === null) return null;
  const statistics =
    getPath(raw, 'ratings_and_reviews', 'statistics') ?? getPath(raw, 'parent', 'ratings_and_reviews', 'statistics');
  return {
    id,
    url: toCleanUrl(getPath(item, 'enrichment', 'buy_url'), TARGET_HOME) ?? `${TARGET_HOME}/p/-/A-${id}`,
    title,
    brand: decodeText(getPath(item, 'primary_brand', 'name')),
    price: parsePrice(getPath(raw, 'price')),
    rating: parseStars(getPath(statistics, 'rating', 'average')),
    review_count: toNatural(getPath(statistics, 'review_count')) ?? toNatural(getPath(statistics, 'rating', 'count')),
    images: parseImages(getPath(item, 'enrichment')),
  };
}

/** Parses the price. A product with variants has a range, of which the lower end is used. */
export function parsePrice(raw: unknown): ProductPrice {
  const amount = (name: string): number | null => {
    const value = toNumber(getPath(raw, name)) ?? toNumber(getPath(raw, `${name}_min`));
    return value === null || value < 0 ? null : value;
  };
  const current = amount('current_retail');
  const words = toLine(getPath(raw, 'formatted_current_price'));
  return {
    current,
    regular: amount('reg_retail'),
    currency: current !== null && (words === null || words.includes('$')) ? 'USD' : null,
    text: words,
  };
}

function parseImages(enrichment: unknown): readonly string[] {
  const info = getPath(enrichment, 'image_info') ?? getPath(enrichment, 'images');
  const first =
    getPath(info, 'primary_image', 'url') ??
    getPath(info, 'primary_image_url') ??
    getPath(enrichment, 'images', 'primary_image_url');
  const others = [
    ...toArray(getPath(info, 'alternate_images')).map((one) => getPath(one, 'url')),
    ...toArray(getPath(info, 'alternate_image_urls')),
  ];
  return [...new Set([first, ...others].flatMap((one) => toMediaUrl(one, TARGET_HOME) ?? []))];
}

const STOCK_PATTERNS: readonly (readonly [RegExp, StockState])[] = [
  [/^(?:IN_STOCK|AVAILABLE)$/, 'in_stock'],
  [/^LIMITED/, 'limited'],
  [/^PRE_ORDER/, 'preorder'],
  [/^(?:OUT_OF_STOCK|DISCONTINUED)/, 'out_of_stock'],
  [/^(?:UNAVAILABLE|NOT_SOLD|NOT_AVAILABLE)/, 'unavailable'],
];

/** Parses the interface's constant for a stock state. Null for an unknown one. */
export function parseStockState(raw: unknown): StockState {
  const word = toLine(raw) ?? '';
  return STOCK_PATTERNS.find(([words]) => words.test(word))?.[1] ?? null;
}

function parseStars(raw: unknown): number | null {
  const value = toNumber(raw);
  return value === null || value <= 0 || value > 5 ? null : value;
}

/** Decodes the HTML entities of a text. */
export function decodeText(raw: unknown): string | null {
  const words = toLine(raw);
  return words === null ? null : toLine(decodeHTML(words));
}

/** Parses the schema.org data of a product, from its own page or a list. */
export function parseDescribedResult(members: unknown, base: string): ProductSummary | null {
  const title = toLine(getPath(members, 'name'));
  const address = toCleanUrl(toLine(getPath(members, 'url') ?? getPath(members, '@id')), base);
  const id =
    toLine(getPath(members, 'sku') ?? getPath(members, 'productID')) ??
    /(\d{8})\/?(?:#.*)?$/.exec(address ?? '')?.[1] ??
    null;
  if (title === null || address === null || id === null) return null;
  const rating = getPath(members, 'aggregateRating');
  return {
    id,
    url: address.replace(/#.*$/, ''),
    title,
    brand: toLine(getPath(members, 'brand', 'name') ?? getPath(members, 'brand')),
    price: parseOfferPrice(toList(getPath(members, 'offers'))[0]),
    rating: parseStars(getPath(rating, 'ratingValue')),
    review_count: toNatural(getPath(rating, 'reviewCount') ?? getPath(rating, 'ratingCount')),
    images: toList(getPath(members, 'image')).flatMap(
      (one) => toMediaUrl(toLine(getPath(one, 'contentUrl') ?? getPath(one, 'url') ?? one), base) ?? [],
    ),
  };
}

/** Parses the price of an offer. Of several offers it is the lowest. A list of prices has the regular price, too. */
function parseOfferPrice(offer: unknown): ProductPrice {
  const stated = toList(getPath(offer, 'priceSpecification'));
  const regular = stated.find((one) =>
    /(?:List|Strikethrough|Regular)Price/i.test(toLine(getPath(one, 'priceType')) ?? ''),
  );
  const own = stated.find((one) => one !== regular);
  return {
    current: parseAmount(getPath(offer, 'price') ?? getPath(offer, 'lowPrice') ?? getPath(own, 'price')),
    regular: parseAmount(getPath(regular, 'price')),
    currency: toLine(getPath(offer, 'priceCurrency') ?? getPath(own, 'priceCurrency')),
    text: null,
  };
}
