import { blocked, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the site. */
export const HOME = 'https://www.airbnb.com';

/** Airbnb: homes to rent for a stay. Its pages are read. */
export const airbnb = defineSite({
  name: 'homestay',
  about: 'homes for rent',
  origins: { web: HOME },
  hosts: Object.fromEntries(
    [
      'com',
      'co.uk',
      'de',
      'fr',
      'es',
      'it',
      'nl',
      'at',
      'ch',
      'pt',
      'ie',
      'ca',
      'com.au',
      'co.in',
      'mx',
      'com.br',
      'co.nz',
      'be',
      'cz',
      'dk',
      'fi',
      'gr',
      'hu',
      'no',
      'pl',
      'ru',
      'se',
      'com.sg',
      'com.tr',
      'jp',
      'co.kr',
    ].flatMap((end) => [
      [`airbnb.${end}`, 'web'],
      [`www.airbnb.${end}`, 'web'],
    ]),
  ),
  classify,
});

const MAX_WALL_LENGTH = 60_000;

/** Recognizes the pages of bot protection. */
function classify({ body, contentType }: SourcePage): SiteAnswer | null {
  if (!/html/i.test(contentType) || body.length > MAX_WALL_LENGTH) return null;
  return /<title>(?:Access Denied|Just a moment|Pardon Our Interruption)|id="px-captcha"|\/airlock\?/i.test(body)
    ? blocked('challenge')
    : null;
}
