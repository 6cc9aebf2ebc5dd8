import { z } from 'zod';
import { productOf } from './asin.ts';
import { askForOffers, readOffers } from './pricing-offers.ts';
import { readBuyBox } from './pricing-page.ts';
import { Pricing, PricingInput } from './pricing-record.ts';
import { shopA } from './site.ts';

export const pricing = shopA({
  path: '/pricing',
  summary: 'The current offers of a product',
  input: PricingInput,
  record: z.object({ pricing: Pricing }),
  anyOf: ['asin', 'url'],
  aliases: { asin: ['id', 'product_code'] },
  list: 'pricing',
  limit: { default: 10, most: 10 },
  expected: ['pricing.buy_box', 'pricing.currency'],
  canary: { asin: '0141439513' },
  request(input, site) {
    const { asin, domain } = productOf(input, site);
    const language = input.language === undefined ? {} : { language: input.language };
    if (site.cursor !== null) return { ...askForOffers(asin, domain, site.cursor), ...language };
    return { origin: `web.${domain}`, path: `/dp/${asin}`, query: { th: 1, psc: 1 }, ...language };
  },
  parse: (page, input, site) =>
    page.carry === undefined && site.cursor === null ? readBuyBox(page, input, site) : readOffers(page, input, site),
});
