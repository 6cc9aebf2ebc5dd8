import type { PlaceKinds } from '#sites/place-kinds.ts';
import { blocked, rateLimited } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origins of the two stores. */
export const APPLE_HOME = 'https://apps.apple.com';
export const PLAY_HOME = 'https://play.google.com';

/** What the paths of both stores lead to. */
export const STORE_PLACES: PlaceKinds = [
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

export const appstore = defineSite({
  name: 'appstore',
  about: 'app stores: apps, reviews and developers',
  origins: { play: PLAY_HOME, apple: APPLE_HOME, itunes: 'https://itunes.apple.com' },
  hosts: { 'market.android.com': 'play' },
  classify,
});

const LONGEST_REFUSAL = 20_000;

/** A captcha for robots, and a refusal that comes as a good answer. */
function classify({ url, body }: SourcePage): SiteAnswer | null {
  if (new URL(url).pathname.startsWith('/sorry/')) return blocked('captcha');
  return body.length <= LONGEST_REFUSAL && body.includes('PlayGatewayError') ? rateLimited() : null;
}
