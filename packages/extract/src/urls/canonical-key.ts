import { isTrackingParameter } from '#extract/values/web-urls.ts';
import { hash } from 'node:crypto';
import { hashRouteIn } from './hash-routes.ts';
import { isSessionParameter } from './session-parameters.ts';

/**
 * The text by which a crawl knows an address again. Of an http or https URL as the URL standard serialises it
 * (`resolveLink`, `URL.href`), so that scheme, host and default port need no care, it leaves out an anchor, the dot
 * at the end of the host, tracking parameters, sessions in the query, an empty query and a session in the path (`;jsessionid=`, or `/(S(…))/`
 * of ASP.NET), and writes escapes in one case (RFC 3986, 6.2.2).
 *
 * Kept are: hash routes, which name pages of their own; the order of parameters, because servers read the first or the last of two; doubled and final slashes and
 * `index.html`, because nothing says that they name the same page, and equal content is found anyway; `www.` and the
 * scheme, because a redirect shows which one a site means.
 */
export function canonicalKey(href: string): string {
  const fragment = href.indexOf('#');
  const whole = fragment < 0 ? href : href.slice(0, fragment);
  const mark = whole.indexOf('?');
  const page = removeSession(removeRootDot(mark < 0 ? whole : whole.slice(0, mark)));
  const query = mark < 0 ? '' : removeTracking(whole.slice(mark + 1));
  const route = fragment < 0 ? '' : hashRouteIn(href);
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

/** A segment of cookieless ASP.NET: session, anonymous user and ticket, each a letter and what it stands for. */
const ASP_SESSION = /\/\((?:[asf]\([\w-]+\))+\)(?=\/)/i;

const SEMICOLON = /;|%3b/i;
/** A session as a parameter of the path; none of these names means anything else there. */
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

/** Escapes of letters, digits, `-`, `.`, `_` and `~` mean the character itself; of others the case means nothing. */
function toPlainEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[\w\-.~]/.test(character) ? character : escape.toUpperCase();
}

/** Characters of base64url that hold 128 bits and a little more. */
export const KEY_LENGTH = 22;

/**
 * A canonical key as 22 characters of base64url: the first 132 bits of its SHA-256 under a salt (the crawl's id). Two
 * keys of a crawl of 10⁹ addresses share one with a chance below 10⁻²¹, so nothing has to be compared on a conflict.
 */
export function keyHash(key: string, salt: string): string {
  return hash('sha256', `${salt}\n${key}`, 'base64url').slice(0, KEY_LENGTH);
}
