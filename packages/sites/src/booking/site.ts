import { blocked, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** Booking.com. Its pages are read, because the documented API (https://developers.booking.com) is for affiliates. */
export const booking = defineSite({
  name: 'hotel-b',
  about: 'hotel booking',
  origins: { web: 'https://www.booking.com' },
  hosts: { 'booking.com': 'web', 'm.booking.com': 'web' },
  classify,
});

const CHALLENGE = /window\.gokuProps|token\.awswaf\.com|\/challenge\.js\b|id="challenge-container"/;

/** The page of the firewall has status 202, 403 or 200. The page of a property is much larger. */
function classify({ status, body }: SourcePage): SiteAnswer | null {
  return status === 202 || (body.length < 60_000 && CHALLENGE.test(body)) ? blocked('waf_challenge') : null;
}
