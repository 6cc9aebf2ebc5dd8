import { isJsonObject } from '#extract/values/json-object.ts';
import { merged } from '#extract/json/search.ts';
import { readMoney } from '#extract/values/money.ts';
import { at, line, list } from '#extract/values/raw.ts';
import type { FoundStay } from './stay-record.ts';

/** How prices are read: the language of the page, and the currency that was asked for. */
export type PriceReading = { readonly locale: string; readonly currency: string };

/** A night and a sum, in the languages of the site's hosts. */
const NIGHT = /(?<!\p{L})(?:nights?|nacht|nuit|noche|notte|noite)(?!\p{L})/iu;
const SUM = /(?<!\p{L})(?:total|totale|totaal|gesamt|gesamtpreis|insgesamt)(?!\p{L})/iu;

/** What a stay costs, as the site shows it: in all, or for a night; null amounts where it shows neither. */
export function readStayPrice(raw: unknown, reading: PriceReading): FoundStay['price'] {
  const first = joinPriceLine(at(raw, 'primaryLine'));
  const shown = line(at(first, 'discountedPrice') ?? at(first, 'price'));
  const qualifier = line(at(first, 'qualifier')) ?? '';
  const words = line(at(first, 'accessibilityLabel')) ?? ([shown, qualifier].filter(Boolean).join(' ') || null);
  const told = shown ?? words;
  const money = told === null ? null : readMoney(told, reading);
  const second = line(at(joinPriceLine(at(raw, 'secondaryLine')), 'price'));
  const sum = second === null || !SUM.test(second) ? null : readMoney(second, reading);
  const isTold = words !== null && (SUM.test(words) || /\bfor \d{1,3} nights?\b/i.test(words));
  // `for 7 nights` names a number in each language.
  const isStay = /\d/.test(qualifier);
  const isNightly = !isStay && NIGHT.test(qualifier === '' && !isTold ? (words ?? '') : qualifier);
  // The style is the same word in each language.
  const isWhole = isStay || isTold || SUM.test(qualifier) || /TOTAL/.test(line(at(raw, 'displayPriceStyle')) ?? '');
  const amount = money?.amount ?? null;
  return {
    total: sum?.amount ?? (isWhole && !isNightly ? amount : null),
    nightly: isNightly ? amount : null,
    currency: money?.currency ?? null,
    text: words,
  };
}

/** One line of a price. Some lines spread their members over ordered parts. */
function joinPriceLine(raw: unknown): unknown {
  const parts = [raw, ...list(at(raw, 'orderedComponents'))].filter((part) => isJsonObject(part));
  return merged(parts);
}
