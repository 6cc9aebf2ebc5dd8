import { z } from 'zod';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { first } from '#extract/values/first.ts';
import { countOf, mediaUrl } from '#extract/values/raw.ts';
import { outOfFive, readPrice } from './fields.ts';
import { type Domain, marketplaceOf } from './site.ts';

const Text = z.string().nullable();

export const ShopSearchResult = z.object({
  position: z.int().min(1).describe('Place on its page, advertisements included'),
  asin: z.string(),
  title: z.string(),
  url: z.string(),
  image_url: Text,
  price: z.number().nullable(),
  currency: Text,
  price_text: Text,
  list_price: z.number().nullable(),
  rating: z.number().min(0).max(5).nullable(),
  ratings_count: z.int().min(0).nullable(),
  counts_approximate: z.boolean(),
  sponsored: z.boolean(),
  badge: Text,
  is_prime: z.boolean().nullable(),
  delivery_text: Text,
  bought_text: Text,
  coupon_text: Text,
});

export type ShopSearchResult = z.output<typeof ShopSearchResult>;

/** The cards of a page of results, in its order; further products that a card offers beside its own are none. */
export function cardsOf(page: ParsedPage): readonly number[] {
  return all(page, '[data-component-type="s-search-result"][data-asin]');
}

const CODE = /^[A-Z0-9]{10}$/;

/** The result on one card; null for a card that names no product. */
export function readCard(
  page: ParsedPage,
  card: number,
  { domain, position }: { readonly domain: Domain; readonly position: number },
): ShopSearchResult | null {
  const read = (selector: string) => lineAt(page, selector, card);
  const asin = attributeOf(page.tree, card, 'data-asin') ?? '';
  const title = titleOf(page, card);
  if (!CODE.test(asin) || title === null) return null;
  return {
    position,
    asin,
    title,
    url: `${new URL(page.url).origin}/dp/${asin}`,
    image_url: mediaUrl(attributeAt(page, 'img.s-image', 'src', card), page.url),
    ...priceOn(page, card, domain),
    ...ratingOn(page, card, domain),
    sponsored: isSponsored(page, card),
    badge: badgeOf(page, card),
    is_prime: one(page, '.a-icon-prime', card) !== 0 ? true : null,
    delivery_text: read('[data-cy="delivery-recipe"]'),
    bought_text: boughtOf(page, card),
    coupon_text: read('.s-coupon-unclipped'),
  };
}

/** The part of a card that is about one thing, 0 where it has none; a card of the older form is one part. */
function partOf(page: ParsedPage, card: number, name: string): number {
  const part = one(page, `[data-cy="${name}"]`, card);
  return part !== 0 || one(page, '[data-cy]', card) !== 0 ? part : card;
}

function priceOn(page: ParsedPage, card: number, domain: Domain) {
  const part = partOf(page, card, 'price-recipe');
  const read = (selector: string) => (part === 0 ? null : lineAt(page, selector, part));
  const shown = readPrice(read('.a-price:not([data-a-strike]) .a-offscreen'), { domain, stated: null });
  const struck = read('.a-price[data-a-strike] .a-offscreen');
  return { ...shown, list_price: readPrice(struck, { domain, stated: shown.currency }).price };
}

function ratingOn(page: ParsedPage, card: number, domain: Domain) {
  const part = partOf(page, card, 'reviews-block');
  if (part === 0) return { rating: null, ratings_count: null, counts_approximate: false };
  const counted = first(
    () => attributeAt(page, 'a[href*="customerReviews"][aria-label]', 'aria-label', part),
    () => lineAt(page, 'a[href*="customerReviews"]', part)?.replace(/^\(/, ''),
  );
  const count = countOf(counted, marketplaceOf(domain).locale);
  return {
    rating: outOfFive(lineAt(page, '.a-icon-alt', part) ?? ''),
    ratings_count: count?.value ?? null,
    counts_approximate: count?.approximate === true,
  };
}

/** The last heading of a card: where there are two, the first is the brand. */
function titleOf(page: ParsedPage, card: number): string | null {
  const part = partOf(page, card, 'title-recipe');
  return part === 0 ? null : lineOf(page, all(page, 'h2', part).at(-1) ?? 0);
}

/** A distinction or a deal; one that counts down would be another with each second. */
function badgeOf(page: ParsedPage, card: number): string | null {
  const badges = all(page, '.a-badge', card).filter((node) => one(page, '.dealBadge-countdown-timer', node) === 0);
  return lineOf(page, badges[0] ?? 0);
}

/** How many were sold lately, which stands under the ratings among praise. */
function boughtOf(page: ParsedPage, card: number): string | null {
  const part = partOf(page, card, 'reviews-block');
  const rows = part === 0 ? [] : all(page, ':scope > .a-row.a-size-base', part).map((row) => lineOf(page, row));
  return rows.findLast((wording) => wording !== null && /\d/.test(wording)) ?? null;
}

function isSponsored(page: ParsedPage, card: number): boolean {
  const classes = attributeOf(page.tree, card, 'class')?.split(/\s+/) ?? [];
  return classes.includes('AdHolder') || one(page, 'a[href*="/sspa/click"]', card) !== 0;
}
