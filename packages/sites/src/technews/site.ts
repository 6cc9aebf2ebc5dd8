import type { PlaceKinds } from '#sites/place-kinds.ts';
import { notHere, rateLimited } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import { retryAfterOf } from '#sites/framework/request.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the forum's pages, wherever they are fetched. */
export const TECHNEWS_HOME = 'https://news.ycombinator.com';

/** What the paths of the forum lead to. */
export const TECHNEWS_PLACES: PlaceKinds = [
  [/^\/item\?/, 'an item'],
  [/^\/user\?/, 'a person'],
  [/^\/(?:submitted|threads|favorites)\?/, 'what a person wrote'],
  [/^\/from\?/, 'the stories of a site'],
  [/^\/(?:news|newest|front|ask|show|jobs|best|active|newcomments)?(?:\?|$)/, 'a list'],
];

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
const LONGEST_REFUSAL = 2000;

/** The forum's own limit of requests, and an index that has not come to what is new. */
function classify({ url, status, body, headers }: SourcePage): SiteAnswer | null {
  if (body.length <= LONGEST_REFUSAL && TOO_FAST.test(body)) return rateLimited(retryAfterOf(headers));
  const isIndex = new URL(url).pathname.startsWith('/api/v1/');
  return status === 404 && isIndex ? notHere('the index of the forum does not have it') : null;
}
