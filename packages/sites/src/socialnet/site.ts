import { blocked, notFound, partly, rateLimited, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { url } from '#extract/values/raw.ts';

/** The base of references, whichever origin they were found at. */
export const SOCIAL_WEB = 'https://www.facebook.com';

export const socialnet = defineSite({
  name: 'socialnet',
  about: 'social network: pages, posts, groups, events, marketplace and advertisements',
  origins: { web: SOCIAL_WEB },
  hosts: {
    'facebook.com': 'web',
    'm.facebook.com': 'web',
    'mbasic.facebook.com': 'web',
    'touch.facebook.com': 'web',
    'web.facebook.com': 'web',
    'fb.com': 'web',
    'www.fb.com': 'web',
  },
  classify,
});

/** Hosts that the site gives visitors of one country, language or device. */
const VISITOR_HOST = /^(?:web|free|m|mbasic|mobile|touch|[a-z]{2}-[a-z]{2})\.facebook\.com$/;

/** An address of the site's data, on the host that is that of every visitor; null for anything else. */
export function linkAt(raw: unknown): string | null {
  const address = url(raw, SOCIAL_WEB);
  const parts = address === null ? null : new URL(address);
  if (parts === null || !VISITOR_HOST.test(parts.hostname)) return address;
  return `${SOCIAL_WEB}${parts.href.slice(parts.origin.length)}`;
}

const TITLE = /<title\b[^>]{0,500}>([^<]{0,300})/i;
const LOGIN_CANONICAL =
  /<link\b(?=[^>]{0,300}\brel="?canonical)[^>]{0,500}\bhref="?[^">\s]{0,300}\/(?:login|checkpoint)\b/i;
/** What a wall tells those who share it. */
const WALL_TITLE = /<meta\b[^>]{0,100}\bproperty="og:title"[^>]{0,100}\bcontent="Log ?in or sign ?up\b/i;
/** A form to log in. Healthy pages show one too, beside their data and their address. */
const LOGIN_FORM = /<form\b(?:[^>]{0,500}\bid="login_form"|[^>]{0,500}\baction="[^"]{0,300}\/login\/)/;
/** What holds the answers of its interface in a page. */
const DATA = '"__bbox"';
/** The sentence alone stands in the scripts of healthy pages too. */
const GONE = `"props":{"title":"This content isn't available right now"`;

/** Its walls come with any status, 200 included. */
function classify(page: SourcePage): SiteAnswer | null {
  const { url: address, status, body } = page;
  const title = (TITLE.exec(body)?.[1] ?? '').replaceAll('’', "'").replaceAll('&#039;', "'");
  if (/^\/(?:login|checkpoint)\b/.test(new URL(address).pathname)) return blocked('login_wall');
  if (/^Log ?in(?:to| to) Facebook/i.test(title) || LOGIN_CANONICAL.test(body)) return blocked('login_wall');
  if (WALL_TITLE.test(body)) return blocked('login_wall');
  if (body.includes('/__rd_verify_') && body.length < 20_000) return blocked('client_challenge');
  if (body.includes('{"__dr":"CometErrorRoot.react"}')) return blocked('error_root');
  if (status === 400 && body.includes('Sorry, something went wrong')) return blocked('fingerprint');
  if (/^You(?:'re Temporarily Blocked| can't use this feature)/.test(title)) return rateLimited();
  if (/^(?:Page|Content) Not Found/i.test(title) || body.replaceAll('’', "'").includes(GONE))
    return notFound('not there, or not public');
  // Its front page is one too, and where it leads from what is not there.
  if (new URL(address).pathname !== '/' && isLoginForm(body)) return blocked('login_wall');
  return null;
}

/** A page whose only content is the form to log in. */
function isLoginForm(body: string): boolean {
  return LOGIN_FORM.test(body) && !body.includes(DATA) && !body.includes('property="og:url"');
}

/** What its own interface says of too many questions. */
const LIMITED = /"code":\s?1675004\b/;
/** An answer of its interface in a page, other than the form to log in. */
const ANSWER = /"result":\s?\{"data":\s?\{(?!"login_data")/;

/** What a page without the record comes to: one that has changed, unless it has the form to log in alone. */
export function absent(page: SourcePage, what: string): SiteAnswer {
  if (LIMITED.test(page.body)) return rateLimited();
  return isBare(page) ? blocked('login_wall') : unusable(what);
}

/** What the frame of a page comes to that has no list at all: the site shows it to those whom it does not trust. */
export function withheld(page: SourcePage, what: string): SiteAnswer {
  const { body } = page;
  const isFrame = body.includes(DATA) && !isBare(page) && !LISTED.test(body) && !LIMITED.test(body);
  return isFrame ? blocked('list_withheld') : absent(page, what);
}

/** Whether the interface answered in the page with the form to log in, and with nothing else. */
function isBare(page: SourcePage): boolean {
  return page.body.includes('"login_data"') && !ANSWER.test(page.body);
}

/** What pages with things to list have in their data. */
const LISTED = /"__typename":\s?"(?:Story|Photo|Video|Event|GroupCommerceProductItem)"/;

/** A list as its page holds it; what follows is given by the site's own interface alone, which no page leads to. */
export function heldBy<T extends object>(record: T, hasMore: boolean) {
  return hasMore ? partly(record, 'the site has more of these than its page holds') : record;
}
