import { isLocalCurrency, isUndivided, localeOfCurrency, minorDigitsOf } from './currencies.ts';
import { decimalMarkOf, type ReadLoneMark } from './numbers.ts';

/** What the only separator of an amount does: the language says, where the currency is not written otherwise. */
export function loneMarkReader(currency: string | null, locale: string | null): ReadLoneMark {
  const digits = currency === null ? 2 : minorDigitsOf(currency);
  return (mark, length) => {
    const spoken = locale === null ? null : decimalMarkOf(locale);
    const isOwn = currency !== null && locale !== null && isLocalCurrency(currency, locale);
    const usual = currency === null || isOwn ? spoken : decimalMarkOf(localeOfCurrency(currency));
    if (length > 3) return mark === (spoken ?? '.') || mark === usual ? 'decimals' : 'unsure';
    if (digits === 0 || (currency !== null && isUndivided(currency))) return 'groups';
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
