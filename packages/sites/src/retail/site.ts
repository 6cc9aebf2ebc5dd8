import { blocked, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The canonical origin of the chain whose products are read by id, wherever its pages are fetched. */
export const TARGET_HOME = 'https://www.target.com';

/** Target, IKEA and Best Buy. Target is read by ids and words, the others by the addresses of their pages. */
export const retail = defineSite({
  name: 'retail',
  about: 'chains of shops: products, stores and stock',
  origins: {
    web: TARGET_HOME,
    api: 'https://redsky.target.com',
    furniture: 'https://www.ikea.com',
    electronics: 'https://www.bestbuy.com',
  },
  hosts: { 'target.com': 'web', 'ikea.com': 'furniture', 'bestbuy.com': 'electronics' },
  classify,
});

const MAX_WALL_LENGTH = 60_000;

/** Detects the small pages of the bot protection. */
function classify({ body, contentType }: SourcePage): SiteAnswer | null {
  if (!/html/i.test(contentType) || body.length > MAX_WALL_LENGTH) return null;
  return /<title>(?:Access (?:to this page has been )?denied|Just a moment)|id="px-captcha"/i.test(body)
    ? blocked('challenge')
    : null;
}
