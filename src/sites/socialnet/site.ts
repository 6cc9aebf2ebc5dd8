import { blocked, notFound, partly, rateLimited, unusable } from '#features/sites/answers.ts';
import type { SiteAnswer } from '#features/sites/answers.ts';
import { defineSite } from '#features/sites/endpoint.ts';
import type { SourcePage } from '#features/sites/request.ts';

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

const TITLE = /<title\b[^>]{0,500}>([^<]{0,300})/i;
const LOGIN_CANONICAL =
  /<link\b(?=[^>]{0,300}\brel="?canonical)[^>]{0,500}\bhref="?[^">\s]{0,300}\/(?:login|checkpoint)\b/i;
/** The sentence alone stands in the scripts of healthy pages too. */
const GONE = `"props":{"title":"This content isn't available right now"`;

/** Its walls come with any status, 200 included. */
function classify({ url, status, body }: SourcePage): SiteAnswer | null {
  const title = (TITLE.exec(body)?.[1] ?? '').replaceAll('’', "'").replaceAll('&#039;', "'");
  if (/^\/(?:login|checkpoint)\b/.test(new URL(url).pathname)) return blocked('login_wall');
  if (/^Log ?in(?:to| to) Facebook/i.test(title) || LOGIN_CANONICAL.test(body)) return blocked('login_wall');
  if (body.includes('/__rd_verify_') && body.length < 20_000) return blocked('client_challenge');
  if (body.includes('{"__dr":"CometErrorRoot.react"}')) return blocked('error_root');
  if (status === 400 && body.includes('Sorry, something went wrong')) return blocked('fingerprint');
  if (/^You(?:'re Temporarily Blocked| can't use this feature)/.test(title)) return rateLimited();
  if (/^(?:Page|Content) Not Found/i.test(title) || body.replaceAll('’', "'").includes(GONE))
    return notFound('not there, or not public');
  return null;
}

/** The form to log in, which healthy pages may show too: it decides only where the record was not found. */
const LOGIN_FORM = /\bid="login_form"|<form\b[^>]{0,500}\baction="[^"]{0,300}\/login\/|CAALoginComet/;
/** What its own interface says of too many questions. */
const LIMITED = /"code":\s?1675004\b/;

/** What a page without the record comes to: a wall where it asks to log in, else a page that has changed. */
export function absent({ body }: SourcePage, what: string): SiteAnswer {
  if (LIMITED.test(body)) return rateLimited();
  return LOGIN_FORM.test(body) ? blocked('login_wall') : unusable(what);
}

/** Whether a page came to its end: of one that was cut off nobody knows what it would have told. */
export function isWhole({ body }: SourcePage): boolean {
  return /<\/html>\s*$/i.test(body);
}

/** A list as its page holds it; what follows is given by the site's own interface alone, which no page leads to. */
export function heldBy<T extends object>(record: T, hasMore: boolean) {
  return hasMore ? partly(record, 'the site has more of these than its page holds') : record;
}
