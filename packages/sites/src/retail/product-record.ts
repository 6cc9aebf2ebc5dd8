import { z } from 'zod';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Amount = z.number().min(0).nullable();

export const STOCK_STATES = ['in_stock', 'limited', 'out_of_stock', 'preorder', 'unavailable'] as const;
const Stock = z.enum(STOCK_STATES).nullable();

const Price = z.object({ current: Amount, regular: Amount, currency: Text, text: Text });

/** A product in a list. */
export const ChainResult = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  brand: Text,
  price: Price,
  rating: z.number().min(0).max(5).nullable(),
  review_count: Count,
  images: z.array(z.string()).readonly(),
});

/** A product of a chain. */
export const ChainProduct = ChainResult.extend({
  description: Text,
  variants: z
    .array(z.object({ id: z.string(), title: Text, price: Price, availability: Stock }))
    .readonly()
    .nullable(),
  availability: z.object({ shipping: Stock, pickup: Stock, in_store: Stock }),
  specs: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .readonly()
    .nullable(),
  breadcrumbs: z.array(z.string()).readonly().nullable(),
  gtin: Text,
});

export const Shop = z.object({
  id: z.string(),
  name: z.string(),
  address: Text,
  city: Text,
  region: Text,
  zip: Text,
  country: Text,
  phone: Text,
  distance_miles: z.number().min(0).nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  status: Text,
});

export const ChainStock = z.object({
  id: z.string(),
  shipping: Stock,
  shipping_quantity: Count,
  delivery: Stock,
  stores: z
    .array(z.object({ id: z.string(), name: Text, quantity: Count, pickup: Stock, in_store: Stock }))
    .readonly()
    .nullable(),
  sold_out_everywhere: z.boolean().nullable(),
});

export const ChainProductAnswer = z.object({ product: ChainProduct });

export const FoundProducts = z.object({
  results: z.array(ChainResult).readonly(),
  total_results: z.int().min(0).nullable(),
  page: z.int().min(1).nullable(),
});

export type ChainPrice = z.output<typeof Price>;
export type ChainResult = z.output<typeof ChainResult>;
export type ChainProduct = z.output<typeof ChainProduct>;
export type Shop = z.output<typeof Shop>;
export type ChainStock = z.output<typeof ChainStock>;
export type StockState = ChainStock['shipping'];
