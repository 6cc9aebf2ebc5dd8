import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import { all, lineAt, lineOf, one, richOf } from '#extract/dom/elements.ts';
import { parsePage, type ParsedPage } from '#extract/dom/parsed-page.ts';
import { first } from '#extract/values/first.ts';
import { ProductInput, productOf } from './asin.ts';
import { readBuyBoxPrice, ratingOf, readPrice, specificationsOf } from './fields.ts';
import { productImagesOf, sellerOf, readShipper } from './media.ts';
import { readBuyBoxCondition } from './offers.ts';
import { Product } from './product-record.ts';
import { isPriceTold, shownProductOf } from './shown-product.ts';
import { shopA } from './site.ts';
import { stockOf } from './stock.ts';

export const product = shopA({
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
    const { asin, domain } = productOf(input, site);
    return {
      origin: `web.${domain}`,
      path: `/dp/${asin}`,
      query: { th: 1, psc: 1 },
      ...(input.language === undefined ? {} : { language: input.language }),
    };
  },
  parse(source, input, site) {
    const { asin: wanted, domain } = productOf(input, site);
    const page = parsePage(source.body, source.url);
    const shown = shownProductOf(page, wanted);
    if (!('asin' in shown)) return shown;
    const { asin, title, forms } = shown;
    const stock = stockOf(page);
    const price = readBuyBoxPrice(page, domain, stock);
    if (!isPriceTold(page, domain, { ...price, ...stock })) {
      return unusable('neither a price nor a reason for there being none');
    }
    const images = productImagesOf(page);
    const specifications = specificationsOf(page);
    const read = (selector: string) => lineAt(page, selector);
    const saved = /(\d{1,2})\s?%/.exec(read('#corePriceDisplay_desktop_feature_div .savingsPercentage') ?? '')?.[1];
    const from = readShipper(page);
    return {
      product: {
        asin,
        parent_asin: forms.parent,
        title,
        url: `${new URL(source.url).origin}/dp/${asin}`,
        brand: first(
          () => read('#productOverview_feature_div .po-brand .po-break-word'),
          () => read('a#bylineInfo')?.replace(/^(?:Brand|Marke|Marque|Marca): /, ''),
        ),
        byline: read('#bylineInfo'),
        description: richOf(page, one(page, '#productDescription'))?.text ?? read('#bookDescription_feature_div'),
        features: texts(page, '#feature-bullets li'),
        images,
        main_image_url: images?.[0]?.url ?? null,
        categories: texts(page, '#wayfinding-breadcrumbs_feature_div li a'),
        ...ratingOf(page, domain),
        ...stock,
        ...price,
        list_price: readPrice(read('.basisPrice .a-offscreen'), { domain, stated: price.currency }).price,
        savings_percent: saved === undefined ? null : Number(saved),
        seller: sellerOf(page),
        ships_from: from,
        fulfilled_by_shop: from === null ? null : /^amazon\b/i.test(from),
        delivery_text: read('#deliveryBlockMessage') ?? read('#mir-layout-DELIVERY_BLOCK'),
        condition: readBuyBoxCondition(page),
        is_prime: null,
        coupon_text: read('#couponText') ?? read('#promoPriceBlockMessage_feature_div .couponLabelText'),
        specifications,
        bestseller_ranks: ranksOf(page),
        variants: forms.variants,
        dimensions: forms.dimensions,
        delivery_location_text: read('#glow-ingress-line2'),
      },
    };
  },
});

function texts(page: ParsedPage, selector: string): readonly string[] | null {
  const found = all(page, selector)
    .map((node) => lineOf(page, node))
    .filter((text) => text !== null);
  return found.length === 0 ? null : found;
}

/** `#41 in Political Fiction`; the British shop writes `929,084 in Books` without a sign. */
const RANK =
  /(?:#|Nr\.\s?|n°\s?|nº\s?|(?<![\d.,]))(\d[\d.,\s]{0,11}) (?:in|en|dans) ([^(#]{1,120}?)(?=\s*(?:\(|#|Nr\.|n°|nº|\d[\d.,]{0,11} (?:in|en|dans) |$))/giu;
/** The link to a whole list, in brackets after its rank. */
const LIST_LINK = /\((?:See|Ver|Siehe|Voir|Vedi)[^()]{1,120}\)/giu;
/** What stands after the ranks. */
const AFTER_RANKS = /(?:Customer Reviews|Customer reviews|Kundenrezensionen|Opiniones|Commentaires).*$/u;

/** The best-seller ranks among the facts, whichever list they stand in. */
function ranksOf(page: ParsedPage) {
  const rows = [
    ...all(page, '#detailBulletsWrapper_feature_div li'),
    ...all(page, 'table.prodDetTable tr'),
    ...all(page, '#SalesRank'),
  ];
  const row = rows
    .map((node) => lineOf(page, node) ?? '')
    .find((text) => /best ?-?sellers|bestseller|meilleures ventes|más vendidos/i.test(text));
  if (row === undefined) return null;
  const plain = row.replaceAll(LIST_LINK, '').replace(AFTER_RANKS, '').trim();
  const ranks = [...plain.matchAll(RANK)].map(([, rank = '', category = '']) => ({
    rank: Number(rank.replaceAll(/\D/g, '')),
    category: category.trim(),
  }));
  return ranks.length === 0 ? null : ranks;
}
