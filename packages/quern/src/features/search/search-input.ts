import { z } from 'zod';
import { lazy } from '#kernel/lazy.ts';
import type { Warning } from '#kernel/warnings.ts';

/** Characters of a query that search engines take: they refuse or cut longer ones. */
const MAX_ENGINE_CHARS = 2000;
/** Characters that it may have in an address, where servers take 8,000 of the whole request. */
const MAX_ENCODED_CHARS = 4000;

/** What is searched for, of any length. */
export const SearchText = z
  .string()
  .trim()
  .min(1)
  .describe('What is looked for; engines get its first 2,000 characters, or as many as take 4,000 in an address');

/** The part of a query that an engine takes: whole words, and never half a character. */
export function cutForEngine(search: string): string {
  const most = fittingLength(search);
  if (search.length <= most) return search;
  const cut = search.slice(0, most);
  const words = /^([^]*\S)\s+\S*$/.exec(cut)?.[1];
  const whole = /\s/.test(search.charAt(most)) || words === undefined ? cut : words;
  return whole.trimEnd();
}

/** How much of a query fits, in characters of its own and of the form that it has in an address. */
function fittingLength(search: string): number {
  let encoded = 0;
  let length = 0;
  for (const character of search) {
    encoded += /[\w.* -]/.test(character) && character.length === 1 ? 1 : 3 * Buffer.byteLength(character);
    if (encoded > MAX_ENCODED_CHARS || length + character.length > MAX_ENGINE_CHARS) return length;
    length += character.length;
  }
  return length;
}

/** The warning that an engine was asked for less than was given; none where it was not. */
export function cutWarnings(search: string): readonly Warning[] {
  const asked = cutForEngine(search);
  if (asked === search) return [];
  const message = `search: has ${search.length} characters; search engines were asked for the first ${asked.length}`;
  return [{ code: 'input_adjusted', message }];
}

/** The member of an answer that lists warnings; none where there are none. */
export function warningsMember(warnings: readonly Warning[]): { readonly warnings?: readonly Warning[] } {
  return warnings.length === 0 ? {} : { warnings };
}

/** A language as callers write it, and as it is asked for: a BCP 47 tag, null where it is not known. */
export type ReadLanguage = { readonly tag: string | null; readonly warnings: readonly Warning[] };

/**
 * Reads a BCP 47 tag (`pt-BR`), a POSIX locale (`pt_BR.UTF-8`), an ISO 639-2 code (`por`) or a name in English or in the
 * language itself (`portuguese`, `português`).
 */
export function readLanguage(given: string, member: string): ReadLanguage {
  const tag = toTag(given);
  if (tag !== null) return { tag, warnings: [] };
  const message = `${member}: ${given.slice(0, 40)} is not a known language, so it was left out; use a tag such as de or pt-BR`;
  return { tag: null, warnings: [{ code: 'input_adjusted', message }] };
}

const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i;

function toTag(given: string): string | null {
  const text = given
    .trim()
    .replace(/[.@].*$/s, '')
    .replaceAll('_', '-');
  if (TAG.test(text)) {
    const canonical = canonicalOf(text);
    if (canonical !== null) return canonical;
  }
  const name = given.replace(/\(.*$/s, '').trim().toLowerCase();
  return languageNames().get(name) ?? null;
}

function canonicalOf(text: string): string | null {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text);
    const [primary = ''] = tag.split('-');
    return englishNames().of(primary) === undefined ? null : tag;
  } catch {
    // The form of a tag with parts that do not go together, such as a variant given twice.
    return null;
  }
}

const englishNames = lazy(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }));

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');
/** Variants that have names of their own. */
const VARIANTS = ['zh-Hans', 'zh-Hant', 'pt-BR', 'pt-PT', 'en-GB', 'en-US', 'es-MX', 'fr-CA'];

/** Language tags by their names in lower case: in English, and in the language itself. */
const languageNames = lazy((): ReadonlyMap<string, string> => {
  const codes = LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter(
    (code) => Intl.getCanonicalLocales(code)[0] === code && englishNames().of(code) !== undefined,
  );
  const names = new Map<string, string>();
  for (const tag of [...codes, ...VARIANTS]) {
    const own = new Intl.DisplayNames(tag, { type: 'language', fallback: 'none' }).of(tag);
    for (const name of [englishNames().of(tag), own])
      if (name !== undefined && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), tag);
  }
  return names;
});

/** The top-level domain of an engine, also where its whole host or address is given: `com` of `www.google.com`. */
export function readEngineDomain(given: string): string {
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
