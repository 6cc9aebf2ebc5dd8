import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { first } from '#extract/values/first.ts';
import { tryParse } from '#extract/values/json.ts';
import { NO_PRICE, type ShownPrice, toPrice } from '#extract/values/prices.ts';
import { at, countOf, line, decimal } from '#extract/values/raw.ts';
import { type Domain, marketplaceOf } from './site.ts';
import { isUnsold } from './stock.ts';
import type { Stock } from './stock.ts';

export type PriceOf = ShownPrice & { readonly price_source: string | null };

/**
 * Where the price of the buy box is, most telling first. Struck-out prices are in none of them, and neither are the
 * prices of formats and of other sellers, which a page shows as well where the product itself is not sold.
 */
const PLACES: readonly (readonly [source: string, selector: string])[] = [
  ['display', '#corePriceDisplay_desktop_feature_div .aok-offscreen'],
  ['to_pay', '#corePriceDisplay_desktop_feature_div .priceToPay'],
  ['to_pay', '#apex_desktop .priceToPay'],
  ['to_pay', '#buybox .priceToPay'],
  ['core', '#corePrice_feature_div .a-price .a-offscreen'],
  ['apex', '#apex_desktop .a-price:not([data-a-strike]) .a-offscreen'],
  ['block', '#tp_price_block_total_price_ww .a-offscreen'],
  ['buy_box', '#price_inside_buybox'],
  ['our_price', '#priceblock_ourprice'],
  ['deal_price', '#priceblock_dealprice'],
  ['kindle', '#kindle-price'],
  ['new_only', '#buyNewSection .offer-price'],
  ['used_only', '#usedOnlyBuybox .offer-price'],
];

/** The price of the buy box, with where it was found; nulls where the page shows none, or the product is not sold. */
export function readBuyBoxPrice(page: ParsedPage, domain: Domain, stock: Stock): PriceOf {
  if (isUnsold(stock)) return { ...NO_PRICE, price_source: null };
  const stated = attributeAt(page, 'input[name*="customerVisiblePrice][currencyCode]"]', 'value');
  const read = (wording: string | null) => readPrice(wording, { domain, stated });
  const embedded = tryParse(lineAt(page, '.twister-plus-buying-options-price-data') ?? '');
  const offer = at(embedded, 'desktop_buybox_group_1', 0);
  const shown = read(line(at(offer, 'displayPrice')));
  const amount = decimal(at(offer, 'priceAmount'));
  if (amount !== null && shown.price !== null) return { ...shown, price: amount, price_source: 'embedded' };
  const hidden = attributeAt(page, '#twister-plus-price-data-price', 'value');
  const unit = attributeAt(page, '#twister-plus-price-data-price-unit', 'value') ?? '';
  if (decimal(hidden) !== null) {
    const price = read(`${unit}${hidden}`);
    if (price.price !== null) return { ...price, price: decimal(hidden), price_source: 'hidden' };
  }
  for (const [source, selector] of PLACES) {
    for (const node of all(page, selector).slice(0, 5)) {
      const price = read(lineOf(page, node));
      // A membership's trial stands there as 0; what is really free is a book for the reader.
      if (price.price !== null && (price.price > 0 || source === 'kindle')) return { ...price, price_source: source };
    }
  }
  return { ...NO_PRICE, price_source: null };
}

/** Texts in the place of a price: no featured offer, a form to choose first, a trial. */
const WITHOUT_PRICE = ['#unqualifiedBuyBox', '#partialStateBuybox', '#partialStateBuyBox', '#outOfStock'] as const;
const TRIALS = ['#corePrice_feature_div .a-price', '#buyBoxAccordion .a-price'] as const;

/** Whether the page itself says why it shows no price; without that a price was overlooked. */
export function saysWhyNoPrice(page: ParsedPage, domain: Domain): boolean {
  if (WITHOUT_PRICE.some((selector) => one(page, selector) !== 0)) return true;
  return TRIALS.some((selector) => {
    const shown = lineAt(page, `${selector} .a-offscreen`) ?? lineAt(page, selector);
    return readPrice(shown, { domain, stated: null }).price === 0;
  });
}

/** A wording without any sign says nothing of its currency. */
export function readPrice(
  wording: string | null,
  { domain, stated }: { readonly domain: Domain; readonly stated: string | null },
): ShownPrice {
  const { locale, currency } = marketplaceOf(domain);
  const usual = wording !== null && /[^\d\s.,]/.test(wording) ? currency : null;
  return toPrice(wording, { locale, currency: stated ?? usual });
}

export type Specification = { readonly name: string; readonly value: string };

const ROWS = [
  'table.prodDetTable tr',
  '#productDetails_techSpec_section_1 tr',
  '#productDetails_detailBullets_sections1 tr',
  '#productOverview_feature_div tr',
  '#audibleProductDetails tr',
] as const;
const MOST_ROWS = 200;
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Facts in tables and bullet lists, each name once. */
export function specificationsOf(page: ParsedPage): readonly Specification[] {
  const rows = ROWS.flatMap((selector) => all(page, selector)).map((row) => {
    const cells = all(page, 'th, td', row);
    return [lineOf(page, cells[0] ?? 0), lineOf(page, cells[1] ?? 0)];
  });
  const bullets = all(page, '#detailBullets_feature_div li').map((item) => {
    const [name, ...value] = (lineOf(page, item) ?? '').replaceAll(MARKS, '').split(':');
    return [name, value.join(':')];
  });
  const found = new Map<string, string>();
  for (const [name, value] of [...rows, ...bullets].slice(0, MOST_ROWS)) {
    const [label, content] = [clean(name), clean(value)];
    if (label !== null && content !== null && !found.has(label)) found.set(label, content);
  }
  return [...found].map(([name, value]) => ({ name, value }));
}

function clean(written: string | null | undefined): string | null {
  return line(written?.replaceAll(MARKS, ''));
}

/** The rating of five and the number of ratings, as the page words them in its language. */
export function ratingOf(
  page: ParsedPage,
  domain: Domain,
): { readonly rating: number | null; readonly ratings_count: number | null } {
  const wording = first(
    () => attributeAt(page, '#acrPopover', 'title'),
    () => lineAt(page, '#acrPopover .a-icon-alt'),
    () => lineAt(page, '[data-hook="rating-out-of-text"]'),
  );
  const counted = first(
    () => lineAt(page, '#acrCustomerReviewText'),
    () => lineAt(page, '[data-hook="total-review-count"]'),
  );
  return {
    rating: outOfFive(wording ?? ''),
    ratings_count: countOf(counted?.replace(/^\(/, ''), marketplaceOf(domain).locale)?.value ?? null,
  };
}

/** The number that is not the scale: `4.5 out of 5`, `5つ星のうち3.9`. */
export function outOfFive(wording: string): number | null {
  const numbers = [...wording.matchAll(/\d(?:[.,]\d{1,2})?/g)].map(([written]) => written);
  const scale = numbers.length > 1 ? numbers.lastIndexOf('5') : -1;
  const rating = numbers.filter((_, place) => place !== scale)[0]?.replace(',', '.');
  return rating !== undefined && Number(rating) <= 5 ? Number(rating) : null;
}

/** An attribute of the element with that id. */
export function attributeById(page: ParsedPage, id: string, name: string): string | null {
  const node = one(page, `#${id}`);
  return node === 0 ? null : line(attributeOf(page.tree, node, name));
}
