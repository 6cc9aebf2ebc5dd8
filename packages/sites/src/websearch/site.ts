import { blocked, consent, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { ENGINE_DOMAINS } from './domains.ts';

/** The engine whose results `/v1/websearch` answers, at each of its domains. */
export const websearch = defineSite({
  name: 'websearch',
  origins: Object.fromEntries(ENGINE_DOMAINS.map((domain) => [originFor(domain), `https://www.google.${domain}`])),
  classify,
});

/** The name of the origin of a domain. */
export function originFor(domain: string): string {
  return `web.${domain}`;
}

/** The cookies of a visitor who has answered the question for consent. */
export const CONSENTED = { CONSENT: 'YES+', SOCS: 'CAESHAgBEhIaAB' } as const;

function classify({ url, body }: SourcePage): SiteAnswer | null {
  const { hostname, pathname } = new URL(url);
  if (hostname.startsWith('sorry.') || pathname.startsWith('/sorry/')) return blocked('captcha');
  if (hostname.startsWith('consent.')) return consent(CONSENTED);
  if (/<form[^>]{0,200}\bid="?captcha-form\b/i.test(body)) return blocked('captcha');
  if (/<form[^>]{0,200}\baction="https:\/\/consent\./i.test(body) && !body.includes('<h3')) return consent(CONSENTED);
  return null;
}
