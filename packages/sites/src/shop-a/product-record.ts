import { z } from 'zod';
import { AVAILABILITIES } from './stock.ts';

const Text = z.string().nullable();
const Texts = z.array(z.string()).readonly().nullable();
const Flag = z.boolean().nullable();

export const Product = z.object({
  asin: z.string(),
  parent_asin: Text,
  title: z.string(),
  url: z.string(),
  brand: Text,
  byline: Text,
  description: Text,
  features: Texts,
  images: z
    .array(z.object({ url: z.string(), thumbnail_url: Text, variant: Text }))
    .readonly()
    .nullable(),
  main_image_url: Text,
  categories: Texts,
  rating: z.number().min(0).max(5).nullable(),
  ratings_count: z.int().min(0).nullable(),
  availability: z.enum(AVAILABILITIES).nullable(),
  availability_text: Text,
  price: z.number().nullable(),
  currency: Text.describe('ISO 4217; that of the visitor, not of the marketplace'),
  price_text: Text,
  list_price: z.number().nullable(),
  savings_percent: z.int().nullable(),
  price_source: Text.describe('Where in the page the price stood'),
  seller: z.object({ id: Text, name: z.string() }).nullable(),
  ships_from: Text,
  fulfilled_by_shop: Flag,
  delivery_text: Text,
  condition: Text,
  is_prime: Flag,
  coupon_text: Text,
  specifications: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
  bestseller_ranks: z
    .array(z.object({ rank: z.int(), category: z.string() }))
    .readonly()
    .nullable(),
  variants: z
    .array(z.object({ asin: z.string(), values: z.array(z.string()).readonly() }))
    .readonly()
    .nullable(),
  dimensions: Texts,
  delivery_location_text: Text,
});
