import {
  type Entities,
  type Entity,
  getLastSegment,
  findMemberText,
  toEntity,
  findTextValue,
  listValues,
} from './entities.ts';
import { isCurrencyCode } from '#extract/values/currencies.ts';
import { getMember, toList } from '#extract/values/json.ts';
import { parseBoolean } from '#extract/values/typed-values.ts';
import { toAbsoluteUrl } from '#extract/values/web-urls.ts';

/** The product facts that a field can request by name alone. */
const PRODUCT_FIELD_NAMES = ['price', 'currency', 'brand', 'sku', 'gtin', 'availability'] as const;

export type ProductFieldName = (typeof PRODUCT_FIELD_NAMES)[number];

const PRODUCT_TYPES: ReadonlySet<string> = new Set([
  'Product',
  'ProductGroup',
  'ProductModel',
  'IndividualProduct',
  'SomeProducts',
  'Vehicle',
  'Car',
]);
const GTIN_MEMBERS = ['gtin', 'gtin13', 'gtin14', 'gtin12', 'gtin8', 'isbn'] as const;
const OPEN_GRAPH: Readonly<Record<ProductFieldName, readonly string[]>> = {
  price: ['product:price:amount', 'og:price:amount', 'product:sale_price:amount', 'og:price:standard_amount'],
  currency: ['product:price:currency', 'og:price:currency'],
  brand: ['product:brand', 'og:brand'],
  sku: ['product:retailer_item_id', 'product:sku', 'product:retailer_part_no'],
  gtin: ['product:gtin', 'product:ean', 'product:upc', 'product:isbn', 'book:isbn'],
  availability: ['product:availability', 'og:availability'],
};

/** Whether a field name asks for a product fact. */
export function isProductFieldName(name: string): name is ProductFieldName {
  return PRODUCT_FIELD_NAMES.some((known) => known === name);
}

/**
 * Finds a fact of the product that a page describes, else of anything else that it offers for sale, as the source
 * writes it. Availability is schema.org's last segment (`InStock`), currencies are in capitals. Null if no source has
 * it.
 */
export function findProductFact(
  name: ProductFieldName,
  entities: Entities,
  openGraph: Readonly<Record<string, unknown>>,
  url: string,
): string | null {
  const products = entities.all.filter(({ types }) => types.some((type) => PRODUCT_TYPES.has(type)));
  const offered = entities.all.filter(({ members }) => getMember(members, 'offers') !== undefined);
  for (const product of sortShownFirst([...products, ...offered], url)) {
    const text = toFact(name, readFact(name, product, entities, url));
    // A product that is sold out and priced 0 has no price.
    const isUnpriced =
      name === 'price' &&
      Number(text) === 0 &&
      toFact('availability', readFact('availability', product, entities, url)) === 'OutOfStock';
    if (text !== null && !isUnpriced) return text;
  }
  for (const property of OPEN_GRAPH[name]) {
    const text = toFact(name, findTextValue(toList(openGraph[property])[0]));
    if (text !== null) return text;
  }
  return null;
}

/** Placeholders that templates leave in place of empty values. */
const PLACEHOLDER = /^\s*(?:\$?\{.*\}|\$[a-z_]+|%[a-z_]+%|null|undefined|n\/?a|none|-+)\s*$/i;

/** Whether a value is an unfilled template placeholder. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

function toFact(name: ProductFieldName, text: string | null): string | null {
  if (text === null || isPlaceholder(text)) return null;
  if (name === 'availability') return toAvailability(text);
  // Some shops append the name of the variant to the SKU.
  if (name === 'sku') return /^\s*(\S*\d\S*)\s+\D+$/.exec(text)?.[1] ?? text;
  const code = text.trim().toUpperCase();
  return name === 'currency' && isCurrencyCode(code) ? code : text;
}

function readFact(name: ProductFieldName, product: Entity, entities: Entities, url: string): string | null {
  if (name === 'brand')
    return findMemberText(product, 'brand', entities) ?? findMemberText(product, 'manufacturer', entities);
  const all = listOffers(product, entities);
  const offers = chooseOffers(all, url);
  // The SKU of a variant is that of its offer.
  const things = offers.length < all.length ? [...offers, product] : [product, ...offers];
  if (name === 'sku') return findFirstText(things, ['sku', 'productID', 'mpn'], entities);
  if (name === 'gtin') return findFirstText(things, GTIN_MEMBERS, entities);
  if (name === 'availability') return chooseAvailability([...offers, product], entities);
  const prices = offers
    .flatMap((offer) => listValues(offer, 'priceSpecification', entities))
    .flatMap((value) => toEntity(value) ?? []);
  const names = name === 'price' ? ['price', 'lowPrice', 'minPrice'] : ['priceCurrency'];
  return findFirstText([...offers, ...prices, product], names, entities);
}

/** Moves the products whose URL is that of the page to the front. */
function sortShownFirst(products: readonly Entity[], url: string): readonly Entity[] {
  return [...products.filter((one) => isAtUrl(one, url)), ...products.filter((one) => !isAtUrl(one, url))];
}

/** The offers whose URL is that of the page; all offers if there is none. */
function chooseOffers(offers: readonly Entity[], url: string): readonly Entity[] {
  const shown = offers.filter((offer) => isAtUrl(offer, url));
  return shown.length > 0 ? shown : offers;
}

function isAtUrl({ members }: Entity, url: string): boolean {
  return toList(getMember(members, 'url')).some(
    (text) =>
      typeof text === 'string' && removeSchemeAndFragment(toAbsoluteUrl(text, url)) === removeSchemeAndFragment(url),
  );
}

/** A URL without its scheme and fragment. */
function removeSchemeAndFragment(url: string | null): string | null {
  return url?.replace(/^https?:/, '').replace(/#.*$/, '') ?? null;
}

/** The offers of a product, including those of an aggregate offer. */
function listOffers(product: Entity, entities: Entities): readonly Entity[] {
  const offers = listValues(product, 'offers', entities).flatMap((value) => toEntity(value) ?? []);
  const inner = offers
    .flatMap((offer) => listValues(offer, 'offers', entities))
    .flatMap((value) => toEntity(value) ?? []);
  return [...offers, ...inner];
}

/** The availability of the first offer that is in stock, else of the first that states one. */
function chooseAvailability(offers: readonly Entity[], entities: Entities): string | null {
  const stated = offers.flatMap((offer) => findMemberText(offer, 'availability', entities) ?? []);
  return stated.find((text) => isInStock(toAvailability(text))) ?? stated[0] ?? null;
}

const IN_STOCK: ReadonlySet<string> = new Set(['InStock', 'LimitedAvailability', 'OnlineOnly', 'InStoreOnly']);

/** Whether an availability value means in stock. */
export function isInStock(availability: string | null): boolean {
  return availability !== null && IN_STOCK.has(availability);
}

function findFirstText(things: readonly Entity[], names: readonly string[], entities: Entities): string | null {
  for (const name of names) {
    for (const thing of things) {
      const text = findMemberText(thing, name, entities);
      if (text !== null) return text;
    }
  }
  return null;
}

/** `InStock` for `https://schema.org/InStock`, `in stock`, `instock` or `auf Lager`; null if the text states no availability. */
function toAvailability(text: string): string | null {
  const word = getLastSegment(text.trim());
  const known = AVAILABILITIES.get(word.toLowerCase().replaceAll(/[^a-z]/g, ''));
  if (known !== undefined) return known;
  const available = parseBoolean(word);
  return available === null ? null : available ? 'InStock' : 'OutOfStock';
}

const AVAILABILITIES: ReadonlyMap<string, string> = new Map(
  [
    'BackOrder',
    'Discontinued',
    'InStock',
    'InStoreOnly',
    'LimitedAvailability',
    'MadeToOrder',
    'OnlineOnly',
    'OutOfStock',
    'PreOrder',
    'PreSale',
    'Reserved',
    'SoldOut',
  ].map((name): [string, string] => [name.toLowerCase(), name]),
);
