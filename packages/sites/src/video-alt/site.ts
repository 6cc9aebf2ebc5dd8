import { blocked, notFound, notHere } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the site's pages, wherever they are fetched. */
export const VIDEO_ALT_HOME = 'https://rumble.com';

export const videoAlt = defineSite({
  name: 'video-alt',
  about: 'alternative video platform',
  origins: { web: VIDEO_ALT_HOME, live: 'https://wn0.rumble.com' },
  hosts: { 'www.rumble.com': 'web', 'm.rumble.com': 'web' },
  classify,
});

const CHALLENGE = /challenges\.cloudflare\.com|cf-chl|\/cdn-cgi\/challenge-platform\/|<title>Just a moment/;
const LARGEST_WALL = 100_000;

/** A wall in front of the site, a person where a channel was looked for, and what a player may not play. */
function classify(page: SourcePage): SiteAnswer | null {
  const { url, status, body } = page;
  const { pathname } = new URL(url);
  if (body.length <= LARGEST_WALL && CHALLENGE.test(body)) return blocked('challenge');
  if (status === 404 && pathname.startsWith('/c/')) return notHere('there is no such channel');
  if (status === 403 && pathname.startsWith('/embedJS/')) return notFound('this video is private, or was removed');
  return null;
}
