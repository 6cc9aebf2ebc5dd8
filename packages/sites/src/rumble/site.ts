import { blocked, notFound, notInSource, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the site. */
export const HOME = 'https://rumble.com';

/** Rumble. Its pages, the data of its player and its oEmbed endpoint (https://oembed.com) are read. */
export const rumble = defineSite({
  name: 'video-alt',
  about: 'alternative video platform',
  origins: { web: HOME, live: 'https://wn0.rumble.com' },
  hosts: { 'www.rumble.com': 'web', 'm.rumble.com': 'web' },
  classify,
});

const CHALLENGE = /challenges\.cloudflare\.com|cf-chl|\/cdn-cgi\/challenge-platform\/|<title>Just a moment/;
const MAX_WALL_LENGTH = 100_000;

/** Recognizes the challenge page, a missing channel (its name can belong to a person), and private or removed videos. */
function classify(page: SourcePage): SiteAnswer | null {
  const { url, status, body } = page;
  const { pathname } = new URL(url);
  if (body.length <= MAX_WALL_LENGTH && CHALLENGE.test(body)) return blocked('challenge');
  if (status === 404 && pathname.startsWith('/c/')) return notInSource('there is no such channel');
  if (status === 403 && pathname.startsWith('/embedJS/')) return notFound('this video is private, or was removed');
  return null;
}
