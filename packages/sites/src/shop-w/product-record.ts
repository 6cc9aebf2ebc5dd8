import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';
import { refusePlace } from '#sites/place-kinds.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Amount = z.number().nullable();

const STOCKS = ['in_stock', 'low_stock', 'out_of_stock', 'unavailable', 'preorder'] as const;

export const ItemInput = z.object({
  id: z.string().min(1).max(2000).optional().describe('The number of the product; wins over url'),
  url: z.url().max(2000).optional().describe('Its page'),
});

export type ItemInput = z.output<typeof ItemInput>;

/** A product of the second retailer. */
export const RetailItem = z.object({
  id: z.string().describe('That of the product that the site shows, where it leads to another'),
  product_id: Text,
  title: z.string(),
  url: z.string(),
  brand: Text,
  description: Text,
  long_description: Text,
  images: z
    .array(z.object({ url: z.string() }))
    .readonly()
    .nullable(),
  main_image_url: Text,
  category_path: z.array(z.string()).readonly().nullable(),
  type: Text,
  price: Amount,
  currency: Text,
  price_text: Text,
  was_price: Amount,
  list_price: Amount,
  unit_price_text: Text,
  savings: Amount,
  price_min: Amount,
  price_max: Amount,
  availability: z.enum(STOCKS).nullable(),
  seller: z
    .object({
      id: Text,
      name: Text.describe('The name that customers see'),
      legal_name: Text.describe('The name that the seller is registered by'),
      type: Text,
    })
    .nullable(),
  rating: z.number().min(0).max(5).nullable(),
  ratings_count: Count,
  upc: Text,
  model: Text,
  specifications: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .readonly()
    .nullable(),
  order_limit: Count,
  variants: z
    .array(
      z.object({
        id: z.string(),
        values: z.array(z.string()).readonly(),
        availability: z.enum(STOCKS).nullable(),
        price: Amount,
      }),
    )
    .readonly()
    .nullable(),
  reviews_summary: z
    .object({
      average: Amount,
      count: Count,
      distribution: z.object({ 1: Count, 2: Count, 3: Count, 4: Count, 5: Count }),
      recommended_percent: Count,
      summary: Text,
    })
    .nullable(),
});

export type RetailItem = z.output<typeof RetailItem>;

/** What else than a product the paths of the site lead to. */
const PLACES: PlaceKinds = [
  [/^\/search(?:[/?]|$)/, 'a search'],
  [/^\/(?:browse|cp)\//, 'a category'],
  [/^\/(?:global\/)?seller\//, 'a seller'],
  [/^\/reviews\//, 'reviews'],
  [/^\/brand\//, 'a brand'],
  [/^\/store\//, 'a store'],
];

const NUMBER = /^\d{4,15}$/;

/** The number of the product that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function itemNumberOf({ id, url }: ItemInput, site: Pick<SiteView, 'locate'>): string {
  const given = id?.trim() ?? '';
  if (NUMBER.test(given)) return given;
  const place = site.locate(id ?? url ?? '');
  const number = itemNumberIn(place?.path ?? '');
  if (number !== null) return number;
  if (place === null && id !== undefined) return refuseReference('id', 'names no product of this site');
  return refusePlace({ parameter: id === undefined ? 'url' : 'id', place, kinds: PLACES, wanted: 'a product' });
}

/** The number in the path of a product, with or without its name before it; null for any other. */
export function itemNumberIn(path: string): string | null {
  return /^\/ip\/(?:[^/?#]+\/)?(\d{4,15})(?:[/?#]|$)/.exec(path)?.[1] ?? null;
}
