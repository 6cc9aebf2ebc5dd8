import { ServiceError } from '#kernel/errors.ts';
import { lazy } from '#kernel/lazy.ts';

const names = lazy(() => new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }));

/** ISO 3166-1 alpha-2 of a code or an English name, null for none given. Throws `invalid_request` for no country. */
export function countryOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  const text = given.trim();
  if (/^[a-z]{2}$/i.test(text) && isCountry(text.toUpperCase())) return text.toUpperCase();
  // A finer place names its country last: "California,United States".
  const name = text.split(',').at(-1)?.trim().toLowerCase() ?? '';
  for (const code of codes()) if (names().of(code)?.toLowerCase() === name) return code;
  throw new ServiceError(
    'invalid_request',
    'geo: is no country: send an ISO 3166-1 code such as DE, or its English name',
  );
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const codes = lazy(() => LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter(isCountry));

function isCountry(code: string): boolean {
  const name = names().of(code);
  return name !== undefined && name !== code && !/^unknown/i.test(name);
}
