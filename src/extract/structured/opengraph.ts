import { setMember } from '#extract/values/json.ts';
import { toAbsoluteUrl } from '#extract/values/urls.ts';

const MOST_PROPERTIES = 500;
const NAMESPACES = /^(?:og|article|product|twitter|fb|book|profile|music|video|al):[\w:.-]{1,100}$/i;
const URLS = /^(?:og:(?:url|image|video|audio)(?::(?:url|secure_url))?|twitter:(?:image|player)(?::src)?)$/;

/** The OpenGraph, article, product and twitter properties among `meta` elements by lower-case name; repeated ones as arrays, URLs absolute. */
export function readOpenGraph(
  metas: readonly { readonly name: string; readonly content: string }[],
  url: string,
): Readonly<Record<string, unknown>> {
  const found = new Map<string, string[]>();
  for (const meta of metas) {
    const name = meta.name.toLowerCase();
    if (!NAMESPACES.test(name) || meta.content.trim() === '') continue;
    const value = URLS.test(name) ? (toAbsoluteUrl(meta.content, url) ?? meta.content) : meta.content.trim();
    const known = found.get(name);
    if (known === undefined && found.size < MOST_PROPERTIES) found.set(name, [value]);
    if (known !== undefined && known.length < MOST_PROPERTIES && !known.includes(value)) known.push(value);
  }
  const properties: Record<string, unknown> = {};
  for (const [name, values] of found) setMember(properties, name, values.length === 1 ? values[0] : values);
  return properties;
}
