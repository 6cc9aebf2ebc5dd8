import { isLocalCurrency, hasNoSubunits, getCurrencyLocale, minorDigitsOf } from './currencies.ts';
import { getDecimalMark, type ReadSeparator } from './numbers.ts';

/** What the only separator of an amount does: the language says, where the currency is not written otherwise. */
export function createSeparatorReader(currency: string | null, locale: string | null): ReadSeparator {
  const digits = currency === null ? 2 : minorDigitsOf(currency);
  return (mark, length) => {
    const spoken = locale === null ? null : getDecimalMark(locale);
    const isOwn = currency !== null && locale !== null && isLocalCurrency(currency, locale);
    const usual = currency === null || isOwn ? spoken : getDecimalMark(getCurrencyLocale(currency));
    if (length > 3) return mark === (spoken ?? '.') || mark === usual ? 'decimals' : 'unsure';
    if (digits === 0 || (currency !== null && hasNoSubunits(currency))) return 'groups';
    if (digits === 3)
      return usual === mark && (spoken ?? mark) === mark
        ? 'decimals'
        : spoken === null || usual === mark
          ? 'unsure'
          : 'groups';
    if (mark !== (spoken ?? usual ?? '.')) return 'groups';
    return spoken !== null && usual === mark ? 'decimals' : 'unsure';
  };
}
