import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { knownAttribute, nextTagged } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';

/** Makes a reference of the page absolute; null for what is no link to follow (`javascript:`, `data:`, malformed). */
export type Resolve = (reference: string) => string | null;

/** Schemes that a reader may be sent to. */
const FOLLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:', 'sms:', 'xmpp:', 'magnet:', 'geo:']);
/** Characters that the URL standard leaves as they are in path, query and fragment. */
const PLAIN_PATH = /^[\w\-.~!$&()*+,;=:@%/]*(?:\?[\w\-.~!$&()*+,;=:@%/?]*)?(?:#[\w\-.~!$&()*+,;=:@%/?]*)?$/;
/** A host that is written as it is resolved: lower case, no port, no number as its last label. */
const PLAIN_URL = /^https?:\/\/(?!xn--)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9]*\//;
const DOT_SEGMENT = /\/(?:\.|%2e)/i;
/** References beyond this length are data, not links. */
const MAX_REFERENCE = 8192;

/**
 * The resolver of a page: against the first base element when that names an http(s) URL, else against the page's own
 * URL. Common forms are joined as text; only the others pay for a URL object, each reference once.
 */
export function resolverOf(tree: Tree, pageUrl: string): Resolve {
  const base = baseOf(tree, pageUrl);
  if (base === null) return (reference) => resolveSlowly(reference, undefined);
  const origin = base.origin;
  const document = base.href.replace(/#.*$/s, '');
  const folder = document.replace(/\?.*$/s, '').replace(/[^/]*$/, '');
  const known = new Map<string, string | null>();
  return function resolve(reference) {
    const found = known.get(reference);
    if (found !== undefined) return found;
    const raw = reference.trim();
    const url = joinPlain(raw, { origin, document, folder }) ?? resolveSlowly(raw, base);
    known.set(reference, url);
    return url;
  };
}

function baseOf(tree: Tree, pageUrl: string): URL | null {
  const page = URL.parse(pageUrl);
  for (let node = nextTagged(tree, TAG.base, 1); node !== 0; node = nextTagged(tree, TAG.base, node + 1)) {
    const href = knownAttribute(tree, node, ATTRIBUTE.href);
    if (href === null) continue;
    const base = URL.parse(href.trim(), page?.href);
    return base !== null && /^https?:$/.test(base.protocol) ? base : page;
  }
  return page;
}

type Base = { readonly origin: string; readonly document: string; readonly folder: string };

/** The absolute URL when joining texts gives what the URL standard gives, else null. */
function joinPlain(raw: string, base: Base): string | null {
  const first = raw.charCodeAt(0);
  if (first === 47 && raw.charCodeAt(1) !== 47) return isPlain(raw) ? base.origin + raw : null;
  if (first === 35) return isPlain(raw) ? base.document + raw : null;
  const host = PLAIN_URL.exec(raw);
  if (host !== null) return isPlain(raw.slice(host[0].length - 1)) ? raw : null;
  // A colon may end a scheme; what has none is a path below the page's folder.
  if (!/^[a-z0-9_]/i.test(raw) || raw.includes(':') || !isPlain(raw)) return null;
  return base.folder + raw;
}

function isPlain(path: string): boolean {
  return PLAIN_PATH.test(path) && !DOT_SEGMENT.test(path);
}

function resolveSlowly(raw: string, base: URL | undefined): string | null {
  if (raw.length > MAX_REFERENCE) return null;
  const url = URL.parse(raw, base);
  return url !== null && FOLLOWED.has(url.protocol) ? url.href : null;
}
