import { notFound, partly, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer, SiteRecord } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { things } from '#extract/dom/described.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { findWith } from '#extract/json/search.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, decimal, line, list, mediaUrl, natural, url } from '#extract/values/raw.ts';
import { itemStockOf, pricesOf, reviewsIn, specificationsIn, variantsIn, wordingOf } from './item-parts.ts';
import { itemNumberIn } from './product-record.ts';
import type { RetailItem } from './product-record.ts';

type ItemAnswer = { readonly product: RetailItem };

/** Reads the page of a product: the data that it is drawn from, else what it describes of itself. */
export function readItemPage(source: SourcePage, wanted: string): ItemAnswer | SiteRecord<ItemAnswer> | SiteAnswer {
  const page = parsePage(source.body, source.url);
  if (itemNumberIn(new URL(source.url).pathname) === null) return notFound('the site leads away from the product');
  const data = at(jsonScript(page, { id: '__NEXT_DATA__' }), 'props', 'pageProps', 'initialData', 'data');
  const product = productIn(data, wanted);
  if (product === null) {
    if (
      isJsonObject(data) &&
      /could not be found|isn't available|no longer available/i.test(lineAt(page, 'body') ?? '')
    )
      return notFound('no such product');
    const described = describedIn(page, wanted);
    if (described === null) return unusable('a product');
    return partly({ product: described }, 'only what the page describes for search engines is there');
  }
  const id = line(product['usItemId']) ?? '';
  // The site leads to the product that took the place of another.
  if (id !== wanted && itemNumberIn(new URL(source.url).pathname) !== id) return unusable(`another product: ${id}`);
  const item = toItem(id, product, { data, page });
  return item === null ? unusable('the name of the product') : { product: item };
}

/** The product of the page; what it sells besides has the same shape. */
function productIn(data: unknown, wanted: string): JsonObject | null {
  const own = [at(data, 'product'), at(data, 'idml', 'product')].find((one) => line(at(one, 'usItemId')) !== null);
  if (isJsonObject(own)) return own;
  return findWith(data, 'usItemId', 'priceInfo', 'name').find((one) => line(one['usItemId']) === wanted) ?? null;
}

type ItemSetting = { readonly data: unknown; readonly page: ParsedPage };

function toItem(id: string, product: JsonObject, { data, page }: ItemSetting): RetailItem | null {
  const title = line(product['name']);
  if (title === null) return null;
  const idml = at(data, 'idml');
  const reviews = reviewsIn(at(data, 'reviews'));
  const images = list(at(product, 'imageInfo', 'allImages')).flatMap((one) => mediaUrl(at(one, 'url'), page.url) ?? []);
  return {
    id,
    product_id: line(product['id']),
    title,
    url: url(product['canonicalUrl'], page.url)?.replace(/\?.*$/, '') ?? new URL(`/ip/${id}`, page.url).href,
    brand: line(product['brand']),
    description: wordingOf(product['shortDescription'] ?? at(idml, 'shortDescription'), page.url),
    long_description: wordingOf(at(idml, 'longDescription') ?? product['longDescription'], page.url),
    images: images.length === 0 ? null : images.map((one) => ({ url: one })),
    main_image_url: mediaUrl(at(product, 'imageInfo', 'thumbnailUrl'), page.url) ?? images[0] ?? null,
    category_path: pathIn(product['category']),
    type: line(product['type']),
    ...pricesOf(product['priceInfo']),
    availability: itemStockOf(product),
    seller: sellerIn(product),
    rating: decimal(product['averageRating']) ?? reviews?.average ?? null,
    ratings_count: natural(product['numberOfReviews']) ?? reviews?.count ?? null,
    upc: line(product['upc']),
    model: line(product['model']),
    specifications: specificationsIn(idml),
    order_limit: natural(product['orderLimit']),
    variants: variantsIn(product),
    reviews_summary: reviews,
  };
}

function pathIn(category: unknown): readonly string[] | null {
  const path = at(category, 'path');
  return Array.isArray(path) ? list(path).flatMap((step) => line(at(step, 'name')) ?? []) : null;
}

function sellerIn(product: JsonObject): RetailItem['seller'] {
  const [id, type] = [line(product['sellerId']), line(product['sellerType'])];
  const legal = line(product['sellerName']);
  const name = line(product['sellerDisplayName']) ?? legal;
  return id === null && name === null ? null : { id, name, legal_name: legal, type };
}

/** The product as the page describes it for search engines; null where that is none, or another. */
function describedIn(page: ParsedPage, wanted: string): RetailItem | null {
  const own = things(page, 'Product').find(({ members }) =>
    [line(members['sku']), itemNumberIn(URL.parse(line(members['url']) ?? '')?.pathname ?? '')].includes(wanted),
  )?.members;
  if (own === undefined) return null;
  const offer = at(own, 'offers', 0) ?? at(own, 'offers');
  const stock = /\/(\w+)$/.exec(line(at(offer, 'availability')) ?? '')?.[1];
  const images = [own['image']].flat().map((one) => at(one, 'url') ?? one);
  return toItem(
    wanted,
    {
      name: own['name'],
      brand: at(own, 'brand', 'name') ?? own['brand'],
      shortDescription: own['description'],
      model: own['model'],
      upc: own['gtin13'] ?? own['gtin12'],
      imageInfo: { allImages: images.map((one) => ({ url: one })) },
      priceInfo: { currentPrice: { price: at(offer, 'price'), currencyUnit: at(offer, 'priceCurrency') } },
      availabilityStatus: stock?.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase(),
      averageRating: at(own, 'aggregateRating', 'ratingValue'),
      numberOfReviews: at(own, 'aggregateRating', 'reviewCount'),
    },
    { data: null, page },
  );
}
