import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { readInteger } from '#extract/values/numbers.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line } from '#extract/values/raw.ts';
import { first } from '#extract/values/first.ts';
import { readPrice } from './fields.ts';
import type { Offer } from './pricing-record.ts';
import { type Domain, marketplaceOf } from './site.ts';

/** The states of goods as the marketplaces word them. */
const CONDITIONS: readonly (readonly [NonNullable<Offer['condition']>, RegExp])[] = [
  ['refurbished', /renewed|refurbished|erneuert|generalüberholt|reconditionné|ricondizionat|reacondicionad|整備済み/i],
  ['collectible', /collectible|sammlerstück|de collection|collezione|coleccionista|コレクター/i],
  [
    'used',
    /used|gebraucht|occasion|usato|segunda mano|de 2ª mano|seminovo|tweedehands|begagnad|używan|ikinci el|中古/i,
  ],
  ['new', /new|neu|neuf|nuovo|nuevo|novo|nieuw|ny\b|nowy|yeni|新品/i],
];

export function conditionOf(wording: string | null): Offer['condition'] {
  return CONDITIONS.find(([, pattern]) => pattern.test(wording ?? ''))?.[0] ?? null;
}

/** The offers of a list of them; the one that the list pins to its top is that of the buy box. */
export function offersOf(page: ParsedPage, domain: Domain): readonly Offer[] {
  return all(page, '[id="aod-offer"]').flatMap((node) => offerAt(page, node, domain) ?? []);
}

/** Whether a fragment is a list of offers, and holds offers that were not read. */
export function offerSignsOf(page: ParsedPage) {
  const isList =
    one(page, '#aod-container') !== 0 || one(page, '#aod-offer-list') !== 0 || one(page, '#aod-pinned-offer') !== 0;
  return { isList: isList || one(page, '#aod-offer') !== 0, shown: all(page, '[id="aod-offer-price"]').length };
}

/** How many offers there are beside the buy box. */
export function offersCountOf(page: ParsedPage, domain: Domain): number | null {
  const wording = lineAt(page, '#aod-filter-offer-count-string') ?? '';
  const digits = /\d[\d.,]*/.exec(wording)?.[0];
  return digits === undefined ? null : readInteger(digits, marketplaceOf(domain).locale);
}

function offerAt(page: ParsedPage, node: number, domain: Domain): Offer | null {
  const read = (selector: string) => lineAt(page, selector, node);
  const wording = first(
    () => read('.a-price:not([data-a-strike]) .a-offscreen'),
    () => read('.a-price:not([data-a-strike])'),
  );
  const { price, currency } = readPrice(wording, { domain, stated: null });
  if (price === null) return null;
  const shipping = shippingOf(page, node, { domain, stated: currency });
  const state = read('[id="aod-offer-heading"]');
  const from = read('[id="aod-offer-shipsFrom"] .a-col-right') ?? null;
  return {
    seller: sellerAt(page, node),
    price,
    shipping,
    total: shipping === null ? null : Math.round((price + shipping) * 100) / 100,
    condition: conditionOf(state),
    condition_text: state,
    ships_from: from,
    fulfilled_by_shop: from === null ? null : /^amazon\b/i.test(from),
    is_prime: one(page, '.a-icon-prime', node) !== 0 ? true : null,
    delivery_text: read('[id^="mir-layout-DELIVERY_BLOCK"]'),
    quantity: null,
  };
}

function sellerAt(page: ParsedPage, node: number): Offer['seller'] {
  const link = one(page, '[id="aod-offer-soldBy"] a', node);
  const name = lineOf(page, link) ?? lineAt(page, '[id="aod-offer-soldBy"] .a-col-right', node);
  const href = attributeAt(page, '[id="aod-offer-soldBy"] a', 'href', node);
  if (name === null) return null;
  return { id: href === null ? null : (URL.parse(href, page.url)?.searchParams.get('seller') ?? null), name };
}

/** What delivery costs, as the block of it says in its data; a word there is that it is free. */
function shippingOf(
  page: ParsedPage,
  node: number,
  reading: { readonly domain: Domain; readonly stated: string | null },
): number | null {
  const told = attributeAt(page, '[data-csa-c-delivery-price]', 'data-csa-c-delivery-price', node);
  if (told === null) return null;
  return /\d/.test(told) ? readPrice(told, reading).price : 0;
}

/** The state of what the buy box sells, where the page tells: in its data, or by the kind of the box. */
export function readBuyBoxCondition(page: ParsedPage): Offer['condition'] {
  const embedded = tryParse(lineAt(page, '.twister-plus-buying-options-price-data') ?? '');
  const told = conditionOf(line(at(embedded, 'desktop_buybox_group_1', 0, 'buyingOptionType')));
  if (told !== null) return told;
  if (one(page, '#newAccordionRow_0') !== 0) return 'new';
  return one(page, '#usedOnlyBuybox') !== 0 || one(page, '#usedBuySection') !== 0 ? 'used' : null;
}
