import { z } from 'zod';
import { notFound, markPartial, type SiteAnswer, type SiteRecord, unusable } from '#sites/framework/answers.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference, type PathKinds, refuseLink } from '#sites/framework/site.ts';
import { listEntities, readLineAt, parseRichText } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getPath, toNumber, toLine, toArray, toMediaUrl, toNatural, toText, toCleanUrl } from '#extract/values/raw.ts';
import { walmart } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Amount = z.number().nullable();
const AVAILABILITIES = ['in_stock', 'low_stock', 'out_of_stock', 'unavailable', 'preorder'] as const;

const ProductInput = z.object({
  id: z.string().min(1).max(2000).optional().describe('The number of the product; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the product'),
});

type ProductInput = z.output<typeof ProductInput>;

const Product = z.object({
  id: z.string().describe('Id of the shown product, which differs if the site redirected to another'),
  product_id: Text,
  title: z.string(),
  url: z.string(),
  brand: Text,
  description: Text,
  long_description: Text,
  images: z
    .array(z.object({ url: z.string() }))
    .readonly()
    .nullable(),
  main_image_url: Text,
  category_path: z.array(z.string()).readonly().nullable(),
  type: Text,
  price: Amount,
  currency: Text,
  price_text: Text,
  was_price: Amount,
  list_price: Amount,
  unit_price_text: Text,
  savings: Amount,
  price_min: Amount,
  price_max: Amount,
  availability: z.enum(AVAILABILITIES).nullable(),
  seller: z
    .object({
      id: Text,
      name: Text.describe('The displayed name'),
      legal_name: Text.describe('The registered name of the seller'),
      type: Text,
    })
    .nullable(),
  rating: z.number().min(0).max(5).nullable(),
  ratings_count: Count,
  upc: Text,
  model: Text,
  specifications: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .readonly()
    .nullable(),
  order_limit: Count,
  variants: z
    .array(
      z.object({
        id: z.string(),
        values: z.array(z.string()).readonly(),
        availability: z.enum(AVAILABILITIES).nullable(),
        price: Amount,
      }),
    )
    .readonly()
    .nullable(),
  reviews_summary: z
    .object({
      average: Amount,
      count: Count,
      distribution: z.object({ 1: Count, 2: Count, 3: Count, 4: Count, 5: Count }),
      recommended_percent: Count,
      summary: Text,
    })
    .nullable(),
});

type Product = z.output<typeof Product>;

export const walmartProduct = walmart({
  path: '/product',
  summary: 'A product by its number or address',
  input: ProductInput,
  record: z.object({ product: Product }),
  anyOf: ['id', 'url'],
  expected: ['product.price', 'product.images', 'product.availability', 'product.rating', 'product.specifications'],
  canary: { id: '436473700' },
  request: (input, site) => ({ origin: 'web', path: `/ip/${readProductNumber(input, site)}` }),
  parse: (page, input, site) => readProductPage(page, readProductNumber(input, site)),
});

/** The kinds of the site's addresses other than products. */
const PATH_KINDS: PathKinds = [
  [/^\/search(?:[/?]|$)/, 'a search'],
  [/^\/(?:browse|cp)\//, 'a category'],
  [/^\/(?:global\/)?seller\//, 'a seller'],
  [/^\/reviews\//, 'reviews'],
  [/^\/brand\//, 'a brand'],
  [/^\/store\//, 'a store'],
];

const PRODUCT_NUMBER = /^\d{4,15}$/;

/** Reads the id of the wanted product. Throws `not_found`, and `invalid_request` for an address of another kind. */
function readProductNumber({ id, url: address }: ProductInput, site: Pick<SiteContext, 'locate'>): string {
  const reference = id?.trim() ?? '';
  if (PRODUCT_NUMBER.test(reference)) return reference;
  const place = site.locate(id ?? address ?? '');
  const number = parseProductNumber(place?.path ?? '');
  if (number !== null) return number;
  if (place === null && id !== undefined) return refuseReference('id', 'is not a product of this site');
  return refuseLink({ parameter: id === undefined ? 'url' : 'id', place, kinds: PATH_KINDS, wanted: 'a product' });
}

/** Finds the id in the path of a product, with or without a name before it. Null for any other path. */
function parseProductNumber(path: string): string | null {
  return /^\/ip\/(?:[^/?#]+\/)?(\d{4,15})(?:[/?#]|$)/.exec(path)?.[1] ?? null;
}

type ProductAnswer = { readonly product: Product };

/** Reads the page of a product: its embedded data, else its schema.org data. */
function readProductPage(source: SourcePage, wanted: string): ProductAnswer | SiteRecord<ProductAnswer> | SiteAnswer {
  const page = parsePage(source.body, source.url);
  if (parseProductNumber(new URL(source.url).pathname) === null) return notFound('the site redirects to another page');
  const data = getPath(findJsonScript(page, { id: '__NEXT_DATA__' }), 'props', 'pageProps', 'initialData', 'data');
  const product = findProduct(data, wanted);
  if (product === null) {
    if (
      isJsonObject(data) &&
      /could not be found|isn't available|no longer available/i.test(readLineAt(page, 'body') ?? '')
    )
      return notFound('no such product');
    const described = parseStructuredProduct(page, wanted);
    if (described === null) return unusable('no product');
    return markPartial({ product: described }, 'the page had only its structured data');
  }
  const id = toLine(product['usItemId']) ?? '';
  // The site redirects to the product that replaces another.
  if (id !== wanted && parseProductNumber(new URL(source.url).pathname) !== id)
    return unusable(`another product: ${id}`);
  const item = parseProduct(id, product, { data, page });
  return item === null ? unusable('the name of the product is missing') : { product: item };
}

/** Finds the product of the page. Other products on it have the same shape. */
function findProduct(data: unknown, wanted: string): JsonObject | null {
  const own = [getPath(data, 'product'), getPath(data, 'idml', 'product')].find(
    (one) => toLine(getPath(one, 'usItemId')) !== null,
  );
  if (isJsonObject(own)) return own;
  return (
    findObjectsWith(data, 'usItemId', 'priceInfo', 'name').find((one) => toLine(one['usItemId']) === wanted) ?? null
  );
}

type ProductContext = { readonly data: unknown; readonly page: ParsedPage };

function parseProduct(id: string, product: JsonObject, { data, page }: ProductContext): Product | null {
  const title = toLine(product['name']);
  if (title === null) return null;
  const idml = getPath(data, 'idml');
  const reviews = parseReviews(getPath(data, 'reviews'));
  const images = toArray(getPath(product, 'imageInfo', 'allImages')).flatMap(
    (one) => toMediaUrl(getPath(one, 'url'), page.url) ?? [],
  );
  return {
    id,
    product_id: toLine(product['id']),
    title,
    url: toCleanUrl(product['canonicalUrl'], page.url)?.replace(/\?.*$/, '') ?? new URL(`/ip/${id}`, page.url).href,
    brand: toLine(product['brand']),
    description: parseMarkup(product['shortDescription'] ?? getPath(idml, 'shortDescription'), page.url),
    long_description: parseMarkup(getPath(idml, 'longDescription') ?? product['longDescription'], page.url),
    images: images.length === 0 ? null : images.map((one) => ({ url: one })),
    main_image_url: toMediaUrl(getPath(product, 'imageInfo', 'thumbnailUrl'), page.url) ?? images[0] ?? null,
    category_path: parseCategoryPath(product['category']),
    type: toLine(product['type']),
    ...parsePrices(product['priceInfo']),
    availability: parseAvailability(product),
    seller: parseSeller(product),
    rating: toNumber(product['averageRating']) ?? reviews?.average ?? null,
    ratings_count: toNatural(product['numberOfReviews']) ?? reviews?.count ?? null,
    upc: toLine(product['upc']),
    model: toLine(product['model']),
    specifications: parseSpecifications(idml),
    order_limit: toNatural(product['orderLimit']),
    variants: parseVariants(product),
    reviews_summary: reviews,
  };
}

function parseCategoryPath(category: unknown): readonly string[] | null {
  const path = getPath(category, 'path');
  return Array.isArray(path) ? toArray(path).flatMap((step) => toLine(getPath(step, 'name')) ?? []) : null;
}

function parseSeller(product: JsonObject): Product['seller'] {
  const [id, type] = [toLine(product['sellerId']), toLine(product['sellerType'])];
  const legal = toLine(product['sellerName']);
  const name = toLine(product['sellerDisplayName']) ?? legal;
  return id === null && name === null ? null : { id, name, legal_name: legal, type };
}

/** Parses the schema.org data of the product. Null if there is none, or that of another product. */
function parseStructuredProduct(page: ParsedPage, wanted: string): Product | null {
  const own = listEntities(page, 'Product').find(({ members }) =>
    [toLine(members['sku']), parseProductNumber(URL.parse(toLine(members['url']) ?? '')?.pathname ?? '')].includes(
      wanted,
    ),
  )?.members;
  if (own === undefined) return null;
  const offer = getPath(own, 'offers', 0) ?? getPath(own, 'offers');
  const stock = /\/(\w+)$/.exec(toLine(getPath(offer, 'availability')) ?? '')?.[1];
  const images = [own['image']].flat().map((one) => getPath(one, 'url') ?? one);
  return parseProduct(
    wanted,
    {
      name: own['name'],
      brand: getPath(own, 'brand', 'name') ?? own['brand'],
      shortDescription: own['description'],
      model: own['model'],
      upc: own['gtin13'] ?? own['gtin12'],
      imageInfo: { allImages: images.map((one) => ({ url: one })) },
      priceInfo: { currentPrice: { price: getPath(offer, 'price'), currencyUnit: getPath(offer, 'priceCurrency') } },
      availabilityStatus: stock?.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase(),
      averageRating: getPath(own, 'aggregateRating', 'ratingValue'),
      numberOfReviews: getPath(own, 'aggregateRating', 'reviewCount'),
    },
    { data: null, page },
  );
}

const STOCK_STATUSES: Readonly<Record<string, NonNullable<Product['availability']>>> = {
  IN_STOCK: 'in_stock',
  LIMITED_STOCK: 'low_stock',
  OUT_OF_STOCK: 'out_of_stock',
  NOT_AVAILABLE: 'unavailable',
  RETIRED: 'unavailable',
  PREORDER: 'preorder',
  PRE_ORDER: 'preorder',
};

function parseAvailability(product: unknown): Product['availability'] {
  const status =
    toLine(getPath(product, 'availabilityStatus')) ?? toLine(getPath(product, 'availabilityStatusV2', 'value'));
  return STOCK_STATUSES[status ?? ''] ?? null;
}

/** Parses an amount of money, which is 0 if there is none. */
function parseAmount(raw: unknown): number | null {
  const amount = toNumber(raw);
  return amount === null || amount <= 0 ? null : amount;
}

/** Parses the prices of a product page. Those of result pages have another shape. */
function parsePrices(info: unknown) {
  const price = parseAmount(getPath(info, 'currentPrice', 'price'));
  const was = parseAmount(getPath(info, 'wasPrice', 'price'));
  const saved = price !== null && was !== null && was > price ? Math.round((was - price) * 100) / 100 : null;
  return {
    price,
    currency: price === null ? null : toLine(getPath(info, 'currentPrice', 'currencyUnit')),
    price_text: toLine(getPath(info, 'currentPrice', 'priceString')),
    was_price: was,
    list_price: parseAmount(getPath(info, 'listPrice', 'price')),
    unit_price_text: toLine(getPath(info, 'unitPrice', 'priceString')),
    savings: parseAmount(getPath(info, 'savingsAmount', 'amount')) ?? saved,
    price_min: parseAmount(getPath(info, 'priceRange', 'minPrice')),
    price_max: parseAmount(getPath(info, 'priceRange', 'maxPrice')),
  };
}

/** Converts a description, which is HTML, to text. */
function parseMarkup(raw: unknown, link: string): string | null {
  const written = toText(raw);
  return written === null ? null : toText(parseRichText(written, link)?.text);
}

function parseSpecifications(idml: unknown): Product['specifications'] {
  const rows = getPath(idml, 'specifications');
  if (!Array.isArray(rows)) return null;
  return toArray(rows).flatMap((row) => {
    const [name, value] = [toLine(getPath(row, 'name')), toLine(getPath(row, 'value'))];
    return name === null || value === null ? [] : [{ name, value }];
  });
}

/** Parses the variants of a product, with the names of their codes. */
function parseVariants(product: JsonObject): Product['variants'] {
  const forms = product['variantsMap'];
  if (!isJsonObject(forms)) return null;
  const words = new Map(
    toArray(product['variantCriteria']).flatMap((criterion) =>
      toArray(getPath(criterion, 'variantList')).map(
        (form) => [toLine(getPath(form, 'id')), toLine(getPath(form, 'name'))] as const,
      ),
    ),
  );
  return Object.values(forms).flatMap((form) => {
    const id = toLine(getPath(form, 'usItemId'));
    if (id === null) return [];
    const codes = toArray(getPath(form, 'variants')).flatMap((code) => toLine(code) ?? []);
    const price = parseAmount(getPath(form, 'priceInfo', 'currentPrice', 'price'));
    return [{ id, values: codes.map((code) => words.get(code) ?? code), availability: parseAvailability(form), price }];
  });
}

/** Parses the summary of the reviews. A share of 1 may be 1 % or 100 %, so it is left out. */
function parseReviews(reviews: unknown): Product['reviews_summary'] {
  if (!isJsonObject(reviews)) return null;
  const count = (name: string): number | null => toNatural(reviews[name]);
  const share = count('recommendedPercentage');
  return {
    average: toNumber(reviews['averageOverallRating']),
    count: count('totalReviewCount'),
    distribution: {
      1: count('ratingValueOneCount'),
      2: count('ratingValueTwoCount'),
      3: count('ratingValueThreeCount'),
      4: count('ratingValueFourCount'),
      5: count('ratingValueFiveCount'),
    },
    recommended_percent: share !== null && share > 1 && share <= 100 ? share : null,
    summary: toLine(getPath(reviews, 'reviewSummary', 'summary')),
  };
}
