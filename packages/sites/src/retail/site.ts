import { blocked } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the chain that is asked by numbers, wherever its pages are fetched. */
export const RETAIL_HOME = 'https://www.target.com';

/** Chains of shops: one is asked by numbers and words, two by the addresses of their pages. */
export const retail = defineSite({
  name: 'retail',
  about: 'chains of shops: products, stores and stock',
  origins: {
    web: RETAIL_HOME,
    api: 'https://redsky.target.com',
    furniture: 'https://www.ikea.com',
    electronics: 'https://www.bestbuy.com',
  },
  hosts: { 'target.com': 'web', 'ikea.com': 'furniture', 'bestbuy.com': 'electronics' },
  classify,
});

const LARGEST_WALL = 60_000;

/** Pages of those who guard the site. */
function classify({ body, contentType }: SourcePage): SiteAnswer | null {
  if (!/html/i.test(contentType) || body.length > LARGEST_WALL) return null;
  return /<title>(?:Access (?:to this page has been )?denied|Just a moment)|id="px-captcha"/i.test(body)
    ? blocked('challenge')
    : null;
}
