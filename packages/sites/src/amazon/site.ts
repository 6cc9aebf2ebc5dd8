import { blocked, notFound, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** A national shop: the locale of its pages, and its usual currency. */
type Marketplace = { readonly locale: string; readonly currency: string };

export const DOMAINS = [
  'com',
  'co.uk',
  'de',
  'fr',
  'it',
  'es',
  'co.jp',
  'ca',
  'com.au',
  'in',
  'com.mx',
  'com.br',
  'nl',
  'se',
  'pl',
  'com.tr',
  'ae',
  'sa',
  'sg',
  'eg',
  'com.be',
] as const;

export type Domain = (typeof DOMAINS)[number];

const MARKETPLACES: Readonly<Record<Domain, Marketplace>> = {
  com: { locale: 'en-US', currency: 'USD' },
  'co.uk': { locale: 'en-GB', currency: 'GBP' },
  de: { locale: 'de-DE', currency: 'EUR' },
  fr: { locale: 'fr-FR', currency: 'EUR' },
  it: { locale: 'it-IT', currency: 'EUR' },
  es: { locale: 'es-ES', currency: 'EUR' },
  'co.jp': { locale: 'ja-JP', currency: 'JPY' },
  ca: { locale: 'en-CA', currency: 'CAD' },
  'com.au': { locale: 'en-AU', currency: 'AUD' },
  in: { locale: 'en-IN', currency: 'INR' },
  'com.mx': { locale: 'es-MX', currency: 'MXN' },
  'com.br': { locale: 'pt-BR', currency: 'BRL' },
  nl: { locale: 'nl-NL', currency: 'EUR' },
  se: { locale: 'sv-SE', currency: 'SEK' },
  pl: { locale: 'pl-PL', currency: 'PLN' },
  'com.tr': { locale: 'tr-TR', currency: 'TRY' },
  ae: { locale: 'en-AE', currency: 'AED' },
  sa: { locale: 'en-SA', currency: 'SAR' },
  sg: { locale: 'en-SG', currency: 'SGD' },
  eg: { locale: 'en-EG', currency: 'EGP' },
  'com.be': { locale: 'fr-BE', currency: 'EUR' },
};

/**
 * Amazon. Its pages are read, because the documented API (https://webservices.amazon.com/paapi5/documentation/) needs an
 * account.
 */
export const amazon = defineSite({
  name: 'shop-a',
  about: 'online shop: products by their codes, and offers',
  origins: Object.fromEntries(DOMAINS.map((domain) => [`web.${domain}`, `https://www.amazon.${domain}`])),
  hosts: Object.fromEntries(
    DOMAINS.flatMap((domain) => ['', 'm.', 'smile.'].map((start) => [`${start}amazon.${domain}`, `web.${domain}`])),
  ),
  classify,
});

export function getMarketplace(domain: Domain): Marketplace {
  return MARKETPLACES[domain];
}

const CHALLENGE = /window\.gokuProps|token\.awswaf\.com|id="challenge-container"/;
const CAPTCHA = /\/errors\/validateCaptcha|opfcaptcha|<title[^>]{0,100}>\s*Robot Check|make sure you're not a robot/i;

/** Walls are small pages. The size matters, because the scripts of product pages contain the same words. */
function classify({ body }: SourcePage): SiteAnswer | null {
  if (body.length > 60_000) return null;
  if (CHALLENGE.test(body)) return blocked('waf_challenge');
  if (CAPTCHA.test(body) || body.includes('The request could not be satisfied')) return blocked('captcha');
  return /<title[^>]{0,100}>\s*Page Not Found/i.test(body) ? notFound('no such product') : null;
}
