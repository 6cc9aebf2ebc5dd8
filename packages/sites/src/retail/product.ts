import { z } from 'zod';
import { requestMore, markPartial, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import {
  findCanonicalUrl,
  findOpenGraph,
  listEntities,
  readAttributeAt,
  parseRichText,
} from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { toList, parseJsonValue } from '#extract/values/json.ts';
import { getPath, toLine, toArray, toMediaUrl, toText } from '#extract/values/raw.ts';
import {
  buildInterfaceRequest,
  ProductSummary,
  decodeText,
  findInterfaceKeys,
  locateProduct,
  parseProductId,
  parseDescribedResult,
  parsePrice,
  parseResult,
  parseStockState,
  Price,
  readProductId,
  readFrozenValue,
  Stock,
  type StockState,
  StoreId,
  Text,
  Zip,
} from './shared.ts';
import { retail, TARGET_HOME } from './site.ts';

/** A product with the fields of its own page. */
const Product = ProductSummary.extend({
  description: Text,
  variants: z
    .array(z.object({ id: z.string(), title: Text, price: Price, availability: Stock }))
    .readonly()
    .nullable(),
  availability: z.object({ shipping: Stock, pickup: Stock, in_store: Stock }),
  specs: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .readonly()
    .nullable(),
  breadcrumbs: z.array(z.string()).readonly().nullable(),
  gtin: Text,
});

type Product = z.output<typeof Product>;

const ProductAnswer = z.object({ product: Product });

const ProductInput = z.object({
  id: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('The number of a product of the first chain, or an address; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of a product of any of the chains'),
  store_id: StoreId,
  zip: Zip,
});

type ProductInput = z.output<typeof ProductInput>;

/** The page of a product, by its embedded data. The price at a store comes from the interface. */
const pageSource: EndpointSource<typeof ProductInput, typeof ProductAnswer> = {
  name: 'page',
  when: (site, input) => locateProduct(input, site).origin === 'web',
  request: (input, site) => locateProduct(input, site),
  parse(page, input, site) {
    const id = typeof page.carry === 'string' ? page.carry : findShownId(page, readProductId(input, site));
    if (page.carry !== undefined) return readInterfaceProduct(page, id);
    const product = parseProduct(findProduct(readFrozenValue(page, '__TGT_DATA__'), id));
    const keys = findInterfaceKeys(page);
    const isAtStore = input.store_id !== undefined || input.zip !== undefined;
    if (product !== null && product.price.current !== null && !isAtStore) return { product };
    const without =
      product === null
        ? null
        : markPartial(
            { product },
            isAtStore ? 'the price and stock at the requested store are missing' : PRICE_MISSING,
          );
    if (keys === null) return without ?? unusable('no product');
    const query = {
      tcin: id,
      is_bot: false,
      pricing_store_id: input.store_id ?? '3991',
      store_id: input.store_id,
      zip: input.zip,
    };
    return requestMore(buildInterfaceRequest('pdp_client_v1', keys, query), id, without);
  },
};

/** The schema.org data of the page of a product. */
const structuredDataSource: EndpointSource<typeof ProductInput, typeof ProductAnswer> = {
  name: 'described',
  request: (input, site) => locateProduct(input, site),
  parse(source, input, site) {
    const page = parsePage(source.body, source.url);
    const canonical = readPath(findCanonicalUrl(page) ?? source.url, source.url);
    const places = [locateProduct(input, site).path, new URL(source.url).pathname].map(normalizePath);
    if (!places.includes(normalizePath(canonical))) return unusable('the requested product is missing');
    for (const { members } of listEntities(page, 'Product')) {
      const own = getPath(members, 'url') ?? getPath(members, '@id');
      const result = parseDescribedResult(members, page.url);
      if (
        result === null ||
        (own !== undefined && normalizePath(readPath(toLine(own) ?? '', page.url)) !== normalizePath(canonical))
      )
        continue;
      const product = parseDescribedProduct(members, result, page);
      const isAtStore = input.store_id !== undefined || input.zip !== undefined;
      return isAtStore
        ? markPartial({ product }, 'the price and stock at the requested store are missing')
        : { product };
    }
    return unusable('no product');
  },
};

export const retailProduct = retail({
  path: '/product',
  summary: 'A product of a chain of shops, by its number or address',
  input: ProductInput,
  record: ProductAnswer,
  anyOf: ['id', 'url'],
  sources: [pageSource, structuredDataSource],
  expected: ['product.price.current', 'product.brand', 'product.images', 'product.rating', 'product.breadcrumbs'],
  canary: { id: '10291923' },
});

const PRICE_MISSING = 'the page does not show the price';

function readInterfaceProduct(page: SourcePage, id: string) {
  const product = parseProduct(findProduct(parseJsonValue(page.body), id));
  return product === null ? unusable('the requested product is missing') : { product };
}

/** The id of the product that the page shows, which is another one if the site redirected to it. */
function findShownId(page: SourcePage, wanted: string): string {
  const [own, shown] = [
    parseProductId(new URL(page.url).pathname),
    parseProductId(findCanonicalUrl(parsePage(page.body, page.url)) ?? ''),
  ];
  return own !== null && own === shown ? own : wanted;
}

function readPath(address: string, base: string): string {
  return URL.parse(address, base)?.pathname ?? '';
}

function normalizePath(path: string): string {
  return path.replace(/\/$/, '').toLowerCase();
}

function parseDescribedProduct(members: unknown, result: ProductSummary, page: ParsedPage): Product {
  const offer = toList(getPath(members, 'offers'))[0];
  const crumbs = listEntities(page, 'BreadcrumbList')[0];
  const names = toList(getPath(crumbs?.members, 'itemListElement')).flatMap(
    (one) => toLine(getPath(one, 'name') ?? getPath(one, 'item', 'name')) ?? [],
  );
  const properties = toList(getPath(members, 'additionalProperty')).flatMap((one) => {
    const [name, value] = [toLine(getPath(one, 'name')), toLine(getPath(one, 'value'))];
    return name === null || value === null ? [] : [{ name, value }];
  });
  const gtin = ['gtin13', 'gtin12', 'gtin14', 'gtin8', 'gtin'].map((name) => toLine(getPath(members, name)));
  return {
    ...result,
    images: result.images.length > 0 ? result.images : findMainImages(page),
    description: toText(getPath(members, 'description')),
    variants: null,
    availability: { shipping: parseSchemaAvailability(getPath(offer, 'availability')), pickup: null, in_store: null },
    specs: properties.length === 0 ? null : properties,
    breadcrumbs: crumbs === undefined ? null : names,
    gtin: gtin.find((one) => one !== null) ?? null,
  };
}

/** The preview picture, for a page whose schema.org data has no pictures. */
function findMainImages(page: ParsedPage): readonly string[] {
  const sizes = readAttributeAt(page, 'link[rel="preload"][as="image"]', 'imagesrcset');
  const first = toMediaUrl(findOpenGraph(page, 'og:image') ?? sizes?.trim().split(/\s/)[0], page.url);
  return first === null ? [] : [first];
}

const SCHEMA_AVAILABILITIES: Readonly<Record<string, StockState>> = {
  InStock: 'in_stock',
  OnlineOnly: 'in_stock',
  LimitedAvailability: 'limited',
  OutOfStock: 'out_of_stock',
  SoldOut: 'out_of_stock',
  PreOrder: 'preorder',
  Discontinued: 'unavailable',
};

function parseSchemaAvailability(raw: unknown): StockState {
  return SCHEMA_AVAILABILITIES[toLine(raw)?.split('/').at(-1) ?? ''] ?? null;
}

/** Finds the product with this id in a response of the interface, or in the data of a page. */
function findProduct(data: unknown, id: string): unknown {
  const own = getPath(data, 'data', 'product');
  if (toLine(getPath(own, 'tcin')) === id) return own;
  return findObjectsWith(data, 'tcin', 'item', 'category').find((one) => toLine(one['tcin']) === id);
}

function parseProduct(raw: unknown): Product | null {
  const result = parseResult(raw);
  if (result === null) return null;
  const item = getPath(raw, 'item');
  const description = toText(getPath(item, 'product_description', 'downstream_description'));
  const children = getPath(raw, 'children');
  return {
    ...result,
    description: description === null ? null : (toText(parseRichText(description, TARGET_HOME)?.text) ?? null),
    variants: Array.isArray(children) ? toArray(children).flatMap((child) => parseVariant(child)) : null,
    availability: {
      shipping: parseStockState(getPath(raw, 'fulfillment', 'shipping_options', 'availability_status')),
      pickup: parseStockState(getPath(raw, 'fulfillment', 'store_options', 0, 'order_pickup', 'availability_status')),
      in_store: parseStockState(
        getPath(raw, 'fulfillment', 'store_options', 0, 'in_store_only', 'availability_status'),
      ),
    },
    specs: parseSpecs(getPath(item, 'product_description', 'bullet_descriptions')),
    breadcrumbs: parseBreadcrumbs(getPath(raw, 'category', 'breadcrumbs')),
    gtin: toLine(getPath(item, 'primary_barcode')),
  };
}

function parseVariant(child: unknown): NonNullable<Product['variants']> {
  const id = toLine(getPath(child, 'tcin'));
  if (id === null) return [];
  return [
    {
      id,
      title: decodeText(getPath(child, 'item', 'product_description', 'title')),
      price: parsePrice(getPath(child, 'price')),
      availability: parseStockState(getPath(child, 'fulfillment', 'shipping_options', 'availability_status')),
    },
  ];
}

/** `<B>Number of Pieces:</B> 1` */
function parseSpecs(bullets: unknown): Product['specs'] {
  if (!Array.isArray(bullets)) return null;
  return toArray(bullets).flatMap((bullet) => {
    const [, name, value] = /^<b>\s*([^<]{1,200}?):?\s*<\/b>\s*([^]{1,2000})$/i.exec(toText(bullet) ?? '') ?? [];
    const [plainName, plainValue] = [
      decodeText(name),
      value === undefined ? null : decodeText(parseRichText(value, TARGET_HOME)?.text),
    ];
    return plainName === null || plainValue === null ? [] : [{ name: plainName, value: plainValue }];
  });
}

/** Parses the breadcrumbs without the first, which is the shop itself. */
function parseBreadcrumbs(crumbs: unknown): Product['breadcrumbs'] {
  if (!Array.isArray(crumbs)) return null;
  return toArray(crumbs)
    .filter((one) => toLine(getPath(one, 'category_id')) !== 'root')
    .flatMap((one) => decodeText(getPath(one, 'name')) ?? []);
}
