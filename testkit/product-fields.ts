import { Extract } from '#extract/grammar.ts';

/** The facts of a product, asked by their bare names as a caller asks them. */
export const PRODUCT_FIELDS = Extract.parse({
  fields: {
    price: 'number',
    currency: 'string',
    brand: 'string',
    sku: 'string',
    gtin: 'string',
    availability: 'string',
  },
});
