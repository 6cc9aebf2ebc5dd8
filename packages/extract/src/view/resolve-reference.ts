import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { knownAttribute, nextTagged, type Tree } from '#extract/html/tree.ts';
import { type EncodeQuery, queryEncoderOf } from '#extract/values/encode-query.ts';
import { joinPlain, resolveLink, toLinkBase } from '#extract/values/resolve-link.ts';

/** Makes a reference of the page absolute; null for what is no link to follow (`javascript:`, `data:`, malformed). */
export type ResolveReference = (reference: string) => string | null;

/** Where the `href` of an element leads; null where it has none, or one that is no link to follow. */
export type TargetOf = (node: number) => string | null;

/** Schemes that a reader may be sent to. */
const FOLLOWED_SCHEMES = new Set('http: https: mailto: tel: ftp: sms: xmpp: irc: ircs: magnet: geo:'.split(' '));
/** References beyond this length are data, not links. */
const MAX_REFERENCE_LENGTH = 8192;

/**
 * The resolver of a page: against the first base element when that names an http(s) URL, else against the page's own
 * URL. Common forms are joined as text, which is cheaper than to look them up; only the others pay for a URL object,
 * each reference once. The query of a reference is encoded as the page is.
 */
export function resolverOf(tree: Tree, pageUrl: string, charset: string | null = null): ResolveReference {
  const encodeQuery = queryEncoderOf(charset);
  const base = findBaseUrl(tree, pageUrl, encodeQuery);
  const parts = base === null ? null : toLinkBase(base);
  const known = new Map<string, string | null>();
  return function toFollowed(reference) {
    const raw = reference.trim();
    const plain = parts === null || raw.length > MAX_REFERENCE_LENGTH ? null : joinPlain(parts, raw);
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

/** The targets of a page's elements, each resolved once, however many readers ask for it. */
export function createTargetFinder(tree: Tree, resolve: ResolveReference): TargetOf {
  const known = new Map<number, string | null>();
  return function toTarget(node) {
    const found = known.get(node);
    if (found !== undefined) return found;
    const href = knownAttribute(tree, node, ATTRIBUTE.href);
    const target = href === null ? null : resolve(href);
    known.set(node, target);
    return target;
  };
}

function findBaseUrl(tree: Tree, pageUrl: string, encodeQuery: EncodeQuery | null): URL | null {
  const page = URL.parse(pageUrl);
  for (let node = nextTagged(tree, TAG.base, 1); node !== 0; node = nextTagged(tree, TAG.base, node + 1)) {
    const href = knownAttribute(tree, node, ATTRIBUTE.href);
    if (href === null) continue;
    const base = URL.parse(encodeQuery?.(href.trim()) ?? href.trim(), page?.href);
    return base !== null && /^https?:$/.test(base.protocol) ? base : page;
  }
  return page;
}

function parseHref(raw: string): string | null {
  return URL.parse(raw)?.href ?? null;
}

/** A URL of a scheme that a reader may be sent to. */
function toFollowable(url: string | null): string | null {
  return url !== null && FOLLOWED_SCHEMES.has(url.slice(0, url.indexOf(':') + 1)) ? url : null;
}
