import { partly, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { canonicalOf, openGraph, things } from '#extract/dom/described.ts';
import { attributeAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { statedAmount, at, line, mediaUrl, natural, text, url } from '#extract/values/raw.ts';
import type { ChainProductAnswer, ChainPrice, ChainProduct, ChainResult, StockState } from './product-record.ts';
import { chainStars } from './read-chain.ts';
import { chainProductAt } from './retail-input.ts';
import type { ChainProductInput } from './retail-input.ts';

/** What the page of a product describes for search engines. */
export const describedPage: EndpointSource<typeof ChainProductInput, typeof ChainProductAnswer> = {
  name: 'described',
  request: (input, site) => chainProductAt(input, site),
  parse(source, input, site) {
    const page = parsePage(source.body, source.url);
    const canonical = pathOf(canonicalOf(page) ?? source.url, source.url);
    const places = [chainProductAt(input, site).path, new URL(source.url).pathname].map(bare);
    if (!places.includes(bare(canonical))) return unusable('the product asked for');
    for (const { members } of things(page, 'Product')) {
      const own = at(members, 'url') ?? at(members, '@id');
      const result = toDescribed(members, page.url);
      if (result === null || (own !== undefined && bare(pathOf(line(own) ?? '', page.url)) !== bare(canonical)))
        continue;
      const product = toProduct(members, result, page);
      const isAtStore = input.store_id !== undefined || input.zip !== undefined;
      return isAtStore ? partly({ product }, 'of the store asked for nothing is told') : { product };
    }
    return unusable('a product');
  },
};

function pathOf(address: string, base: string): string {
  return URL.parse(address, base)?.pathname ?? '';
}

function bare(path: string): string {
  return path.replace(/\/$/, '').toLowerCase();
}

/** A product as schema.org has it, on its page or in a list. */
export function toDescribed(members: unknown, base: string): ChainResult | null {
  const title = line(at(members, 'name'));
  const address = url(line(at(members, 'url') ?? at(members, '@id')), base);
  const id =
    line(at(members, 'sku') ?? at(members, 'productID')) ?? /(\d{8})\/?(?:#.*)?$/.exec(address ?? '')?.[1] ?? null;
  if (title === null || address === null || id === null) return null;
  const rating = at(members, 'aggregateRating');
  return {
    id,
    url: address.replace(/#.*$/, ''),
    title,
    brand: line(at(members, 'brand', 'name') ?? at(members, 'brand')),
    price: priceOf(toList(at(members, 'offers'))[0]),
    rating: chainStars(at(rating, 'ratingValue')),
    review_count: natural(at(rating, 'reviewCount') ?? at(rating, 'ratingCount')),
    images: toList(at(members, 'image')).flatMap(
      (one) => mediaUrl(line(at(one, 'contentUrl') ?? at(one, 'url') ?? one), base) ?? [],
    ),
  };
}

/** The price of an offer, of several the lowest; a list of prices names the regular one too. */
function priceOf(offer: unknown): ChainPrice {
  const stated = toList(at(offer, 'priceSpecification'));
  const regular = stated.find((one) => /(?:List|Strikethrough|Regular)Price/i.test(line(at(one, 'priceType')) ?? ''));
  const own = stated.find((one) => one !== regular);
  return {
    current: statedAmount(at(offer, 'price') ?? at(offer, 'lowPrice') ?? at(own, 'price')),
    regular: statedAmount(at(regular, 'price')),
    currency: line(at(offer, 'priceCurrency') ?? at(own, 'priceCurrency')),
    text: null,
  };
}

function toProduct(members: unknown, result: ChainResult, page: ParsedPage): ChainProduct {
  const offer = toList(at(members, 'offers'))[0];
  const crumbs = things(page, 'BreadcrumbList')[0];
  const names = toList(at(crumbs?.members, 'itemListElement')).flatMap(
    (one) => line(at(one, 'name') ?? at(one, 'item', 'name')) ?? [],
  );
  const properties = toList(at(members, 'additionalProperty')).flatMap((one) => {
    const [name, value] = [line(at(one, 'name')), line(at(one, 'value'))];
    return name === null || value === null ? [] : [{ name, value }];
  });
  const gtin = ['gtin13', 'gtin12', 'gtin14', 'gtin8', 'gtin'].map((name) => line(at(members, name)));
  return {
    ...result,
    images: result.images.length > 0 ? result.images : mainImagesIn(page),
    description: text(at(members, 'description')),
    variants: null,
    availability: { shipping: availabilityOf(at(offer, 'availability')), pickup: null, in_store: null },
    specs: properties.length === 0 ? null : properties,
    breadcrumbs: crumbs === undefined ? null : names,
    gtin: gtin.find((one) => one !== null) ?? null,
  };
}

/** The picture that the page says it opens with, for a page that describes its product without pictures. */
function mainImagesIn(page: ParsedPage): readonly string[] {
  const sizes = attributeAt(page, 'link[rel="preload"][as="image"]', 'imagesrcset');
  const first = mediaUrl(openGraph(page, 'og:image') ?? sizes?.trim().split(/\s/)[0], page.url);
  return first === null ? [] : [first];
}

const STATES: Readonly<Record<string, StockState>> = {
  InStock: 'in_stock',
  OnlineOnly: 'in_stock',
  LimitedAvailability: 'limited',
  OutOfStock: 'out_of_stock',
  SoldOut: 'out_of_stock',
  PreOrder: 'preorder',
  Discontinued: 'unavailable',
};

function availabilityOf(raw: unknown): StockState {
  return STATES[line(raw)?.split('/').at(-1) ?? ''] ?? null;
}
