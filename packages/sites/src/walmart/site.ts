import { blocked, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** Walmart. Its product pages are read. */
export const walmart = defineSite({
  name: 'shop-w',
  about: 'online shop of a chain of supermarkets',
  origins: { web: 'https://www.walmart.com' },
  hosts: { 'walmart.com': 'web', 'm.walmart.com': 'web' },
  classify,
});

const MAX_WALL_LENGTH = 100_000;
const WALL = /<title[^>]{0,100}>\s*Robot or human|id="px-captcha"|id="sign-in-widget"/i;

/** Bots are redirected to a captcha, or get one instead of the product. */
function classify({ url, status, body }: SourcePage): SiteAnswer | null {
  const isWall = body.length <= MAX_WALL_LENGTH && WALL.test(body);
  return status === 412 || isWall || new URL(url).pathname.startsWith('/blocked') ? blocked('captcha') : null;
}
