import { parseUrl } from './parse-url.ts';

/** The base URL of a page's links, split once for all of them. */
export type LinkBase = {
  readonly href: string;
  /** Scheme and authority, without a slash at the end. */
  readonly root: string;
  /** The URL without its fragment. */
  readonly document: string;
  /** The URL up to the last slash of its path. */
  readonly folder: string;
};

/** Characters that the URL standard does not encode in path, query and fragment. */
const PLAIN_PATH = /^[\w\-.~!$&()*+,;=:@%/]*(?:\?[\w\-.~!$&()*+,;=:@%/?]*)?(?:#[\w\-.~!$&()*+,;=:@%/?]*)?$/;
/** A URL whose host needs no normalization: lower case, no port, no Punycode label, no number as its last label. */
const PLAIN_URL = /^https?:\/\/(?:(?!xn--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?!xn--)[a-z][a-z0-9]*\//;

/** The link base of an http or https URL. */
export function toLinkBase(url: URL): LinkBase {
  const document = url.href.replace(/#.*$/s, '');
  const root = document.slice(0, document.indexOf('/', url.protocol.length + 2));
  const path = document.replace(/\?.*$/s, '');
  return { href: url.href, root, document, folder: path.slice(0, path.lastIndexOf('/') + 1) };
}

/**
 * Returns `new URL(href, base).href`, or null if that throws. Common forms (absolute path, relative path, fragment,
 * plain http URL) are concatenated, which is ten times faster than a URL object.
 */
export function resolveLink(base: LinkBase, href: string): string | null {
  return joinPlainLink(base, href) ?? parseUrl(href, base.href)?.href ?? null;
}

/**
 * Concatenates base and reference if the result is what the URL standard gives, else returns null. The result is an
 * http or https URL.
 */
export function joinPlainLink(base: LinkBase, href: string): string | null {
  const first = href.charCodeAt(0);
  if (first === 47 && href.charCodeAt(1) !== 47) return isAlreadyResolved(href) ? base.root + href : null;
  if (first === 35) return isAlreadyResolved(href) ? base.document + href : null;
  const host = PLAIN_URL.exec(href);
  if (host !== null) return isAlreadyResolved(href.slice(host[0].length - 1)) ? href : null;
  // A reference with a colon may have a scheme; without one it is relative to the page's folder.
  if (!/^[a-z0-9_]/i.test(href) || href.includes(':') || !isAlreadyResolved(href)) return null;
  return base.folder + href;
}

/** Whether a path needs no normalization: only plain characters, and no segment that starts with a dot, escaped or not. */
function isAlreadyResolved(path: string): boolean {
  return PLAIN_PATH.test(path) && !path.includes('/.') && !path.includes('/%2');
}
