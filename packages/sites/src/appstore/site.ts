import { blocked, rateLimited, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import type { PathKinds } from '#sites/framework/site.ts';

/** The canonical origins of the two stores. */
export const APPLE_HOME = 'https://apps.apple.com';
export const PLAY_HOME = 'https://play.google.com';

/** The kinds of the paths of both stores. */
export const PATH_KINDS: PathKinds = [
  [/^\/store\/apps\/details(?:[/?]|$)/, 'an app'],
  [/^\/store\/apps\/dev/, 'a developer'],
  [/^\/store\/search(?:[/?]|$)/, 'a search'],
  [/^\/store\/(?:books|movies|audiobooks)\//, 'a book or a film'],
  [/^\/store\/apps/, 'a list of apps'],
  [/\/developer\//, 'a developer'],
  [/\/app\//, 'an app'],
  [/\/(?:story|stories)\//, 'a story'],
  [/\/(?:charts|collection|room|iphone|ipad|genre)(?:[/?]|$)/, 'a list of apps'],
];

/**
 * Documentation of Apple's interface:
 * https://developer.apple.com/library/archive/documentation/AudioVideo/Conceptual/iTuneSearchAPI/index.html
 */
export const appstore = defineSite({
  name: 'appstore',
  about: 'app stores: apps, reviews and developers',
  origins: { play: PLAY_HOME, apple: APPLE_HOME, itunes: 'https://itunes.apple.com' },
  hosts: { 'market.android.com': 'play' },
  classify,
});

const MAX_REFUSAL_LENGTH = 20_000;

/** Recognizes the captcha page, and a rate limit that arrives with status 200. */
function classify({ url, body }: SourcePage): SiteAnswer | null {
  if (new URL(url).pathname.startsWith('/sorry/')) return blocked('captcha');
  return body.length <= MAX_REFUSAL_LENGTH && body.includes('PlayGatewayError') ? rateLimited() : null;
}
