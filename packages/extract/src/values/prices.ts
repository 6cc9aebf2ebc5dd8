import { parseCertainMoney } from './money.ts';
import { collapseSpace } from './space.ts';

/** A price as a record shows it; `currency` is ISO 4217. Null is unknown, never 0. */
export type ShownPrice = {
  readonly price: number | null;
  readonly currency: string | null;
  readonly price_text: string | null;
};

export const NO_PRICE: ShownPrice = { price: null, currency: null, price_text: null };

/**
 * The price in a source's wording. `currency` is the one that the source states elsewhere, null when it does not: a
 * sign of several currencies is then nobody's. A negative amount is no price.
 */
export function toPrice(
  text: string | null,
  reading: { readonly locale: string | null; readonly currency: string | null },
): ShownPrice {
  const wording = text === null ? '' : collapseSpace(text);
  if (wording === '') return NO_PRICE;
  const money = parseCertainMoney(wording, reading);
  if (money === null || money.amount < 0) return { ...NO_PRICE, price_text: wording };
  return { price: money.amount, currency: money.currency, price_text: wording };
}
