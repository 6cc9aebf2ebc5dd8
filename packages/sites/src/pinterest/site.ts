import { blocked, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the site. */
export const HOME = 'https://www.pinterest.com';

/** Subdomains of pinterest.com with the same paths. */
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

/**
 * Pinterest. The pages' own requests are used, because the documented API (https://developers.pinterest.com/docs/api/v5/)
 * needs an account.
 */
export const pinterest = defineSite({
  name: 'pinboard',
  about: 'pinboard: pins, boards and profiles',
  origins: { web: HOME, short: 'https://pin.it' },
  hosts: Object.fromEntries([
    ...[...REGIONS, ...MORE_REGIONS].map((region) => [`${region}.pinterest.com`, 'web'] as const),
    ...[...DOMAINS, ...MORE_DOMAINS].flatMap((domain) => [
      [`pinterest.${domain}`, 'web'] as const,
      [`www.pinterest.${domain}`, 'web'] as const,
    ]),
  ]),
  classify,
});

/** Recognizes the login page and the refusal of the API. */
function classify({ url, status }: SourcePage): SiteAnswer | null {
  if (status === 401) return blocked('authorization');
  return /^\/login\b/.test(new URL(url).pathname) ? blocked('login_wall') : null;
}
