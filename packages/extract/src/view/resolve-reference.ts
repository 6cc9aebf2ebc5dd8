import { parseUrl } from '#extract/values/parse-url.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getKnownAttribute, findNextTag, type Tree } from '#extract/html/tree.ts';
import { type EncodeQuery, createQueryEncoder } from '#extract/values/encode-query.ts';
import { joinPlainLink, resolveLink, toLinkBase } from '#extract/values/resolve-link.ts';

/** Resolves a reference to an absolute URL. Null if it cannot be followed (`javascript:`, `data:`, malformed). */
export type ResolveReference = (reference: string) => string | null;

/** The URL of an element's `href`. Null if it has none, or one that cannot be followed. */
export type FindTarget = (node: number) => string | null;

/** Schemes of links that a reader can follow. */
const FOLLOWED_SCHEMES = new Set('http: https: mailto: tel: ftp: sms: xmpp: irc: ircs: magnet: geo:'.split(' '));
/** A longer reference is data, not a link. */
const MAX_REFERENCE_LENGTH = 8192;

/**
 * Creates the resolver of a page. The base is the first base element if it has an http(s) URL, else the page's URL.
 * Common forms are joined as text, which is faster than a cache lookup. Others are parsed as a URL, once per reference.
 * Queries are encoded in the charset of the page.
 */
export function createResolver(tree: Tree, pageUrl: string, charset: string | null = null): ResolveReference {
  const encodeQuery = createQueryEncoder(charset);
  const base = findBaseUrl(tree, pageUrl, encodeQuery);
  const parts = base === null ? null : toLinkBase(base);
  const known = new Map<string, string | null>();
  return function toFollowed(reference) {
    const raw = reference.trim();
    const plain = parts === null || raw.length > MAX_REFERENCE_LENGTH ? null : joinPlainLink(parts, raw);
    if (plain !== null) return plain;
    const found = known.get(reference);
    if (found !== undefined) return found;
    const encoded = encodeQuery === null ? raw : encodeQuery(raw);
    const url =
      raw.length > MAX_REFERENCE_LENGTH
        ? null
        : toFollowable(parts === null ? parseHref(encoded) : resolveLink(parts, encoded));
    known.set(reference, url);
    return url;
  };
}

/** Creates a function that resolves the `href` of an element, once per element. */
export function createTargetFinder(tree: Tree, resolve: ResolveReference): FindTarget {
  const known = new Map<number, string | null>();
  return function toTarget(node) {
    const found = known.get(node);
    if (found !== undefined) return found;
    const href = getKnownAttribute(tree, node, ATTRIBUTE.href);
    const target = href === null ? null : resolve(href);
    known.set(node, target);
    return target;
  };
}

function findBaseUrl(tree: Tree, pageUrl: string, encodeQuery: EncodeQuery | null): URL | null {
  const page = parseUrl(pageUrl);
  for (let node = findNextTag(tree, TAG.base, 1); node !== 0; node = findNextTag(tree, TAG.base, node + 1)) {
    const href = getKnownAttribute(tree, node, ATTRIBUTE.href);
    if (href === null) continue;
    const base = parseUrl(encodeQuery?.(href.trim()) ?? href.trim(), page?.href);
    return base !== null && /^https?:$/.test(base.protocol) ? base : page;
  }
  return page;
}

function parseHref(raw: string): string | null {
  return parseUrl(raw)?.href ?? null;
}

/** The URL if its scheme can be followed, else null. */
function toFollowable(url: string | null): string | null {
  return url !== null && FOLLOWED_SCHEMES.has(url.slice(0, url.indexOf(':') + 1)) ? url : null;
}
