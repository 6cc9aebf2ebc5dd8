import type { JsonObject } from '#extract/values/json-object.ts';
import { isCurrency } from '#extract/values/currencies.ts';
import { toPrice } from '#extract/values/prices.ts';
import { at, boolean, decimal, line, list } from '#extract/values/raw.ts';

/** What an item and a result of a search say of a listing in the same members. */
export function shownOf(listing: JsonObject) {
  return {
    ...priceOf(listing),
    original_price: originalOf(listing['strikethrough_price']),
    is_sold: boolean(listing['is_sold']),
    is_pending: boolean(listing['is_pending']),
    category_id: line(listing['marketplace_listing_category_id']),
    delivery_types: wordsOf(listing['delivery_types']),
  };
}

export function titleOf(listing: JsonObject): string | null {
  return (
    line(listing['marketplace_listing_title']) ??
    line(listing['base_marketplace_listing_title']) ??
    line(listing['custom_title'])
  );
}

/** A sign that several currencies share is nobody's where the listing does not name one. */
function priceOf(listing: JsonObject) {
  const wording =
    line(at(listing, 'formatted_price', 'text')) ?? line(at(listing, 'listing_price', 'formatted_amount'));
  const named = line(at(listing, 'listing_price', 'currency'));
  const currency = named !== null && isCurrency(named) ? named : null;
  const shown = toPrice(wording, { locale: 'en', currency });
  const amount = decimal(at(listing, 'listing_price', 'amount')) ?? -1;
  const isGiven = amount > 0 || (amount === 0 && (shown.price === 0 || /^free$/i.test(wording ?? '')));
  const price = isGiven ? amount : shown.price;
  return { price, currency: price === null ? null : (currency ?? shown.currency), price_text: wording };
}

/** The price before it was lowered. */
function originalOf(raw: unknown): number | null {
  const amount = decimal(at(raw, 'amount'));
  const price = amount ?? toPrice(line(at(raw, 'formatted_amount')), { locale: 'en', currency: null }).price;
  return price !== null && price > 0 ? price : null;
}

/** The site's constants in lower case. */
function wordsOf(raw: unknown): readonly string[] | null {
  return Array.isArray(raw) ? list(raw).flatMap((one) => wordOf(one) ?? []) : null;
}

/** A constant of the site in lower case; null where it says that it is not known. */
export function wordOf(raw: unknown): string | null {
  const word = line(raw)?.toLowerCase() ?? null;
  return word === 'not_sure' || word === 'unknown' || word === 'other' ? null : word;
}
