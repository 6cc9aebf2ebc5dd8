import { decodeHTML } from 'entities';
import { readRich } from '#extract/dom/elements.ts';
import { at, decimal, line, list, mediaUrl, natural, text, url } from '#extract/values/raw.ts';
import type { ChainPrice, ChainProduct, ChainResult, StockState } from './product-record.ts';
import { RETAIL_HOME } from './site.ts';

/** A product as the interface has it in lists, and in its parts on a page. */
export function readChainResult(raw: unknown): ChainResult | null {
  const id = line(at(raw, 'tcin'));
  const item = at(raw, 'item') ?? at(raw, 'parent', 'item');
  const title = plain(at(item, 'product_description', 'title'));
  if (id === null || title === null) return null;
  const statistics =
    at(raw, 'ratings_and_reviews', 'statistics') ?? at(raw, 'parent', 'ratings_and_reviews', 'statistics');
  return {
    id,
    url: url(at(item, 'enrichment', 'buy_url'), RETAIL_HOME) ?? `${RETAIL_HOME}/p/-/A-${id}`,
    title,
    brand: plain(at(item, 'primary_brand', 'name')),
    price: priceOf(at(raw, 'price')),
    rating: chainStars(at(statistics, 'rating', 'average')),
    review_count: natural(at(statistics, 'review_count')) ?? natural(at(statistics, 'rating', 'count')),
    images: imagesOf(at(item, 'enrichment')),
  };
}

export function readChainProduct(raw: unknown): ChainProduct | null {
  const result = readChainResult(raw);
  if (result === null) return null;
  const item = at(raw, 'item');
  const description = text(at(item, 'product_description', 'downstream_description'));
  const children = at(raw, 'children');
  return {
    ...result,
    description: description === null ? null : (text(readRich(description, RETAIL_HOME)?.text) ?? null),
    variants: Array.isArray(children) ? list(children).flatMap((child) => variantOf(child)) : null,
    availability: {
      shipping: stockState(at(raw, 'fulfillment', 'shipping_options', 'availability_status')),
      pickup: stockState(at(raw, 'fulfillment', 'store_options', 0, 'order_pickup', 'availability_status')),
      in_store: stockState(at(raw, 'fulfillment', 'store_options', 0, 'in_store_only', 'availability_status')),
    },
    specs: specsOf(at(item, 'product_description', 'bullet_descriptions')),
    breadcrumbs: crumbsOf(at(raw, 'category', 'breadcrumbs')),
    gtin: line(at(item, 'primary_barcode')),
  };
}

function variantOf(child: unknown): NonNullable<ChainProduct['variants']> {
  const id = line(at(child, 'tcin'));
  if (id === null) return [];
  return [
    {
      id,
      title: plain(at(child, 'item', 'product_description', 'title')),
      price: priceOf(at(child, 'price')),
      availability: stockState(at(child, 'fulfillment', 'shipping_options', 'availability_status')),
    },
  ];
}

/** What products of several kinds cost is a range, and its lower end the price. */
function priceOf(raw: unknown): ChainPrice {
  const amount = (name: string): number | null => {
    const value = decimal(at(raw, name)) ?? decimal(at(raw, `${name}_min`));
    return value === null || value < 0 ? null : value;
  };
  const current = amount('current_retail');
  const words = line(at(raw, 'formatted_current_price'));
  return {
    current,
    regular: amount('reg_retail'),
    currency: current !== null && (words === null || words.includes('$')) ? 'USD' : null,
    text: words,
  };
}

function imagesOf(enrichment: unknown): readonly string[] {
  const info = at(enrichment, 'image_info') ?? at(enrichment, 'images');
  const first =
    at(info, 'primary_image', 'url') ?? at(info, 'primary_image_url') ?? at(enrichment, 'images', 'primary_image_url');
  const others = [
    ...list(at(info, 'alternate_images')).map((one) => at(one, 'url')),
    ...list(at(info, 'alternate_image_urls')),
  ];
  return [...new Set([first, ...others].flatMap((one) => mediaUrl(one, RETAIL_HOME) ?? []))];
}

/** `<B>Number of Pieces:</B> 1` */
function specsOf(bullets: unknown): ChainProduct['specs'] {
  if (!Array.isArray(bullets)) return null;
  return list(bullets).flatMap((bullet) => {
    const [, name, value] = /^<b>\s*([^<]{1,200}?):?\s*<\/b>\s*([^]{1,2000})$/i.exec(text(bullet) ?? '') ?? [];
    const [known, said] = [plain(name), value === undefined ? null : plain(readRich(value, RETAIL_HOME)?.text)];
    return known === null || said === null ? [] : [{ name: known, value: said }];
  });
}

/** The first is the shop itself. */
function crumbsOf(crumbs: unknown): ChainProduct['breadcrumbs'] {
  if (!Array.isArray(crumbs)) return null;
  return list(crumbs)
    .filter((one) => line(at(one, 'category_id')) !== 'root')
    .flatMap((one) => plain(at(one, 'name')) ?? []);
}

const STATES: readonly (readonly [RegExp, StockState])[] = [
  [/^(?:IN_STOCK|AVAILABLE)$/, 'in_stock'],
  [/^LIMITED/, 'limited'],
  [/^PRE_ORDER/, 'preorder'],
  [/^(?:OUT_OF_STOCK|DISCONTINUED)/, 'out_of_stock'],
  [/^(?:UNAVAILABLE|NOT_SOLD|NOT_AVAILABLE)/, 'unavailable'],
];

/** A word of the interface for a state of stock; null for one that is not known. */
export function stockState(raw: unknown): StockState {
  const word = line(raw) ?? '';
  return STATES.find(([words]) => words.test(word))?.[1] ?? null;
}

export function chainStars(raw: unknown): number | null {
  const value = decimal(raw);
  return value === null || value <= 0 || value > 5 ? null : value;
}

/** Texts come with their signs escaped. */
function plain(raw: unknown): string | null {
  const words = line(raw);
  return words === null ? null : line(decodeHTML(words));
}
