import { z } from 'zod';
import { ProductInput } from './asin.ts';

const Text = z.string().nullable();
const Amount = z.number().nullable();

export const PricingInput = ProductInput.extend({
  condition: z.enum(['any', 'new', 'used']).default('any').describe('Only offers in that state'),
});

export type PricingInput = z.output<typeof PricingInput>;

/** One way to buy a product. */
export const Offer = z.object({
  seller: z.object({ id: Text, name: z.string() }).nullable(),
  price: Amount,
  shipping: Amount.describe('0 where it is free, null where it is not told'),
  total: Amount,
  condition: z.enum(['new', 'used', 'refurbished', 'collectible']).nullable(),
  condition_text: Text,
  ships_from: Text,
  fulfilled_by_shop: z.boolean().nullable(),
  is_prime: z.boolean().nullable(),
  delivery_text: Text,
  quantity: z.int().nullable().describe('The site does not tell'),
});

export type Offer = z.output<typeof Offer>;

/** What a product costs now, by whom it is sold. */
export const Pricing = z.object({
  asin: z.string(),
  url: z.string(),
  title: Text,
  currency: Text.describe('ISO 4217; that of the visitor, not of the marketplace'),
  buy_box: Offer.nullable(),
  offers: z.array(Offer).readonly().nullable(),
  offers_count: z.int().min(0).nullable(),
  lowest_new: Amount.describe('Of the buy box and the offers; on the first page alone'),
  lowest_used: Amount.describe('The same'),
  checked_at: Text,
});

export type Pricing = z.output<typeof Pricing>;
