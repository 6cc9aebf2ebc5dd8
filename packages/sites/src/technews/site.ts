import { notHere, rateLimited, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import { retryAfterOf, type SourcePage } from '#sites/framework/request.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';

/** The canonical origin of the forum's pages. */
export const TECHNEWS_HOME = 'https://news.ycombinator.com';

/** The kinds of the forum's paths. */
export const TECHNEWS_PLACES: PlaceKinds = [
  [/^\/item\?/, 'an item'],
  [/^\/user\?/, 'a person'],
  [/^\/(?:submitted|threads|favorites)\?/, 'what a person wrote'],
  [/^\/from\?/, 'the stories of a site'],
  [/^\/(?:news|newest|front|ask|show|jobs|best|active|newcomments)?(?:\?|$)/, 'a list'],
];

/** Documentation of the interfaces: https://github.com/HackerNews/API and https://hn.algolia.com/api */
export const technews = defineSite({
  name: 'technews',
  about: 'technology news: stories, comments and people',
  origins: {
    web: TECHNEWS_HOME,
    api: 'https://hacker-news.firebaseio.com',
    search: 'https://hn.algolia.com',
  },
  classify,
});

const TOO_FAST = /not able to serve your requests this quickly/i;
const MAX_REFUSAL_LENGTH = 2000;

/** Recognizes the forum's own rate limit, and items that the search index does not have yet. */
function classify({ url, status, body, headers }: SourcePage): SiteAnswer | null {
  if (body.length <= MAX_REFUSAL_LENGTH && TOO_FAST.test(body)) return rateLimited(retryAfterOf(headers));
  const isIndex = new URL(url).pathname.startsWith('/api/v1/');
  return status === 404 && isIndex ? notHere('the index of the forum does not have it') : null;
}
