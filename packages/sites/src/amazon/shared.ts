import { z } from 'zod';
import { notFound, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { SiteContext } from '#sites/framework/request.ts';
import { refuseReference, type PathKinds, refuseLink } from '#sites/framework/site.ts';
import {
  findCanonicalUrl,
  selectAll,
  readAttributeAt,
  readLineAt,
  readSingleLine,
  selectFirst,
} from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { findVariable } from '#extract/dom/scripts.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { NO_PRICE, type PriceFields, parsePriceFields } from '#extract/values/money.ts';
import { getPath, toNumber, toLine, toArray } from '#extract/values/raw.ts';
import { type Domain, DOMAINS, getMarketplace } from './site.ts';

/** The parameters that identify a product in every endpoint of this site. */
export const ProductInput = z.object({
  asin: z.string().min(1).optional().describe('Product code of ten characters; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the product'),
  domain: z.enum(DOMAINS).optional().describe('Marketplace; by default that of url, or com'),
  language: z
    .string()
    .regex(/^[a-z]{2}(?:-[A-Z]{2})?$/, 'must be a language such as en or pt-BR')
    .optional()
    .describe('Language of the page, if the marketplace supports it'),
});

export type ProductInput = z.output<typeof ProductInput>;

/** The kinds of the site's addresses other than products. */
const PATH_KINDS: PathKinds = [
  [/^\/s(?:[/?]|$)/, 'a search'],
  [/^\/sp(?:[/?]|$)/, 'a seller'],
  [/^\/stores\//, 'the shop of a brand'],
  [/\/(?:bestsellers|zgbs|gp\/new-releases)(?:[/?]|$)/i, 'a list of products'],
  [/^\/(?:b|gp\/browse\.html|[^/]+\/b)(?:[/?]|$)/, 'a category'],
  [/^\/gp\/(?:profile|aag)\//, 'a person or a seller'],
];

const ASIN = /^[A-Z0-9]{10}$/;

const ASIN_PATH =
  /\/(?:dp|gp\/product|gp\/aw\/d|gp\/offer-listing|exec\/obidos\/asin|product-reviews)\/([A-Z0-9]{10})(?:[/?]|$)/i;

/** Reads the wanted product and marketplace. Throws `not_found`, and `invalid_request` for an address of another kind. */
export function readProductReference(
  input: ProductInput,
  site: SiteContext,
): { readonly asin: string; readonly domain: Domain } {
  const given = input.asin?.trim().toUpperCase();
  if (given !== undefined && ASIN.test(given)) return { asin: given, domain: input.domain ?? 'com' };
  const name = input.asin === undefined ? 'url' : 'asin';
  const place = site.locate(input.asin ?? input.url ?? '');
  if (place === null)
    return refuseReference(
      name,
      name === 'asin' ? 'is not a code of ten letters and digits' : 'is not an address of this site',
    );
  const asin = parseAsin(place.path);
  if (asin === null) return refuseLink({ parameter: name, place, kinds: PATH_KINDS, wanted: 'a product' });
  const named = DOMAINS.find((domain) => place.origin === `web.${domain}`);
  return { asin, domain: input.domain ?? named ?? 'com' };
}

/** Finds the product code in an address. Null if there is none. */
function parseAsin(address: string): string | null {
  return ASIN_PATH.exec(address)?.[1]?.toUpperCase() ?? null;
}

/** The product of a page. */
type PageProduct = { readonly asin: string; readonly title: string; readonly forms: Variants };

/** Finds the product of a page, if it is the wanted one or one of its variants. */
export function findProduct(page: ParsedPage, wanted: string): PageProduct | SiteAnswer {
  const canonical = parseAsin(findCanonicalUrl(page) ?? '');
  const asin =
    readAttribute(page, 'ASIN', 'value') ?? readAttribute(page, 'averageCustomerReviews', 'data-asin') ?? canonical;
  const title = findFirstValue(
    () => readLineAt(page, '#productTitle'),
    () => readLineAt(page, '#title'),
    () => readLineAt(page, '#ebooksProductTitle'),
  );
  if (parseAsin(page.url) === null) return notFound('the site redirects to another page');
  if (asin === null || title === null) return unusable('no product in the page');
  const forms = parseVariants(page);
  // The page of a parent code shows one of its variants, and a page may have another code in its canonical address.
  if ([asin, forms.parent, canonical].includes(wanted)) return { asin, title, forms };
  return parseAsin(page.url) === asin
    ? notFound(`the site redirects to another product: ${asin}`)
    : unusable(`another product: ${asin}`);
}

/** In these states a page often has no price. */
const UNSOLD_STATES: ReadonlySet<Availability> = new Set(['out_of_stock', 'unavailable', 'preorder']);

/** Whether a page shows a price or a reason for having none. If it shows neither, the parser missed the price. */
export function hasPriceOrReason(
  page: ParsedPage,
  domain: Domain,
  { price, availability }: BuyBoxPrice & Stock,
): boolean {
  if (price !== null || (availability !== null && UNSOLD_STATES.has(availability))) return true;
  return explainsMissingPrice(page, domain);
}

type BuyBoxPrice = PriceFields & { readonly price_source: string | null };

/**
 * The elements with the price of the buy box, the most reliable first. None of them contains a crossed-out price, or the
 * price of a format or another seller, which a page shows even if the product itself is not sold.
 */
const PRICE_SELECTORS: readonly (readonly [source: string, selector: string])[] = [
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

/** Reads the price of the buy box, and where it was found. Nulls if there is none, or if the product is not sold. */
export function readBuyBoxPrice(page: ParsedPage, domain: Domain, stock: Stock): BuyBoxPrice {
  if (isUnsold(stock)) return { ...NO_PRICE, price_source: null };
  const stated = readAttributeAt(page, 'input[name*="customerVisiblePrice][currencyCode]"]', 'value');
  const read = (wording: string | null) => readPrice(wording, { domain, stated });
  const embedded = parseJsonValue(readLineAt(page, '.twister-plus-buying-options-price-data') ?? '');
  const offer = getPath(embedded, 'desktop_buybox_group_1', 0);
  const shown = read(toLine(getPath(offer, 'displayPrice')));
  const amount = toNumber(getPath(offer, 'priceAmount'));
  if (amount !== null && shown.price !== null) return { ...shown, price: amount, price_source: 'embedded' };
  const hidden = readAttributeAt(page, '#twister-plus-price-data-price', 'value');
  const unit = readAttributeAt(page, '#twister-plus-price-data-price-unit', 'value') ?? '';
  if (toNumber(hidden) !== null) {
    const price = read(`${unit}${hidden}`);
    if (price.price !== null) return { ...price, price: toNumber(hidden), price_source: 'hidden' };
  }
  for (const [source, selector] of PRICE_SELECTORS) {
    for (const node of selectAll(page, selector).slice(0, 5)) {
      const price = read(readSingleLine(page, node));
      // The trial of a membership appears there as 0. Only books for the e-reader are really free.
      if (price.price !== null && (price.price > 0 || source === 'kindle')) return { ...price, price_source: source };
    }
  }
  return { ...NO_PRICE, price_source: null };
}

/** Elements that replace the price: no featured offer, a choice to make first, out of stock. */
const NO_PRICE_SELECTORS = ['#unqualifiedBuyBox', '#partialStateBuybox', '#partialStateBuyBox', '#outOfStock'] as const;

const TRIAL_SELECTORS = ['#corePrice_feature_div .a-price', '#buyBoxAccordion .a-price'] as const;

/** Whether the page shows why it has no price. */
function explainsMissingPrice(page: ParsedPage, domain: Domain): boolean {
  if (NO_PRICE_SELECTORS.some((selector) => selectFirst(page, selector) !== 0)) return true;
  return TRIAL_SELECTORS.some((selector) => {
    const shown = readLineAt(page, `${selector} .a-offscreen`) ?? readLineAt(page, selector);
    return readPrice(shown, { domain, stated: null }).price === 0;
  });
}

/** Parses a price. A text without a currency sign has no known currency. */
export function readPrice(
  wording: string | null,
  { domain, stated }: { readonly domain: Domain; readonly stated: string | null },
): PriceFields {
  const { locale, currency } = getMarketplace(domain);
  const usual = wording !== null && /[^\d\s.,]/.test(wording) ? currency : null;
  return parsePriceFields(wording, { locale, currency: stated ?? usual });
}

/** Parses the number that is not the scale: `4.5 out of 5`, `5つ星のうち3.9`. */
export function parseStars(wording: string): number | null {
  const numbers = [...wording.matchAll(/\d(?:[.,]\d{1,2})?/g)].map(([written]) => written);
  const scale = numbers.length > 1 ? numbers.lastIndexOf('5') : -1;
  const rating = numbers.filter((_, place) => place !== scale)[0]?.replace(',', '.');
  return rating !== undefined && Number(rating) <= 5 ? Number(rating) : null;
}

/** Reads an attribute of the element with this id. */
function readAttribute(page: ParsedPage, id: string, name: string): string | null {
  const node = selectFirst(page, `#${id}`);
  return node === 0 ? null : toLine(getAttribute(page.tree, node, name));
}

export const AVAILABILITIES = ['in_stock', 'low_stock', 'out_of_stock', 'unavailable', 'preorder'] as const;

type Availability = (typeof AVAILABILITIES)[number];

/** The texts of the marketplaces. The first match counts. */
const AVAILABILITY_PATTERNS: readonly (readonly [Availability, RegExp])[] = [
  ['preorder', /pre-?order|not yet released|vorbestell|précommande|prenota|reserva|予約/i],
  ['low_stock', /only \d+ left|nur noch \d+|plus que \d+|solo \d+ disponibil|solo queda|sólo queda|残り\d+点/i],
  [
    'out_of_stock',
    /temporarily out of stock|out of stock|ausverkauft|nicht auf lager|en rupture|non disponibile al momento|agotado|sin stock|slutsåld|uitverkocht|在庫切れ/i,
  ],
  [
    'unavailable',
    /unavailable|cannot be shipped|nicht verfügbar|actuellement indisponible|non disponibile|no disponible|niet beschikbaar|現在お取り扱いできません/i,
  ],
  [
    'in_stock',
    /in stock|auf lager|en stock|disponibil|disponible|op voorraad|i lager|na stanie|em estoque|在庫あり|available to ship|usually (?:ships|dispatched)/i,
  ],
];

type Stock = { readonly availability: Availability | null; readonly availability_text: string | null };

/** The text of the delivery box for a product that is not shipped to the visitor. */
const UNSHIPPABLE =
  /(?:cannot|can't|can’t) be (?:shipped|delivered|dispatched)|does not ship to|kann nicht (?:an|nach) .{0,60}(?:geliefert|versandt|versendet)|ne peut pas être (?:expédié|livré)|no se puede enviar|non (?:può|puo) essere (?:spedito|consegnato)|お届けできません/i;

const DELIVERY_SELECTORS = ['#deliveryBlockMessage', '#mir-layout-DELIVERY_BLOCK', '#delivery-message'] as const;

/** Buttons that only available products have, and the box of audiobooks. */
const SOLD_SELECTORS = [
  '#add-to-cart-button',
  '#add-to-cart-button-ubb',
  '#buy-now-button',
  '#one-click-button',
  '#AudibleBuyboxContainer',
] as const;

/** Parses the availability of the product, and its text. Nulls if the page has neither. */
export function parseStock(page: ParsedPage): Stock {
  const out = selectFirst(page, '#outOfStock');
  const wording =
    readLineAt(page, '#availability .a-size-medium') ??
    readLineAt(page, '#availability') ??
    (out === 0 ? null : readLineAt(page, '.a-text-bold, .a-color-price, .a-color-error', out)) ??
    readSingleLine(page, out) ??
    DELIVERY_SELECTORS.map((selector) => readLineAt(page, selector)).find((text) => UNSHIPPABLE.test(text ?? '')) ??
    null;
  const text = wording?.slice(0, 300) ?? null;
  const known = AVAILABILITY_PATTERNS.find(([, pattern]) => pattern.test(text ?? ''))?.[0] ?? null;
  if (out !== 0 && known !== 'unavailable') return { availability: 'out_of_stock', availability_text: text };
  if (UNSHIPPABLE.test(text ?? '')) return { availability: 'unavailable', availability_text: text };
  const isSold =
    known === null && text === null && SOLD_SELECTORS.some((selector) => selectFirst(page, selector) !== 0);
  return { availability: isSold ? 'in_stock' : known, availability_text: text };
}

/** Whether the product is not sold to the visitor now. Any price on the page is then that of something else. */
function isUnsold({ availability }: Stock): boolean {
  return availability === 'out_of_stock' || availability === 'unavailable';
}

type Variants = {
  readonly parent: string | null;
  readonly dimensions: readonly string[] | null;
  readonly variants: readonly { readonly asin: string; readonly values: readonly string[] }[] | null;
};

/** Parses the variants of a product from the data of the page. */
function parseVariants(page: ParsedPage): Variants {
  const values = findVariable(page, 'dimensionValuesDisplayData');
  const names = toArray(findVariable(page, 'dimensionsDisplay'))
    .map(toLine)
    .filter((name) => name !== null);
  const parent = toLine(findVariable(page, 'parentAsin'));
  return {
    parent: parent !== null && /^[A-Z0-9]{10}$/.test(parent) ? parent : null,
    dimensions: names.length > 0 ? names : null,
    variants: isJsonObject(values)
      ? Object.entries(values).map(([asin, forms]) => ({
          asin,
          values: toArray(forms)
            .map(toLine)
            .filter((form) => form !== null),
        }))
      : null,
  };
}

type Seller = { readonly id: string | null; readonly name: string };

/** Parses the seller in the buy box. Its text appears several times, so the first counts. */
export function parseSeller(page: ParsedPage): Seller | null {
  const link = readAttributeAt(page, '#sellerProfileTriggerId', 'href');
  const name =
    readLineAt(page, '#sellerProfileTriggerId') ??
    readLineAt(page, '#merchantInfoFeature_feature_div .offer-display-feature-text-message') ??
    readLineAt(page, '#merchantID');
  if (name === null) return null;
  return { id: link === null ? null : (URL.parse(link, page.url)?.searchParams.get('seller') ?? null), name };
}

/** Reads who ships the offer of the buy box. Shipper and seller have a line each, or share one. */
export function readShipper(page: ParsedPage): string | null {
  const text = '.offer-display-feature-text-message';
  const own = readLineAt(page, `#fulfillerInfoFeature_feature_div ${text}`);
  const label = readLineAt(page, '#merchantInfoFeature_feature_div .offer-display-feature-label');
  const isOne = /\S \/ \S/.test(label ?? '');
  return own ?? (isOne ? readLineAt(page, `#merchantInfoFeature_feature_div ${text}`) : null);
}

type Condition = 'new' | 'used' | 'refurbished' | 'collectible';

/** The texts of the marketplaces for conditions. */
const CONDITIONS: readonly (readonly [Condition, RegExp])[] = [
  ['refurbished', /renewed|refurbished|erneuert|generalüberholt|reconditionné|ricondizionat|reacondicionad|整備済み/i],
  ['collectible', /collectible|sammlerstück|de collection|collezione|coleccionista|コレクター/i],
  [
    'used',
    /used|gebraucht|occasion|usato|segunda mano|de 2ª mano|seminovo|tweedehands|begagnad|używan|ikinci el|中古/i,
  ],
  ['new', /new|neu|neuf|nuovo|nuevo|novo|nieuw|ny\b|nowy|yeni|新品/i],
];

export function parseCondition(wording: string | null): Condition | null {
  return CONDITIONS.find(([, pattern]) => pattern.test(wording ?? ''))?.[0] ?? null;
}

/** Reads the condition of the offer in the buy box: from the data of the page, or from the kind of box. */
export function readBuyBoxCondition(page: ParsedPage): Condition | null {
  const embedded = parseJsonValue(readLineAt(page, '.twister-plus-buying-options-price-data') ?? '');
  const condition = parseCondition(toLine(getPath(embedded, 'desktop_buybox_group_1', 0, 'buyingOptionType')));
  if (condition !== null) return condition;
  if (selectFirst(page, '#newAccordionRow_0') !== 0) return 'new';
  return selectFirst(page, '#usedOnlyBuybox') !== 0 || selectFirst(page, '#usedBuySection') !== 0 ? 'used' : null;
}
