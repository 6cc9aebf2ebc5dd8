import { blocked, notFound, markPartial, rateLimited, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { toCleanUrl } from '#extract/values/raw.ts';

/** The base of all relative references, whichever host a page has. */
export const HOME = 'https://www.facebook.com';

/**
 * Facebook. Its pages are read without a login. The embed of a page is the Page Plugin:
 * https://developers.facebook.com/docs/plugins/page-plugin
 */
export const facebook = defineSite({
  name: 'socialnet',
  about: 'social network: pages, posts, groups, events, marketplace and advertisements',
  origins: { web: HOME },
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

/** Hosts for visitors of one country, language or device. */
const VISITOR_HOST = /^(?:web|free|m|mbasic|mobile|touch|[a-z]{2}-[a-z]{2})\.facebook\.com$/;

/** Parses an address of the site's data, and replaces a host for certain visitors with the general one. */
export function parseSiteUrl(raw: unknown): string | null {
  const address = toCleanUrl(raw, HOME);
  const parts = address === null ? null : new URL(address);
  if (parts === null || !VISITOR_HOST.test(parts.hostname)) return address;
  return `${HOME}${parts.href.slice(parts.origin.length)}`;
}

const TITLE = /<title\b[^>]{0,500}>([^<]{0,300})/i;

const LOGIN_CANONICAL =
  /<link\b(?=[^>]{0,300}\brel="?canonical)[^>]{0,500}\bhref="?[^">\s]{0,300}\/(?:login|checkpoint)\b/i;

/** The Open Graph title of a login wall. */
const WALL_TITLE = /<meta\b[^>]{0,100}\bproperty="og:title"[^>]{0,100}\bcontent="Log ?in or sign ?up\b/i;

/** A login form. Pages with data have one, too. */
const LOGIN_FORM = /<form\b(?:[^>]{0,500}\bid="login_form"|[^>]{0,500}\baction="[^"]{0,300}\/login\/)/;

/** The member that contains responses of the interface in a page. */
const DATA = '"__bbox"';

/** The whole property, because scripts of other pages contain the sentence, too. */
const GONE = `"props":{"title":"This content isn't available right now"`;

/** Walls have any status, 200 included. */
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
    return notFound('it does not exist, or is not public');
  // The front page has a login form, too. The site redirects to it from pages that do not exist.
  if (new URL(address).pathname !== '/' && isLoginForm(body)) return blocked('login_wall');
  return null;
}

/** Whether the login form is the only content of a page. */
function isLoginForm(body: string): boolean {
  return LOGIN_FORM.test(body) && !body.includes(DATA) && !body.includes('property="og:url"');
}

/** The error of the interface for too many requests. */
const LIMITED = /"code":\s?1675004\b/;

/** A response of the interface in a page, other than the login form. */
const ANSWER = /"result":\s?\{"data":\s?\{(?!"login_data")/;

/** The answer for a page without the record: a login wall, a rate limit, or else a page with a new layout. */
export function answerMissingRecord(page: SourcePage, what: string): SiteAnswer {
  if (LIMITED.test(page.body)) return rateLimited();
  return isOnlyLoginForm(page) ? blocked('login_wall') : unusable(what);
}

/** The answer for a page without any list, which the site shows to visitors whom it does not trust. */
export function answerMissingList(page: SourcePage, what: string): SiteAnswer {
  const { body } = page;
  const isFrame = body.includes(DATA) && !isOnlyLoginForm(page) && !LISTED.test(body) && !LIMITED.test(body);
  return isFrame ? blocked('list_withheld') : answerMissingRecord(page, what);
}

/** Whether the only response of the interface in the page is the login form. */
function isOnlyLoginForm(page: SourcePage): boolean {
  return page.body.includes('"login_data"') && !ANSWER.test(page.body);
}

/** Types in the data of pages that list something. */
const LISTED = /"__typename":\s?"(?:Story|Photo|Video|Event|GroupCommerceProductItem)"/;

/** Marks a list as incomplete if there is more. Only the site's interface has the rest, and no page links to it. */
export function markIncomplete<T extends object>(record: T, hasMore: boolean) {
  return hasMore ? markPartial(record, 'the site has more of these than its page contains') : record;
}
