import { blocked } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

export const hotelB = defineSite({
  name: 'hotel-b',
  about: 'hotel booking',
  origins: { web: 'https://www.booking.com' },
  hosts: { 'booking.com': 'web', 'm.booking.com': 'web' },
  classify,
});

const CHALLENGE = /window\.gokuProps|token\.awswaf\.com|\/challenge\.js\b|id="challenge-container"/;

/** The firewall's page comes with 202, 403 and 200; a property's own is much larger. */
function classify({ status, body }: SourcePage): SiteAnswer | null {
  return status === 202 || (body.length < 60_000 && CHALLENGE.test(body)) ? blocked('waf_challenge') : null;
}
