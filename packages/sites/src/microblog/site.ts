import { blocked, notFound, notInSource, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toLine } from '#extract/values/raw.ts';

/** The canonical origins of the networks. */
export const NETWORK_HOMES = {
  x: 'https://x.com',
  bluesky: 'https://bsky.app',
  mastodon: 'https://mastodon.social',
} as const;

export type Network = keyof typeof NETWORK_HOMES;

/**
 * Three networks of short posts: X, Bluesky (https://docs.bsky.app/docs/category/http-reference) and Mastodon
 * (https://docs.joinmastodon.org/api/).
 */
export const microblog = defineSite({
  name: 'microblog',
  about: 'network of short posts: accounts, posts and replies',
  origins: {
    web: NETWORK_HOMES.x,
    embed: 'https://cdn.syndication.twimg.com',
    timeline: 'https://syndication.twitter.com',
    bluesky: NETWORK_HOMES.bluesky,
    appview: 'https://api.bsky.app',
    mastodon: NETWORK_HOMES.mastodon,
  },
  hosts: {
    'twitter.com': 'web',
    'www.twitter.com': 'web',
    'mobile.twitter.com': 'web',
    'www.x.com': 'web',
    'mobile.x.com': 'web',
  },
  classify,
});

const MISSING = /not found|could not be found|unable to resolve|taken ?down|deactivated|suspended/i;

/** Recognizes the login page, and API errors with status 400 for accounts that do not exist. */
function classify({ url, status, body }: SourcePage): SiteAnswer | null {
  if (/^\/(?:i\/flow\/login|login|account\/access)\b/.test(new URL(url).pathname)) return blocked('login_wall');
  // Posts with restricted visibility are not embedded.
  if (status === 404 && new URL(url).pathname === '/tweet-result') return notInSource('it is not embedded');
  if (status !== 400 || body.length > 10_000) return null;
  const answer = parseJsonValue(body);
  const words = `${toLine(getPath(answer, 'error')) ?? ''} ${toLine(getPath(answer, 'message')) ?? ''}`;
  return MISSING.test(words)
    ? notFound(toLine(getPath(answer, 'message')) ?? 'there is no account with that name')
    : null;
}
