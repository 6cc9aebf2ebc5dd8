import { blocked, acceptConsent, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';

/** The top-level domains of Google Search. */
export const GOOGLE_DOMAINS: readonly string[] = [
  'com ac ad ae al am as at az ba be bf bg bi bj bs bt by ca cat cc cd cf cg ch ci cl cm cn cv cz de dj dk dm dz ee es fi fm',
  'fr ga ge gf gg gl gm gp gr gy hn hr ht hu ie im io iq is it je jo kg ki kz la li lk lt lu lv md me mg mk ml mn ms mu mv',
  'mw ne ng nl no nr nu pl pn ps pt ro rs ru rw sc se sh si sk sm sn so sr st td tg tk tl tm tn to tt vg vu ws',
  'co.ao co.bw co.ck co.cr co.hu co.id co.il co.in co.je co.jp co.ke co.kr co.ls co.ma co.mz co.nz co.th co.tz co.ug co.uk',
  'co.uz co.ve co.vi co.za co.zm co.zw',
  'com.af com.ag com.ai com.ar com.au com.bd com.bh com.bn com.bo com.br com.by com.bz com.co com.cu com.cy com.do com.ec',
  'com.eg com.et com.fj com.ge com.gh com.gi com.gr com.gt com.hk com.iq com.jm com.kh com.kw com.lb com.lc com.ly com.mm',
  'com.mt com.mx com.my com.na com.ng com.ni com.np com.om com.pa com.pe com.pg com.ph com.pk com.pr com.py com.qa com.sa',
  'com.sb com.sg com.sl com.sv com.tj com.tr com.tw com.ua com.uy com.vc com.vn',
].flatMap((line) => line.split(' '));

/**
 * Google Search, at each of its domains. Its pages are read, because the documented API
 * (https://developers.google.com/custom-search/v1/overview) needs a key and has no ads and side panels.
 */
export const google = defineSite({
  name: 'websearch',
  origins: Object.fromEntries(
    GOOGLE_DOMAINS.map((domain) => [buildOriginName(domain), `https://www.google.${domain}`]),
  ),
  classify,
});

/** Builds the name of the origin of a domain. */
export function buildOriginName(domain: string): string {
  return `web.${domain}`;
}

/** The cookies of a visitor who has given consent. */
export const CONSENT_COOKIES = { CONSENT: 'YES+', SOCS: 'CAESHAgBEhIaAB' } as const;

function classify({ url, body }: SourcePage): SiteAnswer | null {
  const { hostname, pathname } = new URL(url);
  if (hostname.startsWith('sorry.') || pathname.startsWith('/sorry/')) return blocked('captcha');
  if (hostname.startsWith('consent.')) return acceptConsent(CONSENT_COOKIES);
  if (/<form[^>]{0,200}\bid="?captcha-form\b/i.test(body)) return blocked('captcha');
  if (/<form[^>]{0,200}\baction="https:\/\/consent\./i.test(body) && !body.includes('<h3'))
    return acceptConsent(CONSENT_COOKIES);
  return null;
}
