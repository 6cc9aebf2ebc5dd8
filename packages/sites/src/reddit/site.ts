import type { PathKinds } from '#sites/framework/site.ts';
import { blocked, notFound, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { getMember, parseJsonValue } from '#extract/values/json.ts';

/** The base of relative links, from whichever origin they come. */
export const HOME = 'https://www.reddit.com';

/** The token endpoint of the documented API. */
export const TOKEN_ENDPOINT = { origin: 'web', path: '/api/v1/access_token' } as const;

/** The kinds of pages by their paths, for error messages. */
export const PATH_KINDS: PathKinds = [
  [/^\/(?:(?:r|u|user)\/[^/]+\/)?(?:comments|gallery|s)\//, 'a post'],
  [/^\/r\/[^/]+\/wiki(?:\/|$)/, 'a page of a wiki'],
  [/^\/r\/[^/]+\/search(?:[/?]|$)/, 'a search'],
  [/^\/search(?:[/?]|$)/, 'a search'],
  [/^\/r\//, 'a community'],
  [/^\/u(?:ser)?\//, 'a person'],
];

/** Reddit. Its API is documented at https://www.reddit.com/dev/api. */
export const reddit = defineSite({
  name: 'forum',
  about: 'discussion forum: communities, posts, comments and people',
  origins: {
    web: HOME,
    old: 'https://old.reddit.com',
    oauth: 'https://oauth.reddit.com',
    short: 'https://redd.it',
  },
  hosts: {
    'reddit.com': 'web',
    'new.reddit.com': 'web',
    'np.reddit.com': 'web',
    'm.reddit.com': 'web',
    'sh.reddit.com': 'web',
  },
  credentials: ['client_id', 'client_secret'],
  classify,
});

/** Reasons why the site does not show a community or a post; `private`, `quarantined` and `gold_only` arrive with status 403. */
const HIDDEN_REASONS: ReadonlySet<unknown> = new Set(['private', 'quarantined', 'gold_only', 'banned']);
const NOT_FOUND_PAGE =
  /<(?:shreddit-forbidden|shreddit-not-found)\b|<title>[^<]{0,100}: (?:page not found|banned|private)/i;
const NETWORK_BLOCK = /blocked by network security|whoa there, pardner/i;

/** Recognizes the site's own pages for not found and blocked. */
function classify({ url, status, body }: SourcePage): SiteAnswer | null {
  const { pathname } = new URL(url);
  if (/^\/login\b/.test(pathname)) return blocked('login_wall');
  if (pathname === '/subreddits/search' || pathname === '/subreddits/search.json')
    return notFound('there is no such community');
  if (status < 400) return null;
  const answer = body.startsWith('{') ? parseJsonValue(body) : undefined;
  const reason = getMember(answer, 'reason');
  if (HIDDEN_REASONS.has(reason))
    return notFound(`the community is ${String(reason).replace('gold_only', 'for members only')}`);
  if (status === 403 && NOT_FOUND_PAGE.test(body)) return notFound('it does not exist, or is not public');
  return status !== 404 && NETWORK_BLOCK.test(body) ? blocked('network_block') : null;
}
