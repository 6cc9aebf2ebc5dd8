import { Extract } from '#extract/grammar.ts';

/** The `extract` parameter for the usual product fields. */
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
