import { readRich } from '#extract/dom/elements.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, decimal, line, list, natural, text } from '#extract/values/raw.ts';
import type { RetailItem } from './product-record.ts';

const STOCKS: Readonly<Record<string, NonNullable<RetailItem['availability']>>> = {
  IN_STOCK: 'in_stock',
  LIMITED_STOCK: 'low_stock',
  OUT_OF_STOCK: 'out_of_stock',
  NOT_AVAILABLE: 'unavailable',
  RETIRED: 'unavailable',
  PREORDER: 'preorder',
  PRE_ORDER: 'preorder',
};

export function itemStockOf(product: unknown): RetailItem['availability'] {
  const status = line(at(product, 'availabilityStatus')) ?? line(at(product, 'availabilityStatusV2', 'value'));
  return STOCKS[status ?? ''] ?? null;
}

/** An amount of money; the site writes 0 for none. */
export function amountOf(raw: unknown): number | null {
  const amount = decimal(raw);
  return amount === null || amount <= 0 ? null : amount;
}

/** The prices of a product page; those of search pages have another shape. */
export function pricesOf(info: unknown) {
  const price = amountOf(at(info, 'currentPrice', 'price'));
  const was = amountOf(at(info, 'wasPrice', 'price'));
  const saved = price !== null && was !== null && was > price ? Math.round((was - price) * 100) / 100 : null;
  return {
    price,
    currency: price === null ? null : line(at(info, 'currentPrice', 'currencyUnit')),
    price_text: line(at(info, 'currentPrice', 'priceString')),
    was_price: was,
    list_price: amountOf(at(info, 'listPrice', 'price')),
    unit_price_text: line(at(info, 'unitPrice', 'priceString')),
    savings: amountOf(at(info, 'savingsAmount', 'amount')) ?? saved,
    price_min: amountOf(at(info, 'priceRange', 'minPrice')),
    price_max: amountOf(at(info, 'priceRange', 'maxPrice')),
  };
}

/** A description, which the site writes as markup. */
export function wordingOf(raw: unknown, url: string): string | null {
  const written = text(raw);
  return written === null ? null : text(readRich(written, url)?.text);
}

export function specificationsIn(idml: unknown): RetailItem['specifications'] {
  const rows = at(idml, 'specifications');
  if (!Array.isArray(rows)) return null;
  return list(rows).flatMap((row) => {
    const [name, value] = [line(at(row, 'name')), line(at(row, 'value'))];
    return name === null || value === null ? [] : [{ name, value }];
  });
}

/** The forms that a product comes in, with the words that their codes stand for. */
export function variantsIn(product: JsonObject): RetailItem['variants'] {
  const forms = product['variantsMap'];
  if (!isJsonObject(forms)) return null;
  const words = new Map(
    list(product['variantCriteria']).flatMap((criterion) =>
      list(at(criterion, 'variantList')).map((form) => [line(at(form, 'id')), line(at(form, 'name'))] as const),
    ),
  );
  return Object.values(forms).flatMap((form) => {
    const id = line(at(form, 'usItemId'));
    if (id === null) return [];
    const codes = list(at(form, 'variants')).flatMap((code) => line(code) ?? []);
    const price = amountOf(at(form, 'priceInfo', 'currentPrice', 'price'));
    return [{ id, values: codes.map((code) => words.get(code) ?? code), availability: itemStockOf(form), price }];
  });
}

/** The reviews in short. A share of one may be a hundredth or all, so it is left out. */
export function reviewsIn(reviews: unknown): RetailItem['reviews_summary'] {
  if (!isJsonObject(reviews)) return null;
  const count = (name: string): number | null => natural(reviews[name]);
  const share = count('recommendedPercentage');
  return {
    average: decimal(reviews['averageOverallRating']),
    count: count('totalReviewCount'),
    distribution: {
      1: count('ratingValueOneCount'),
      2: count('ratingValueTwoCount'),
      3: count('ratingValueThreeCount'),
      4: count('ratingValueFourCount'),
      5: count('ratingValueFiveCount'),
    },
    recommended_percent: share !== null && share > 1 && share <= 100 ? share : null,
    summary: line(at(reviews, 'reviewSummary', 'summary')),
  };
}
