import { more, unusable } from '#features/sites/answers.ts';
import type { SiteAnswer } from '#features/sites/answers.ts';
import type { SiteView, SourcePage } from '#features/sites/request.ts';
import { lineAt, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, moment } from '#extract/values/raw.ts';
import { productOf } from './asin.ts';
import { priceOf } from './fields.ts';
import { sellerOf } from './media.ts';
import { conditionOf } from './offers.ts';
import { askForOffers } from './pricing-offers.ts';
import type { Offer, Pricing, PricingInput } from './pricing-record.ts';
import { isPriceTold, shownProductOf } from './shown-product.ts';
import { stockOf } from './stock.ts';

/** Reads the buy box of a product's page; its other offers are a fragment that may not come. */
export function readBuyBox(source: SourcePage, input: PricingInput, site: SiteView): SiteAnswer {
  const { asin: wanted, domain } = productOf(input, site);
  const page = parsePage(source.body, source.url);
  const shown = shownProductOf(page, wanted);
  if (!('asin' in shown)) return shown;
  const price = priceOf(page, domain);
  if (!isPriceTold(page, domain, { ...price, ...stockOf(page) })) {
    return unusable('neither a price nor a reason for there being none');
  }
  const { asin, title } = shown;
  const pricing: Pricing = {
    asin,
    url: `${new URL(source.url).origin}/dp/${asin}`,
    title,
    currency: price.currency,
    buy_box: price.price === null ? null : buyBoxOf(page, price.price),
    offers: null,
    offers_count: null,
    lowest_new: null,
    lowest_used: null,
    checked_at: moment(source.headers['date'] ?? null),
  };
  return more(askForOffers(asin, domain, null), pricing, { pricing });
}

function buyBoxOf(page: ParsedPage, price: number): Offer {
  const from = lineAt(page, '#fulfillerInfoFeature_feature_div .offer-display-feature-text-message');
  return {
    seller: sellerOf(page),
    price,
    shipping: null,
    total: null,
    condition: buyBoxConditionOf(page),
    condition_text: null,
    ships_from: from,
    fulfilled_by_shop: from === null ? null : /^amazon\b/i.test(from),
    is_prime: null,
    delivery_text: lineAt(page, '#deliveryBlockMessage') ?? lineAt(page, '#mir-layout-DELIVERY_BLOCK'),
    quantity: null,
  };
}

/** The state of what the buy box sells, where the page tells: in its data, or by the kind of the box. */
function buyBoxConditionOf(page: ParsedPage): Offer['condition'] {
  const embedded = tryParse(lineAt(page, '.twister-plus-buying-options-price-data') ?? '');
  const told = conditionOf(line(at(embedded, 'desktop_buybox_group_1', 0, 'buyingOptionType')));
  if (told !== null) return told;
  if (one(page, '#newAccordionRow_0') !== 0) return 'new';
  return one(page, '#usedOnlyBuybox') !== 0 || one(page, '#usedBuySection') !== 0 ? 'used' : null;
}
