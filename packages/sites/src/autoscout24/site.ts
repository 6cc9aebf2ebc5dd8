import { blocked, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the site. */
export const HOME = 'https://www.autoscout24.com';

/** The hosts of the market in each country. */
export const HOSTS: readonly string[] = [
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

/** AutoScout24, a market of vehicles. Its pages are read. */
export const autoScout = defineSite({
  name: 'vehicles',
  about: 'market of used and new cars',
  origins: { web: HOME },
  hosts: Object.fromEntries(HOSTS.map((host) => [host, 'web'])),
  classify,
});

const MAX_WALL_LENGTH = 100_000;

/** Recognizes the small pages of bot protection, which lack the data of the site. */
function classify({ status, body }: SourcePage): SiteAnswer | null {
  if (body.length > MAX_WALL_LENGTH || body.includes('__NEXT_DATA__')) return null;
  const isWall = /<title>(?:Access Denied|Zugriff verweigert|Just a moment)|id="sec-(?:if|text)-container"/i.test(body);
  return isWall || (status === 403 && body.includes('akamai')) ? blocked('challenge') : null;
}
