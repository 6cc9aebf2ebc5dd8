import { notInSource, rateLimited, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import { parseRetryAfterSeconds, type SourcePage } from '#sites/framework/request.ts';
import type { PathKinds } from '#sites/framework/site.ts';

/** The canonical origin of the forum's pages. */
export const HOME = 'https://news.ycombinator.com';

/** The kinds of the forum's paths. */
export const PATH_KINDS: PathKinds = [
  [/^\/item\?/, 'an item'],
  [/^\/user\?/, 'a person'],
  [/^\/(?:submitted|threads|favorites)\?/, 'what a person wrote'],
  [/^\/from\?/, 'the stories of a site'],
  [/^\/(?:news|newest|front|ask|show|jobs|best|active|newcomments)?(?:\?|$)/, 'a list'],
];

/** Documentation of the interfaces: https://github.com/HackerNews/API and https://hn.algolia.com/api */
export const hackerNews = defineSite({
  name: 'technews',
  about: 'technology news: stories, comments and people',
  origins: {
    web: HOME,
    api: 'https://hacker-news.firebaseio.com',
    search: 'https://hn.algolia.com',
  },
  classify,
});

const TOO_FAST = /not able to serve your requests this quickly/i;
const MAX_REFUSAL_LENGTH = 2000;

/** Recognizes the forum's own rate limit, and items that the search index does not have yet. */
function classify({ url, status, body, headers }: SourcePage): SiteAnswer | null {
  if (body.length <= MAX_REFUSAL_LENGTH && TOO_FAST.test(body)) return rateLimited(parseRetryAfterSeconds(headers));
  const isIndex = new URL(url).pathname.startsWith('/api/v1/');
  return status === 404 && isIndex ? notInSource('the index of the forum does not have it') : null;
}
