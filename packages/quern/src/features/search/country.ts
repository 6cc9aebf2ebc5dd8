import { ServiceError } from '#kernel/errors.ts';
import { lazy } from '#kernel/lazy.ts';

const names = lazy(() => new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }));

/** ISO 3166-1 alpha-2 of a code or an English name, null for none given. Throws `invalid_request` with the member for no country. */
export function countryOf(given: string | undefined, member: string): string | null {
  if (given === undefined) return null;
  const text = given.trim();
  const code = /^[a-z]{2}$/i.test(text) ? todaysOf(text.toUpperCase()) : '';
  if (code !== '' && isCountry(code)) return code;
  // A finer place names its country last: "California,United States".
  const name = text.split(',').at(-1)?.trim().toLowerCase() ?? '';
  const named = codes().find((one) => names().of(one)?.toLowerCase() === name);
  if (named !== undefined) return named;
  throw new ServiceError('invalid_request', `${member}: is no country: send its ISO 3166-1 code, such as DE`);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const codes = lazy(() => LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter(isCountry));

function isCountry(code: string): boolean {
  if (todaysOf(code) !== code) return false;
  const name = names().of(code);
  return name !== undefined && name !== code && !/^unknown/i.test(name);
}

/** The code that has taken the place of another: GB of UK, DE of DD. */
function todaysOf(code: string): string {
  const [tag = ''] = /^[A-Z]{2}$/.test(code) ? Intl.getCanonicalLocales(`und-${code}`) : [];
  return tag.slice('und-'.length);
}
