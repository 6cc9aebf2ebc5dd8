import { z } from 'zod';
import { TIERS } from '#access/page.ts';
import { isOverInlineTimeout } from '#features/schema/parameters.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { Price } from '#engine/credits/prices.ts';
import { ServiceError } from '#kernel/errors.ts';
import { createLazy } from '#kernel/lazy.ts';
import type { Warning } from '#kernel/warnings.ts';

/** Search engines reject or truncate longer queries. */
const MAX_ENGINE_CHARS = 2000;
/** Limit for the URL-encoded query: servers accept about 8,000 bytes for the whole request line. */
const MAX_ENCODED_CHARS = 4000;

/** The query of a search, of any length. */
export const SearchText = z
  .string()
  .trim()
  .min(1)
  .describe(
    'Search query; engines get the first 2,000 characters, or fewer if these take more than 4,000 when URL-encoded',
  );

/** Truncates a query to what engines accept, at a word boundary if possible and never inside a surrogate pair. */
export function truncateForEngine(search: string): string {
  const most = computeFittingLength(search);
  if (search.length <= most) return search;
  const cut = search.slice(0, most);
  const words = /^([^]*\S)\s+\S*$/.exec(cut)?.[1];
  const whole = /\s/.test(search.charAt(most)) || words === undefined ? cut : words;
  return whole.trimEnd();
}

/** The length of the longest prefix that fits both limits, in UTF-16 units. */
function computeFittingLength(search: string): number {
  let encoded = 0;
  let length = 0;
  for (const character of search) {
    encoded += /[\w.* -]/.test(character) && character.length === 1 ? 1 : 3 * Buffer.byteLength(character);
    if (encoded > MAX_ENCODED_CHARS || length + character.length > MAX_ENGINE_CHARS) return length;
    length += character.length;
  }
  return length;
}

/** A warning if the query is truncated for engines, otherwise an empty list. */
export function listTruncationWarnings(search: string): readonly Warning[] {
  const truncated = truncateForEngine(search);
  if (truncated === search) return [];
  const message = `search: has ${search.length} characters; search engines got only the first ${truncated.length}`;
  return [{ code: 'input_adjusted', message }];
}

/** The `warnings` field of a response; an empty object if there are no warnings. */
export function buildWarningsField(warnings: readonly Warning[]): { readonly warnings?: readonly Warning[] } {
  return warnings.length === 0 ? {} : { warnings };
}

/** A parsed language: a BCP 47 tag, or null with a warning if the input is not a known language. */
export type ParsedLanguage = { readonly tag: string | null; readonly warnings: readonly Warning[] };

/**
 * Reads a BCP 47 tag (`pt-BR`), a POSIX locale (`pt_BR.UTF-8`), an ISO 639-2 code (`por`) or a name in English or in the
 * language itself (`portuguese`, `português`).
 */
export function parseLanguage(given: string, member: string): ParsedLanguage {
  const tag = toLanguageTag(given);
  if (tag !== null) return { tag, warnings: [] };
  const message = `${member}: ${given.slice(0, 40)} is not a known language and was ignored; use a tag such as de or pt-BR`;
  return { tag: null, warnings: [{ code: 'input_adjusted', message }] };
}

const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;

function toLanguageTag(given: string): string | null {
  const text = given
    .trim()
    .replace(/[.@].*$/s, '')
    .replaceAll('_', '-');
  if (LANGUAGE_TAG.test(text)) {
    const canonical = toCanonicalTag(text);
    if (canonical !== null) return canonical;
  }
  const name = given.replace(/\(.*$/s, '').trim().toLowerCase();
  return languageTagsByName().get(name) ?? null;
}

function toCanonicalTag(text: string): string | null {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text);
    const [primary = ''] = tag.split('-');
    return englishNames().of(primary) === undefined ? null : tag;
  } catch {
    // The syntax is right but the tag is invalid, for example because a variant occurs twice.
    return null;
  }
}

const englishNames = createLazy(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }));

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');
/** Regional variants that have a name of their own, such as "Brazilian Portuguese". */
const NAMED_VARIANTS = ['zh-Hans', 'zh-Hant', 'pt-BR', 'pt-PT', 'en-GB', 'en-US', 'es-MX', 'fr-CA'];

/** Language tags by lower-case name, in English and in the language itself. */
const languageTagsByName = createLazy((): ReadonlyMap<string, string> => {
  const codes = LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter(
    (code) => Intl.getCanonicalLocales(code)[0] === code && englishNames().of(code) !== undefined,
  );
  const names = new Map<string, string>();
  for (const tag of [...codes, ...NAMED_VARIANTS]) {
    const own = new Intl.DisplayNames(tag, { type: 'language', fallback: 'none' }).of(tag);
    for (const name of [englishNames().of(tag), own])
      if (name !== undefined && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), tag);
  }
  return names;
});

/** The top-level domain of a Google host or URL: `com` for `com`, `google.com` or `https://www.google.com/`. */
export function parseEngineDomain(given: string): string {
  const host = given
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/:?#].*$/s, '');
  return host
    .replace(/^www\./, '')
    .replace(/^google(?=\.)/, '')
    .replaceAll(/^\.+|\.+$/g, '');
}

const regionNames = createLazy(() => new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }));

/**
 * Parses a country code or English country name to ISO 3166-1 alpha-2; null if undefined. Throws `invalid_request`, naming the
 * parameter `member`, if the text is not a country.
 */
export function parseCountry(given: string | undefined, member: string): string | null {
  if (given === undefined) return null;
  const text = given.trim();
  const code = /^[a-z]{2}$/i.test(text) ? toCurrentCode(text.toUpperCase()) : '';
  if (code !== '' && isCountryCode(code)) return code;
  // A more precise place has its country last: "California,United States".
  const name = text.split(',').at(-1)?.trim().toLowerCase() ?? '';
  const named = countryCodes().find((one) => regionNames().of(one)?.toLowerCase() === name);
  if (named !== undefined) return named;
  throw new ServiceError('invalid_request', `${member}: is not a known country; use an ISO 3166-1 code such as DE`);
}

const COUNTRY_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const countryCodes = createLazy(() =>
  COUNTRY_LETTERS.flatMap((one) => COUNTRY_LETTERS.map((other) => one + other)).filter(isCountryCode),
);

function isCountryCode(code: string): boolean {
  if (toCurrentCode(code) !== code) return false;
  const name = regionNames().of(code);
  return name !== undefined && name !== code && !/^unknown/i.test(name);
}

/** Replaces an outdated country code: UK becomes GB, DD becomes DE. */
function toCurrentCode(code: string): string {
  const [tag = ''] = /^[A-Z]{2}$/.test(code) ? Intl.getCanonicalLocales(`und-${code}`) : [];
  return tag.slice('und-'.length);
}

/** Admission of searches and answers: one price, and pages are fetched by the cheapest tier only. */
export function buildAdmissionRules({ base }: Price) {
  return {
    admit: (
      { timeout_ms: timeoutMs }: { readonly timeout_ms?: number | undefined },
      { plan }: AdmissionFacts,
    ): Admission => ({
      timeoutMs: timeoutMs ?? plan.inline_timeout_ms,
      tiers: TIERS.slice(0, 1),
      cheapest: base,
      maxCredits: null,
    }),
    queue: isOverInlineTimeout,
  };
}
