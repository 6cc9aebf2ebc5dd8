import { readMoney } from '#extract/values/money.ts';
import { at, line } from '#extract/values/raw.ts';
import type { FoundStay } from './stay-record.ts';

/** What a stay costs, as the site shows it: in all, or for a night; null amounts where it shows neither. */
export function readStayPrice(
  raw: unknown,
  reading: { readonly locale: string; readonly currency: string },
): FoundStay['price'] {
  const first = at(raw, 'primaryLine');
  const shown = line(at(first, 'discountedPrice') ?? at(first, 'price'));
  const qualifier = line(at(first, 'qualifier'));
  const words = line(at(first, 'accessibilityLabel')) ?? ([shown, qualifier].filter(Boolean).join(' ') || null);
  const money = shown === null ? null : readMoney(shown, reading);
  const second = line(at(raw, 'secondaryLine', 'price'));
  const sum = second === null || !/total/i.test(second) ? null : readMoney(second, reading);
  const isNightly = /(?:^|\b|\/)\s?(?:per )?night$/i.test(qualifier ?? '') || /\bper night\b/i.test(words ?? '');
  const isWhole = !isNightly && /\bfor \d{1,3} nights?\b|\btotal\b/i.test(`${qualifier ?? ''} ${words ?? ''}`);
  return {
    total: sum?.amount ?? (isWhole ? (money?.amount ?? null) : null),
    nightly: isNightly ? (money?.amount ?? null) : null,
    currency: money?.currency ?? null,
    text: words,
  };
}
