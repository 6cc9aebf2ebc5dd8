import { parseCertainMoney } from './money.ts';
import { collapseSpace } from './space.ts';

/** The price members of a record; `currency` is an ISO 4217 code. Null means unknown, never 0. */
export type PriceFields = {
  readonly price: number | null;
  readonly currency: string | null;
  readonly price_text: string | null;
};

/** The members for an unknown price. */
export const NO_PRICE: PriceFields = { price: null, currency: null, price_text: null };

/**
 * Parses a price, keeping its wording in `price_text`. `context.currency` is the currency that the source states
 * elsewhere; without one, a sign of several currencies yields null. A negative amount is not a price.
 */
export function parsePriceFields(
  text: string | null,
  context: { readonly locale: string | null; readonly currency: string | null },
): PriceFields {
  const wording = text === null ? '' : collapseSpace(text);
  if (wording === '') return NO_PRICE;
  const money = parseCertainMoney(wording, context);
  if (money === null || money.amount < 0) return { ...NO_PRICE, price_text: wording };
  return { price: money.amount, currency: money.currency, price_text: wording };
}
