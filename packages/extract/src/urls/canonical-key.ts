import { hash } from 'node:crypto';
import { isTrackingParameter } from '#extract/values/web-urls.ts';
import { buildWordSet } from '#extract/values/space.ts';
import { findHashRoute } from './url-parts.ts';

/**
 * The key under which a crawl deduplicates a URL. `href` is a normalized http or https URL (`resolveLink`, `URL.href`).
 * The key drops the fragment, the final dot of the host, tracking and session parameters, an empty query and a session
 * in the path (`;jsessionid=`, or `/(S(…))/` of ASP.NET), and normalizes percent escapes (RFC 3986, 6.2.2). It keeps
 * hash routes, which are pages of their own; the order of parameters, because servers differ in which duplicate they
 * read; double and final slashes and `index.html`, because they may be different pages, and equal content is detected
 * anyway; `www.` and the scheme, because a redirect shows which one a site prefers.
 */
export function toCanonicalKey(href: string): string {
  const fragment = href.indexOf('#');
  const whole = fragment < 0 ? href : href.slice(0, fragment);
  const mark = whole.indexOf('?');
  const page = removeSession(removeRootDot(mark < 0 ? whole : whole.slice(0, mark)));
  const query = mark < 0 ? '' : removeTracking(whole.slice(mark + 1));
  const route = fragment < 0 ? '' : findHashRoute(href);
  const key = (query === '' ? page : `${page}?${query}`) + route;
  return key.includes('%') ? key.replace(/%[0-9a-f]{2}/gi, toPlainEscape) : key;
}

function removeRootDot(page: string): string {
  const end = page.indexOf('/', 8);
  if (end < 0) return page;
  if (page.charCodeAt(end - 1) === 46) return page.slice(0, end - 1) + page.slice(end);
  const port = page.lastIndexOf(':', end);
  return port > 8 && page.charCodeAt(port - 1) === 46 ? page.slice(0, port - 1) + page.slice(port) : page;
}

/** A path segment of cookieless ASP.NET: session, anonymous user and ticket. */
const ASP_SESSION = /\/\((?:[asf]\([\w-]+\))+\)(?=\/)/i;

const SEMICOLON = /;|%3b/i;
/** A session ID as a path parameter; these names have no other use there. */
const SESSION_IN_PATH =
  /(?:;|%3b)(?:jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken|sid|sessid|sessionid|session_id)(?:=|%3d)[^/;]*/gi;

function removeSession(page: string): string {
  const plain = page.includes('))/') ? page.replace(ASP_SESSION, '') : page;
  return SEMICOLON.test(plain) ? plain.replace(SESSION_IN_PATH, '') : plain;
}

function removeTracking(query: string): string {
  let kept = '';
  for (let at = 0; at <= query.length;) {
    const amp = query.indexOf('&', at);
    const end = amp < 0 ? query.length : amp;
    const equals = query.indexOf('=', at);
    const name = query.slice(at, equals < 0 || equals > end ? end : equals);
    const value = equals < 0 || equals > end ? '' : query.slice(equals + 1, end);
    if (end > at && !isTrackingParameter(name) && !isSessionParameter(name, value))
      kept += (kept === '' ? '' : '&') + query.slice(at, end);
    at = end + 1;
  }
  return kept;
}

/** Escapes of unreserved characters mean the character itself; in others the case of the digits is irrelevant. */
function toPlainEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[\w\-.~]/.test(character) ? character : escape.toUpperCase();
}

/** The number of base64url characters that hold at least 128 bits. */
export const KEY_LENGTH = 22;

/**
 * Hashes a canonical key to 22 characters of base64url: the first 132 bits of its SHA-256, salted with the crawl's ID.
 * In a crawl of 10⁹ URLs a collision has a probability below 10⁻²¹, so collisions are not checked.
 */
export function hashKey(key: string, salt: string): string {
  return hash('sha256', `${salt}\n${key}`, 'base64url').slice(0, KEY_LENGTH);
}

/** Parameters that shop and forum software uses for sessions only. */
const SESSION_PARAMETERS: ReadonlySet<string> = buildWordSet(
  'oscsid xtcsid zenid sessid phpsessionid ___sid asp.net_sessionid',
);
/** Parameters that sites also use for other things; their value decides. */
const POSSIBLE_SESSION_PARAMETERS: ReadonlySet<string> = buildWordSet(
  'sid s sess session sessionid session_id session-id',
);
/** A random value: letters mixed with digits, or a very long run of both. */
const RANDOM_VALUE = /^(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,}$|(?=[a-z]*\d|\d*[a-z])[a-z\d]{16,}/i;

/** Whether a query parameter, as spelled in the URL, contains a visitor's session. */
function isSessionParameter(name: string, value: string): boolean {
  const known = name.toLowerCase().replace(/^amp;/, '');
  return SESSION_PARAMETERS.has(known) || (POSSIBLE_SESSION_PARAMETERS.has(known) && RANDOM_VALUE.test(value));
}
