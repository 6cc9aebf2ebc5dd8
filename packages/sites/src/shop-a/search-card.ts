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
  const asin = attributeOf(page.tree, card, 'data-asin') ?? '';
  const parts = partsOf(page, card);
  const named = parts('title-recipe');
  // Where there are two headings, the first is the brand.
  const title = named === 0 ? null : lineOf(page, all(page, 'h2', named).at(-1) ?? 0);
  if (!CODE.test(asin) || title === null) return null;
  return {
    position,
    asin,
    title,
    url: `${new URL(page.url).origin}/dp/${asin}`,
    image_url: mediaUrl(attributeAt(page, 'img.s-image', 'src', card), page.url),
    ...priceOn(page, parts('price-recipe'), domain),
    ...ratingOn(page, parts('reviews-block'), domain),
    sponsored: isSponsored(page, card, named),
    badge: badgeOf(page, card),
    is_prime: hasPrime(page, parts) ? true : null,
    delivery_text: lineOf(page, parts('delivery-recipe') === card ? 0 : parts('delivery-recipe')),
    bought_text: boughtIn(page, parts('reviews-block')),
    coupon_text: lineIn(page, parts('price-recipe'), '.s-coupon-unclipped'),
  };
}

/** The parts of a card by what they are about; a card of the older form is one part for all. */
type CardParts = (name: string) => number;

function partsOf(page: ParsedPage, card: number): CardParts {
  const parts = new Map<string, number>();
  for (const node of all(page, '[data-cy]', card)) {
    const name = attributeOf(page.tree, node, 'data-cy') ?? '';
    if (!parts.has(name)) parts.set(name, node);
  }
  return (name) => (parts.size === 0 ? card : (parts.get(name) ?? 0));
}

/** The text at a selector in a part, null where the card has no such part. */
function lineIn(page: ParsedPage, part: number, selector: string): string | null {
  return part === 0 ? null : lineAt(page, selector, part);
}

function priceOn(page: ParsedPage, part: number, domain: Domain) {
  const prices = part === 0 ? [] : all(page, '.a-price', part);
  const isStruck = (node: number): boolean => attributeOf(page.tree, node, 'data-a-strike') !== null;
  const wordingOf = (nodes: readonly number[]) =>
    first(...nodes.map((node) => () => lineAt(page, '.a-offscreen', node)));
  const shown = readPrice(wordingOf(prices.filter((node) => !isStruck(node))), { domain, stated: null });
  const struck = wordingOf(prices.filter(isStruck));
  return { ...shown, list_price: readPrice(struck, { domain, stated: shown.currency }).price };
}

function ratingOn(page: ParsedPage, part: number, domain: Domain) {
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

/** A distinction or a deal; one that counts down would be another with each second. */
function badgeOf(page: ParsedPage, card: number): string | null {
  const badges = all(page, '.a-badge', card).filter((node) => one(page, '.dealBadge-countdown-timer', node) === 0);
  return lineOf(page, badges[0] ?? 0);
}

/** How many were sold lately, which stands under the ratings among praise. */
function boughtIn(page: ParsedPage, part: number): string | null {
  const rows = part === 0 ? [] : all(page, ':scope > .a-row.a-size-base', part).map((row) => lineOf(page, row));
  return rows.findLast((wording) => wording !== null && /\d/.test(wording)) ?? null;
}

function hasPrime(page: ParsedPage, parts: CardParts): boolean {
  return ['price-recipe', 'delivery-recipe'].some(
    (name) => parts(name) !== 0 && one(page, '.a-icon-prime', parts(name)) !== 0,
  );
}

/** An advertisement says so, or its title leads over the counter of clicks. */
function isSponsored(page: ParsedPage, card: number, title: number): boolean {
  const classes = attributeOf(page.tree, card, 'class')?.split(/\s+/) ?? [];
  const links = all(page, 'a', title).map((node) => attributeOf(page.tree, node, 'href') ?? '');
  return classes.includes('AdHolder') || links.some((link) => link.includes('/sspa/click'));
}
