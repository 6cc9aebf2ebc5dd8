import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { lineAt, lineOf, one } from '#extract/dom/elements.ts';

export const AVAILABILITIES = ['in_stock', 'low_stock', 'out_of_stock', 'unavailable', 'preorder'] as const;

export type Availability = (typeof AVAILABILITIES)[number];

/** How the marketplaces word it; the first that fits. */
const WORDINGS: readonly (readonly [Availability, RegExp])[] = [
  ['preorder', /pre-?order|not yet released|vorbestell|précommande|prenota|reserva|予約/i],
  ['low_stock', /only \d+ left|nur noch \d+|plus que \d+|solo \d+ disponibil|solo queda|sólo queda|残り\d+点/i],
  [
    'out_of_stock',
    /temporarily out of stock|out of stock|ausverkauft|nicht auf lager|en rupture|non disponibile al momento|agotado|sin stock|slutsåld|uitverkocht|在庫切れ/i,
  ],
  [
    'unavailable',
    /unavailable|cannot be shipped|nicht verfügbar|actuellement indisponible|non disponibile|no disponible|niet beschikbaar|現在お取り扱いできません/i,
  ],
  [
    'in_stock',
    /in stock|auf lager|en stock|disponibil|disponible|op voorraad|i lager|na stanie|em estoque|在庫あり|available to ship|usually (?:ships|dispatched)/i,
  ],
];

export type Stock = { readonly availability: Availability | null; readonly availability_text: string | null };

/** What the box of the delivery says of a product that the shop does not send to the visitor. */
const UNSHIPPABLE =
  /(?:cannot|can't|can’t) be (?:shipped|delivered|dispatched)|does not ship to|kann nicht (?:an|nach) .{0,60}(?:geliefert|versandt|versendet)|ne peut pas être (?:expédié|livré)|no se puede enviar|non (?:può|puo) essere (?:spedito|consegnato)|お届けできません/i;
const DELIVERY = ['#deliveryBlockMessage', '#mir-layout-DELIVERY_BLOCK', '#delivery-message'] as const;
/** Buttons that only what is sold has, and the box of what is only listened to. */
const SOLD = [
  '#add-to-cart-button',
  '#add-to-cart-button-ubb',
  '#buy-now-button',
  '#one-click-button',
  '#AudibleBuyboxContainer',
] as const;

/** Whether the product is sold to the visitor, and the wording of the page; nulls where it says nothing. */
export function stockOf(page: ParsedPage): Stock {
  const out = one(page, '#outOfStock');
  const wording =
    lineAt(page, '#availability .a-size-medium') ??
    lineAt(page, '#availability') ??
    (out === 0 ? null : lineAt(page, '.a-text-bold, .a-color-price, .a-color-error', out)) ??
    lineOf(page, out) ??
    DELIVERY.map((selector) => lineAt(page, selector)).find((said) => UNSHIPPABLE.test(said ?? '')) ??
    null;
  const text = wording?.slice(0, 300) ?? null;
  const known = WORDINGS.find(([, pattern]) => pattern.test(text ?? ''))?.[0] ?? null;
  if (out !== 0 && known !== 'unavailable') return { availability: 'out_of_stock', availability_text: text };
  if (UNSHIPPABLE.test(text ?? '')) return { availability: 'unavailable', availability_text: text };
  const isSold = known === null && text === null && SOLD.some((selector) => one(page, selector) !== 0);
  return { availability: isSold ? 'in_stock' : known, availability_text: text };
}

/** Whether a product is not sold to the visitor now; whatever price the page shows is then that of something else. */
export function isUnsold({ availability }: Stock): boolean {
  return availability === 'out_of_stock' || availability === 'unavailable';
}
