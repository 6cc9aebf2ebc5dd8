import { blocked, acceptConsent, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the site. */
export const HOME = 'https://www.youtube.com';

/**
 * YouTube. Its pages, the requests of its player and its oEmbed endpoint (https://oembed.com) are used, because the
 * documented API (https://developers.google.com/youtube/v3/docs) needs a key.
 */
export const youtube = defineSite({
  name: 'video',
  about: 'video platform: videos, channels and subtitles',
  origins: { web: HOME, short: 'https://youtu.be' },
  hosts: {
    'youtube.com': 'web',
    'm.youtube.com': 'web',
    'music.youtube.com': 'web',
    'www.youtube-nocookie.com': 'web',
    'youtube-nocookie.com': 'web',
  },
  constants: { client_version: '2.20260603.05.00', app_version: '20.10.38' },
  classify,
});

const CONSENT = /<form[^>]{0,300}action="https:\/\/consent\.[^"]{1,200}\/(?:s|ml|save)["?]/;
const MAX_WALL_LENGTH = 100_000;

/** Recognizes the consent page of some countries and the captcha. Both are small pages. */
function classify({ url, body }: SourcePage): SiteAnswer | null {
  if (body.length > MAX_WALL_LENGTH) return null;
  if (CONSENT.test(body)) return acceptConsent({ SOCS: 'CAI', CONSENT: 'YES+1' });
  return new URL(url).pathname.startsWith('/sorry/') || body.includes('class="g-recaptcha"')
    ? blocked('captcha')
    : null;
}
