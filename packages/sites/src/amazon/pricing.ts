import { z } from 'zod';
import {
  requestMore,
  buildPage,
  markPartial,
  type SiteAnswer,
  type SiteRecord,
  unusable,
} from '#sites/framework/answers.ts';
import type { SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { selectAll, readAttributeAt, readLineAt, readSingleLine, selectFirst } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { parseInteger } from '#extract/values/numbers.ts';
import { toTimestamp } from '#extract/values/raw.ts';
import {
  findProduct,
  hasPriceOrReason,
  parseCondition,
  parseSeller,
  parseStock,
  ProductInput,
  readBuyBoxCondition,
  readBuyBoxPrice,
  readPrice,
  readProductReference,
  readShipper,
} from './shared.ts';
import { type Domain, getMarketplace, amazon } from './site.ts';

const Text = z.string().nullable();
const Amount = z.number().nullable();

const PricingInput = ProductInput.extend({
  condition: z.enum(['any', 'new', 'used']).default('any').describe('Only offers in that state'),
});

type PricingInput = z.output<typeof PricingInput>;

/** An offer of a product. */
const Offer = z.object({
  seller: z.object({ id: Text, name: z.string() }).nullable(),
  price: Amount,
  shipping: Amount.describe('0 if it is free; null if the page does not show it'),
  total: Amount,
  condition: z.enum(['new', 'used', 'refurbished', 'collectible']).nullable(),
  condition_text: Text,
  ships_from: Text,
  fulfilled_by_shop: z.boolean().nullable(),
  is_prime: z.boolean().nullable(),
  delivery_text: Text,
  quantity: z.int().nullable().describe('Always null: the site does not show it'),
});

type Offer = z.output<typeof Offer>;

/** The current prices of a product, by seller. */
const Pricing = z.object({
  asin: z.string(),
  url: z.string(),
  title: Text,
  currency: Text.describe("ISO 4217 code of the visitor's currency, which may differ from the marketplace's"),
  buy_box: Offer.nullable(),
  offers: z.array(Offer).readonly().nullable(),
  offers_count: z.int().min(0).nullable(),
  lowest_new: Amount.describe('Lowest price of the buy box and the offers; only on the first page'),
  lowest_used: Amount.describe('Lowest price of used offers; only on the first page'),
  checked_at: Text,
});

type Pricing = z.output<typeof Pricing>;

export const amazonPricing = amazon({
  path: '/pricing',
  summary: 'The current offers of a product',
  input: PricingInput,
  record: z.object({ pricing: Pricing }),
  anyOf: ['asin', 'url'],
  aliases: { asin: ['id', 'product_code'] },
  list: 'pricing',
  limit: { default: 10, max: 10 },
  expected: ['pricing.buy_box', 'pricing.currency'],
  canary: { asin: '0141439513' },
  request(input, site) {
    const { asin, domain } = readProductReference(input, site);
    const language = input.language === undefined ? {} : { language: input.language };
    if (site.cursor !== null) return { ...buildOffersRequest(asin, domain, site.cursor), ...language };
    return { origin: `web.${domain}`, path: `/dp/${asin}`, query: { th: 1, psc: 1 }, ...language };
  },
  parse: (page, input, site) =>
    page.carry === undefined && site.cursor === null ? readBuyBox(page, input, site) : readOffers(page, input, site),
});

/** Reads the buy box of the product page, and requests the fragment with the other offers, which may fail to load. */
function readBuyBox(source: SourcePage, input: PricingInput, site: SiteContext): SiteAnswer {
  const { asin: wanted, domain } = readProductReference(input, site);
  const page = parsePage(source.body, source.url);
  const shown = findProduct(page, wanted);
  if (!('asin' in shown)) return shown;
  const stock = parseStock(page);
  const price = readBuyBoxPrice(page, domain, stock);
  if (!hasPriceOrReason(page, domain, { ...price, ...stock })) {
    return unusable('neither a price nor a reason why there is none');
  }
  const { asin, title } = shown;
  const record: Pricing = {
    asin,
    url: `${new URL(source.url).origin}/dp/${asin}`,
    title,
    currency: price.currency ?? findCurrency(page, domain),
    buy_box: price.price === null ? null : parseBuyBoxOffer(page, price.price),
    offers: null,
    offers_count: null,
    lowest_new: null,
    lowest_used: null,
    checked_at: toTimestamp(source.headers['date'] ?? null),
  };
  return requestMore(buildOffersRequest(asin, domain, null), record, { pricing: record });
}

function parseBuyBoxOffer(page: ParsedPage, price: number): Offer {
  const from = readShipper(page);
  return {
    seller: parseSeller(page),
    price,
    shipping: null,
    total: null,
    condition: readBuyBoxCondition(page),
    condition_text: null,
    ships_from: from,
    fulfilled_by_shop: from === null ? null : /^amazon\b/i.test(from),
    is_prime: null,
    delivery_text: readLineAt(page, '#deliveryBlockMessage') ?? readLineAt(page, '#mir-layout-DELIVERY_BLOCK'),
    quantity: null,
  };
}

/** Prices of formats, other sellers and trials. They are used only for the visitor's currency. */
const OTHER_PRICES = [
  '#corePrice_feature_div .a-offscreen',
  '#tmmSwatches .slot-price',
  '#olpLinkWidget_feature_div .a-offscreen',
] as const;

function findCurrency(page: ParsedPage, domain: Domain): string | null {
  const wordings = OTHER_PRICES.flatMap((selector) => readLineAt(page, selector) ?? []);
  const [currency = null] = wordings.flatMap((wording) => readPrice(wording, { domain, stated: null }).currency ?? []);
  return currency;
}

/** The number of offers on one page of the fragment. */
const OFFERS_PER_PAGE = 10;

type PricingAnswer = { readonly pricing: Pricing };

/** Parses the cursor: the page of the fragment, and how many of its offers earlier answers had. */
function parseCursor(token: string | null) {
  const [, number = '1', shownCount = '0'] = /^(\d{1,4})x(\d{1,4})$/.exec(token ?? '') ?? [];
  return { number: Number(number), given: Number(shownCount) };
}

/** Builds the request for the fragment with the other offers. */
function buildOffersRequest(asin: string, domain: Domain, token: string | null): SiteRequest {
  return {
    origin: `web.${domain}`,
    path: '/gp/product/ajax/aodAjaxMain/',
    query: { asin, pc: 'dp', pageno: token === null ? null : parseCursor(token).number },
    headers: { 'x-requested-with': 'XMLHttpRequest' },
  };
}

/** Reads a page of the fragment. The first is merged with the data of the product page. */
function readOffers(
  source: SourcePage,
  input: PricingInput,
  site: SiteContext,
): SiteRecord<PricingAnswer> | SiteAnswer {
  const { asin, domain } = readProductReference(input, site);
  const page = parsePage(source.body, source.url);
  const { isList, shown } = findOfferSigns(page);
  const offers = parseOffers(page, domain);
  const count = parseOffersCount(page, domain);
  if (!isList || (offers.length === 0 && (shown > 1 || (count ?? 0) > 0))) return unusable('no list of offers');
  const { condition } = input;
  const { number, given } = parseCursor(site.cursor);
  const until = given + (site.limit ?? OFFERS_PER_PAGE);
  const wanted = offers.filter((offer) => condition === 'any' || offer.condition === condition);
  const known = Pricing.safeParse(source.carry).data ?? {
    asin,
    url: `${new URL(source.url).origin}/dp/${asin}`,
    title: readLineAt(page, '#aod-asin-title-text'),
    currency: readPrice(readLineAt(page, '#aod-offer .a-price .a-offscreen'), { domain, stated: null }).currency,
    buy_box: null,
    checked_at: toTimestamp(source.headers['date'] ?? null),
  };
  // Offers are sorted by price, so the cheapest are on the first page.
  const sold = number > 1 || given > 0 ? [] : [...offers, ...(known.buy_box === null ? [] : [known.buy_box])];
  const record: Pricing = {
    ...known,
    offers: wanted.slice(given, until),
    offers_count: count,
    lowest_new: findLowest(sold, 'new'),
    lowest_used: findLowest(sold, 'used'),
  };
  const isLast =
    offers.length === 0 || (offers.length < OFFERS_PER_PAGE && (count === null || number * OFFERS_PER_PAGE >= count));
  const next = until < wanted.length ? `${number}x${until}` : isLast ? null : `${number + 1}x0`;
  const answer = buildPage({ pricing: record }, next);
  return condition === 'any' ? answer : markPartial(answer, 'condition: applied to the offers of each page');
}

function findLowest(offers: readonly Offer[], state: 'new' | 'used'): number | null {
  const prices = offers.flatMap(({ condition, price }) => (condition === state && price !== null ? [price] : []));
  return prices.length === 0 ? null : Math.min(...prices);
}

/** Parses the offers of the list. The pinned one is left out, because it is that of the buy box. */
function parseOffers(page: ParsedPage, domain: Domain): readonly Offer[] {
  return selectAll(page, '[id="aod-offer"]').flatMap((node) => parseOffer(page, node, domain) ?? []);
}

/** Finds whether a fragment is a list of offers, and how many prices it shows. */
function findOfferSigns(page: ParsedPage) {
  const isList =
    selectFirst(page, '#aod-container') !== 0 ||
    selectFirst(page, '#aod-offer-list') !== 0 ||
    selectFirst(page, '#aod-pinned-offer') !== 0;
  return {
    isList: isList || selectFirst(page, '#aod-offer') !== 0,
    shown: selectAll(page, '[id="aod-offer-price"]').length,
  };
}

/** Parses the number of offers besides the buy box. */
function parseOffersCount(page: ParsedPage, domain: Domain): number | null {
  const wording = readLineAt(page, '#aod-filter-offer-count-string') ?? '';
  const digits = /\d[\d.,]*/.exec(wording)?.[0];
  return digits === undefined ? null : parseInteger(digits, getMarketplace(domain).locale);
}

function parseOffer(page: ParsedPage, node: number, domain: Domain): Offer | null {
  const read = (selector: string) => readLineAt(page, selector, node);
  const wording = findFirstValue(
    () => read('.a-price:not([data-a-strike]) .a-offscreen'),
    () => read('.a-price:not([data-a-strike])'),
  );
  const { price, currency } = readPrice(wording, { domain, stated: null });
  if (price === null) return null;
  const shipping = parseShipping(page, node, { domain, stated: currency });
  const state = read('[id="aod-offer-heading"]');
  const from = read('[id="aod-offer-shipsFrom"] .a-col-right') ?? null;
  return {
    seller: parseOfferSeller(page, node),
    price,
    shipping,
    total: shipping === null ? null : Math.round((price + shipping) * 100) / 100,
    condition: parseCondition(state),
    condition_text: state,
    ships_from: from,
    fulfilled_by_shop: from === null ? null : /^amazon\b/i.test(from),
    is_prime: selectFirst(page, '.a-icon-prime', node) !== 0 ? true : null,
    delivery_text: read('[id^="mir-layout-DELIVERY_BLOCK"]'),
    quantity: null,
  };
}

function parseOfferSeller(page: ParsedPage, node: number): Offer['seller'] {
  const link = selectFirst(page, '[id="aod-offer-soldBy"] a', node);
  const name = readSingleLine(page, link) ?? readLineAt(page, '[id="aod-offer-soldBy"] .a-col-right', node);
  const href = readAttributeAt(page, '[id="aod-offer-soldBy"] a', 'href', node);
  if (name === null) return null;
  return { id: href === null ? null : (URL.parse(href, page.url)?.searchParams.get('seller') ?? null), name };
}

/** Parses the delivery price in the data of its block. A text without digits means that it is free. */
function parseShipping(
  page: ParsedPage,
  node: number,
  reading: { readonly domain: Domain; readonly stated: string | null },
): number | null {
  const wording = readAttributeAt(page, '[data-csa-c-delivery-price]', 'data-csa-c-delivery-price', node);
  if (wording === null) return null;
  return /\d/.test(wording) ? readPrice(wording, reading).price : 0;
}
