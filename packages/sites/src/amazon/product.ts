import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import {
  selectAll,
  readAttributeAt,
  readLineAt,
  readSingleLine,
  selectFirst,
  readRichText,
} from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findVariable } from '#extract/dom/scripts.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toCount, toLine, toArray, toMediaUrl } from '#extract/values/raw.ts';
import {
  AVAILABILITIES,
  findProduct,
  hasPriceOrReason,
  parseSeller,
  parseStars,
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
const Texts = z.array(z.string()).readonly().nullable();
const Flag = z.boolean().nullable();

const Product = z.object({
  asin: z.string(),
  parent_asin: Text,
  title: z.string(),
  url: z.string(),
  brand: Text,
  byline: Text,
  description: Text,
  features: Texts,
  images: z
    .array(z.object({ url: z.string(), thumbnail_url: Text, variant: Text }))
    .readonly()
    .nullable(),
  main_image_url: Text,
  categories: Texts,
  rating: z.number().min(0).max(5).nullable(),
  ratings_count: z.int().min(0).nullable(),
  availability: z.enum(AVAILABILITIES).nullable(),
  availability_text: Text,
  price: z.number().nullable(),
  currency: Text.describe("ISO 4217 code of the visitor's currency, which may differ from the marketplace's"),
  price_text: Text,
  list_price: z.number().nullable(),
  savings_percent: z.int().nullable(),
  price_source: Text.describe('The element of the page with the price'),
  seller: z.object({ id: Text, name: z.string() }).nullable(),
  ships_from: Text,
  fulfilled_by_shop: Flag,
  delivery_text: Text,
  condition: Text,
  is_prime: Flag,
  coupon_text: Text,
  specifications: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
  bestseller_ranks: z
    .array(z.object({ rank: z.int(), category: z.string() }))
    .readonly()
    .nullable(),
  variants: z
    .array(z.object({ asin: z.string(), values: z.array(z.string()).readonly() }))
    .readonly()
    .nullable(),
  dimensions: Texts,
  delivery_location_text: Text,
});

export const amazonProduct = amazon({
  path: '/product',
  summary: 'A product by product code or URL',
  input: ProductInput,
  anyOf: ['asin', 'url'],
  aliases: { asin: ['id', 'product_code'] },
  record: z.object({ product: Product }),
  expected: [
    'product.images',
    'product.rating',
    'product.availability',
    'product.categories',
    'product.specifications',
  ],
  canary: { asin: '0141439513' },
  request(input, site): SiteRequest {
    const { asin, domain } = readProductReference(input, site);
    return {
      origin: `web.${domain}`,
      path: `/dp/${asin}`,
      query: { th: 1, psc: 1 },
      ...(input.language === undefined ? {} : { language: input.language }),
    };
  },
  parse(source, input, site) {
    const { asin: wanted, domain } = readProductReference(input, site);
    const page = parsePage(source.body, source.url);
    const shown = findProduct(page, wanted);
    if (!('asin' in shown)) return shown;
    const { asin, title, forms } = shown;
    const stock = parseStock(page);
    const price = readBuyBoxPrice(page, domain, stock);
    if (!hasPriceOrReason(page, domain, { ...price, ...stock })) {
      return unusable('neither a price nor a reason why there is none');
    }
    const images = parseImages(page);
    const specifications = parseSpecifications(page);
    const read = (selector: string) => readLineAt(page, selector);
    const saved = /(\d{1,2})\s?%/.exec(read('#corePriceDisplay_desktop_feature_div .savingsPercentage') ?? '')?.[1];
    const from = readShipper(page);
    return {
      product: {
        asin,
        parent_asin: forms.parent,
        title,
        url: `${new URL(source.url).origin}/dp/${asin}`,
        brand: findFirstValue(
          () => read('#productOverview_feature_div .po-brand .po-break-word'),
          () => read('a#bylineInfo')?.replace(/^(?:Brand|Marke|Marque|Marca): /, ''),
        ),
        byline: read('#bylineInfo'),
        description:
          readRichText(page, selectFirst(page, '#productDescription'))?.text ?? read('#bookDescription_feature_div'),
        features: listTexts(page, '#feature-bullets li'),
        images,
        main_image_url: images?.[0]?.url ?? null,
        categories: listTexts(page, '#wayfinding-breadcrumbs_feature_div li a'),
        ...parseRating(page, domain),
        ...stock,
        ...price,
        list_price: readPrice(read('.basisPrice .a-offscreen'), { domain, stated: price.currency }).price,
        savings_percent: saved === undefined ? null : Number(saved),
        seller: parseSeller(page),
        ships_from: from,
        fulfilled_by_shop: from === null ? null : /^amazon\b/i.test(from),
        delivery_text: read('#deliveryBlockMessage') ?? read('#mir-layout-DELIVERY_BLOCK'),
        condition: readBuyBoxCondition(page),
        is_prime: null,
        coupon_text: read('#couponText') ?? read('#promoPriceBlockMessage_feature_div .couponLabelText'),
        specifications,
        bestseller_ranks: parseRanks(page),
        variants: forms.variants,
        dimensions: forms.dimensions,
        delivery_location_text: read('#glow-ingress-line2'),
      },
    };
  },
});

function listTexts(page: ParsedPage, selector: string): readonly string[] | null {
  const texts = selectAll(page, selector)
    .map((node) => readSingleLine(page, node))
    .filter((text) => text !== null);
  return texts.length === 0 ? null : texts;
}

/** Matches `#41 in Political Fiction`. The British shop writes `929,084 in Books` without a sign. */
const RANK =
  /(?:#|Nr\.\s?|n°\s?|nº\s?|(?<![\d.,]))(\d[\d.,\s]{0,11}) (?:in|en|dans) ([^(#]{1,120}?)(?=\s*(?:\(|#|Nr\.|n°|nº|\d[\d.,]{0,11} (?:in|en|dans) |$))/giu;

/** The link to the whole list, in parentheses after its rank. */
const LIST_LINK = /\((?:See|Ver|Siehe|Voir|Vedi)[^()]{1,120}\)/giu;

/** The text after the ranks. */
const AFTER_RANKS = /(?:Customer Reviews|Customer reviews|Kundenrezensionen|Opiniones|Commentaires).*$/u;

/** Parses the best-seller ranks, which may be in any of the lists of facts. */
function parseRanks(page: ParsedPage) {
  const rows = [
    ...selectAll(page, '#detailBulletsWrapper_feature_div li'),
    ...selectAll(page, 'table.prodDetTable tr'),
    ...selectAll(page, '#SalesRank'),
  ];
  const row = rows
    .map((node) => readSingleLine(page, node) ?? '')
    .find((text) => /best ?-?sellers|bestseller|meilleures ventes|más vendidos/i.test(text));
  if (row === undefined) return null;
  const plain = row.replaceAll(LIST_LINK, '').replace(AFTER_RANKS, '').trim();
  const ranks = [...plain.matchAll(RANK)].map(([, rank = '', category = '']) => ({
    rank: Number(rank.replaceAll(/\D/g, '')),
    category: category.trim(),
  }));
  return ranks.length === 0 ? null : ranks;
}

type Specification = { readonly name: string; readonly value: string };

const FACT_SELECTORS = [
  'table.prodDetTable tr',
  '#productDetails_techSpec_section_1 tr',
  '#productDetails_detailBullets_sections1 tr',
  '#productOverview_feature_div tr',
  '#audibleProductDetails tr',
] as const;

const MAX_ROWS = 200;
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Parses the facts in tables and bullet lists, each name once. */
function parseSpecifications(page: ParsedPage): readonly Specification[] {
  const rows = FACT_SELECTORS.flatMap((selector) => selectAll(page, selector)).map((row) => {
    const cells = selectAll(page, 'th, td', row);
    return [readSingleLine(page, cells[0] ?? 0), readSingleLine(page, cells[1] ?? 0)];
  });
  const bullets = selectAll(page, '#detailBullets_feature_div li').map((item) => {
    const [name, ...value] = (readSingleLine(page, item) ?? '').replaceAll(DIRECTION_MARKS, '').split(':');
    return [name, value.join(':')];
  });
  const found = new Map<string, string>();
  for (const [name, value] of [...rows, ...bullets].slice(0, MAX_ROWS)) {
    const [label, content] = [removeMarks(name), removeMarks(value)];
    if (label !== null && content !== null && !found.has(label)) found.set(label, content);
  }
  return [...found].map(([name, value]) => ({ name, value }));
}

function removeMarks(written: string | null | undefined): string | null {
  return toLine(written?.replaceAll(DIRECTION_MARKS, ''));
}

/** Parses the rating, out of five, and the number of ratings. */
function parseRating(
  page: ParsedPage,
  domain: Domain,
): { readonly rating: number | null; readonly ratings_count: number | null } {
  const wording = findFirstValue(
    () => readAttributeAt(page, '#acrPopover', 'title'),
    () => readLineAt(page, '#acrPopover .a-icon-alt'),
    () => readLineAt(page, '[data-hook="rating-out-of-text"]'),
  );
  const counted = findFirstValue(
    () => readLineAt(page, '#acrCustomerReviewText'),
    () => readLineAt(page, '[data-hook="total-review-count"]'),
  );
  return {
    rating: parseStars(wording ?? ''),
    ratings_count: toCount(counted?.replace(/^\(/, ''), getMarketplace(domain).locale)?.value ?? null,
  };
}

type ProductImage = {
  readonly url: string;
  readonly thumbnail_url: string | null;
  readonly variant: string | null;
};

/** Parses the pictures, each in its largest size. Null if the page has neither a gallery nor a main picture. */
function parseImages(page: ParsedPage): readonly ProductImage[] | null {
  const gallery = toArray(getPath(findVariable(page, "'colorImages'"), 'initial')).map((image) =>
    parseImage(image, page),
  );
  const images = gallery.filter((image) => image !== null);
  if (images.length > 0) return images;
  const main = findMainImage(page);
  return main === null ? null : [{ url: main, thumbnail_url: null, variant: 'MAIN' }];
}

function parseImage(image: unknown, page: ParsedPage): ProductImage | null {
  const url = toMediaUrl(getPath(image, 'hiRes') ?? getPath(image, 'large') ?? getPath(image, 'thumb'), page.url);
  return url === null
    ? null
    : { url, thumbnail_url: toMediaUrl(getPath(image, 'thumb'), page.url), variant: toLine(getPath(image, 'variant')) };
}

/** Finds the main picture. */
function findMainImage(page: ParsedPage): string | null {
  const node =
    [
      selectFirst(page, '#landingImage'),
      selectFirst(page, '#imgBlkFront'),
      selectFirst(page, '#ebooksImgBlkFront'),
      selectFirst(page, '#main-image'),
    ].find((found) => found !== 0) ?? 0;
  if (node === 0) return null;
  const own = getAttribute(page.tree, node, 'data-old-hires');
  const sizes = parseJsonValue(getAttribute(page.tree, node, 'data-a-dynamic-image') ?? '');
  const largest = isJsonObject(sizes)
    ? Object.keys(sizes).toSorted((a, b) => computeArea(sizes[b]) - computeArea(sizes[a]))[0]
    : undefined;
  return toMediaUrl(toLine(own) ?? largest ?? getAttribute(page.tree, node, 'src'), page.url);
}

function computeArea(size: unknown): number {
  return Number(getPath(size, 0) ?? 0) * Number(getPath(size, 1) ?? 0);
}
