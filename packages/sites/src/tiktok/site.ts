import { blocked, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the site's pages, wherever they are fetched. */
export const HOME = 'https://www.tiktok.com';

/** TikTok. Its pages are read, because the documented API (https://developers.tiktok.com/doc/overview) needs an approved app. */
export const tiktok = defineSite({
  name: 'shortvideo',
  about: 'platform of short videos: profiles, clips, comments and hashtags',
  origins: { web: HOME },
  hosts: { 'tiktok.com': 'web', 'm.tiktok.com': 'web' },
  classify,
});

const MAX_WALL_LENGTH = 100_000;
const WALL = /<title>Please wait|captcha-verify-container|id="captcha_container"|_wafchallengeid/i;

/** The captcha and the waiting page before it are small. */
function classify({ url, body, contentType }: SourcePage): SiteAnswer | null {
  if (/^\/login\b/.test(new URL(url).pathname)) return blocked('login_wall');
  if (!/html/i.test(contentType) || body.length > MAX_WALL_LENGTH) return null;
  return WALL.test(body) ? blocked('captcha') : null;
}
