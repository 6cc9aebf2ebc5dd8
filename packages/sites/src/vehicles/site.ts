import { blocked } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the site's pages, wherever they are fetched. */
export const MARKET_HOME = 'https://www.autoscout24.com';

/** The hosts of the market in each country. */
export const MARKET_HOSTS: readonly string[] = [
  'com',
  'de',
  'at',
  'be',
  'fr',
  'it',
  'es',
  'nl',
  'lu',
  'pl',
  'ro',
  'se',
  'hu',
  'bg',
  'hr',
  'cz',
].map((country) => `www.autoscout24.${country}`);

/** A market of vehicles. */
export const vehicles = defineSite({
  name: 'vehicles',
  about: 'market of used and new cars',
  origins: { web: MARKET_HOME },
  hosts: Object.fromEntries(MARKET_HOSTS.map((host) => [host, 'web'])),
  classify,
});

const LARGEST_WALL = 100_000;

/** Pages of those who guard the site, small and without its data. */
function classify({ status, body }: SourcePage): SiteAnswer | null {
  if (body.length > LARGEST_WALL || body.includes('__NEXT_DATA__')) return null;
  const isWall = /<title>(?:Access Denied|Zugriff verweigert|Just a moment)|id="sec-(?:if|text)-container"/i.test(body);
  return isWall || (status === 403 && body.includes('akamai')) ? blocked('challenge') : null;
}
