import { blocked, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** Agoda. Its pages are read. */
export const agoda = defineSite({
  name: 'hotel-a',
  about: 'hotel booking',
  origins: { web: 'https://www.agoda.com' },
  hosts: { 'agoda.com': 'web' },
  classify,
});

const CHALLENGE = /\/challenge\.js\b|id="challenge-container"|captcha-delivery\.com|px-captcha|\/_Incapsula_Resource\b/;

/** A challenge has any status. The page of a property is much larger. */
function classify({ body }: SourcePage): SiteAnswer | null {
  return body.length < 60_000 && CHALLENGE.test(body) ? blocked('challenge') : null;
}
