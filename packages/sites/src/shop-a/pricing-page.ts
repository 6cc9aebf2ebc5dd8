import { more, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { SiteView, SourcePage } from '#sites/framework/request.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { moment } from '#extract/values/raw.ts';
import { productOf } from './asin.ts';
import { readBuyBoxPrice, readPrice } from './fields.ts';
import { sellerOf, readShipper } from './media.ts';
import { readBuyBoxCondition } from './offers.ts';
import { askForOffers } from './pricing-offers.ts';
import type { Offer, Pricing, PricingInput } from './pricing-record.ts';
import type { Domain } from './site.ts';
import { isPriceTold, shownProductOf } from './shown-product.ts';
import { stockOf } from './stock.ts';

/** Reads the buy box of a product's page; its other offers are a fragment that may not come. */
export function readBuyBox(source: SourcePage, input: PricingInput, site: SiteView): SiteAnswer {
  const { asin: wanted, domain } = productOf(input, site);
  const page = parsePage(source.body, source.url);
  const shown = shownProductOf(page, wanted);
  if (!('asin' in shown)) return shown;
  const stock = stockOf(page);
  const price = readBuyBoxPrice(page, domain, stock);
  if (!isPriceTold(page, domain, { ...price, ...stock })) {
    return unusable('neither a price nor a reason for there being none');
  }
  const { asin, title } = shown;
  const pricing: Pricing = {
    asin,
    url: `${new URL(source.url).origin}/dp/${asin}`,
    title,
    currency: price.currency ?? shownCurrencyIn(page, domain),
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
  const from = readShipper(page);
  return {
    seller: sellerOf(page),
    price,
    shipping: null,
    total: null,
    condition: readBuyBoxCondition(page),
    condition_text: null,
    ships_from: from,
    fulfilled_by_shop: from === null ? null : /^amazon\b/i.test(from),
    is_prime: null,
    delivery_text: lineAt(page, '#deliveryBlockMessage') ?? lineAt(page, '#mir-layout-DELIVERY_BLOCK'),
    quantity: null,
  };
}

/** Prices of formats, of others and of trials: they are not the product's, but they are in the visitor's currency. */
const OTHER_PRICES = [
  '#corePrice_feature_div .a-offscreen',
  '#tmmSwatches .slot-price',
  '#olpLinkWidget_feature_div .a-offscreen',
] as const;

function shownCurrencyIn(page: ParsedPage, domain: Domain): string | null {
  const wordings = OTHER_PRICES.flatMap((selector) => lineAt(page, selector) ?? []);
  const [found = null] = wordings.flatMap((wording) => readPrice(wording, { domain, stated: null }).currency ?? []);
  return found;
}
