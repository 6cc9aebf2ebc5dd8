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

/** Whether a product can be had, and how the page puts it; nulls where it says nothing. */
export function stockOf(page: ParsedPage): Stock {
  const out = one(page, '#outOfStock');
  const wording = lineAt(page, '#availability .a-size-medium') ?? lineAt(page, '#availability') ?? lineOf(page, out);
  const text = wording?.slice(0, 300) ?? null;
  const known = WORDINGS.find(([, pattern]) => pattern.test(text ?? ''))?.[0] ?? null;
  return { availability: out !== 0 && known !== 'unavailable' ? 'out_of_stock' : known, availability_text: text };
}
