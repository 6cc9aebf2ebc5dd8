import { blocked } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the site's pages, wherever they are fetched. */
export const PINBOARD_HOME = 'https://www.pinterest.com';

/** Names before `.pinterest.com` that have the same paths. */
const REGIONS = ['ar', 'br', 'cl', 'co', 'cz', 'de', 'fi', 'gr', 'hu', 'id', 'in', 'nl', 'no', 'pl', 'ro', 'ru'];
const MORE_REGIONS = ['sk', 'tr', 'uk', 'za'];
const DOMAINS = [
  'at',
  'ca',
  'ch',
  'cl',
  'co.kr',
  'co.uk',
  'com',
  'com.au',
  'com.mx',
  'de',
  'dk',
  'es',
  'fr',
  'ie',
  'it',
];
const MORE_DOMAINS = ['jp', 'nz', 'ph', 'pt', 'se'];

export const pinboard = defineSite({
  name: 'pinboard',
  about: 'pinboard: pins, boards and profiles',
  origins: { web: PINBOARD_HOME, short: 'https://pin.it' },
  hosts: Object.fromEntries([
    ...[...REGIONS, ...MORE_REGIONS].map((region) => [`${region}.pinterest.com`, 'web'] as const),
    ...[...DOMAINS, ...MORE_DOMAINS].flatMap((domain) => [
      [`pinterest.${domain}`, 'web'] as const,
      [`www.pinterest.${domain}`, 'web'] as const,
    ]),
  ]),
  classify,
});

/** Whoever is not let in is asked to log in, by a page or by a refusal of the interface. */
function classify({ url, status }: SourcePage): SiteAnswer | null {
  if (status === 401) return blocked('authorization');
  return /^\/login\b/.test(new URL(url).pathname) ? blocked('login_wall') : null;
}
