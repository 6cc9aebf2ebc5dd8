/** What stands between two prices side by side. */
const BETWEEN_PRICES = /^\s*(?:\p{L}{0,3}\p{Sc}|[A-Z]{3})?\s*$/u;
/** What may stand behind the price to pay; other words make an amount that of a unit, an instalment or the delivery. */
const AFTER_PRICE =
  /^\s*(?:$|[-–(]?\s?\d{1,3}\s?%|[*|•·.,]|\(?(?:incl|inkl|inc|excl|exkl|zzgl|ttc|ht|iva|tva|vat|gst|mwst|tax|moms|btw|dph|pdv|you save|save|sale|now)(?!\p{L}))/iu;
/** What a price is reduced to at least, as a part of what it was: less is an instalment, or the price of a unit. */
const MIN_REDUCED_SHARE = 0.2;

/** An amount in a text, with its place; `decimal` is null where it is not sure. */
type PricedNumber = {
  readonly decimal: string | null;
  readonly hasScale: boolean;
  readonly sign: string | null;
  readonly isPart: boolean;
  readonly isOther: boolean;
  readonly start: number;
  readonly after: number;
};

/** The last and lowest of the first prices, which stand side by side without a word: what it was, and what it is now; null for any others. */
export function findReducedPrice(text: string, [was, now, ...others]: readonly PricedNumber[]): string | null {
  if (was === undefined || now === undefined || was.isOther || now.isOther || was.isPart || now.isPart) return null;
  if (was.decimal === null || now.decimal === null || was.hasScale || now.hasScale) return null;
  if (!BETWEEN_PRICES.test(text.slice(was.after, now.start))) return null;
  // A number without a sign beside a price may be anything but for its cents.
  if (now.sign === null ? !hasCents(was.decimal) || !hasCents(now.decimal) : now.sign !== was.sign) return null;
  const [before, after] = [Number(was.decimal), Number(now.decimal)];
  if (after >= before || after < before * MIN_REDUCED_SHARE) return null;
  return findReducedPrice(text, [now, ...others]) ?? (AFTER_PRICE.test(text.slice(now.after)) ? now.decimal : null);
}

function hasCents(decimal: string): boolean {
  return /\.\d{1,2}$/.test(decimal);
}
