import { isWithinDomain } from '#access/guard/local-names.ts';

/** A dialog that covers a page: the selector of its element, and of the button that accepts it. */
type Overlay = { readonly covers: string; readonly accepts: string | null };

/** Consent dialogs of widely used services, by their ids and classes. */
const CONSENT_DIALOGS: readonly Overlay[] = [
  { covers: '#onetrust-consent-sdk', accepts: '#onetrust-accept-btn-handler' },
  { covers: '#CybotCookiebotDialog', accepts: '#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll' },
  { covers: '#CybotCookiebotDialogBodyUnderlay', accepts: null },
  { covers: '#didomi-host', accepts: '#didomi-notice-agree-button' },
  { covers: '#qc-cmp2-container, .qc-cmp2-container', accepts: '.qc-cmp2-summary-buttons button[mode="primary"]' },
  { covers: '#truste-consent-track, .truste_overlay, .truste_box_overlay', accepts: '#truste-consent-button' },
  { covers: '#usercentrics-root, #usercentrics-cmp-ui', accepts: null },
  { covers: '[id^="sp_message_container_"]', accepts: null },
  { covers: '.osano-cm-window', accepts: '.osano-cm-accept-all' },
  { covers: '.cc-window, .cc-banner', accepts: '.cc-allow, .cc-dismiss' },
  { covers: '.cky-consent-container, .cky-overlay', accepts: '.cky-btn-accept' },
  { covers: '#cmplz-cookiebanner-container', accepts: '.cmplz-btn.cmplz-accept' },
  { covers: '#BorlabsCookieBox', accepts: 'a[data-cookie-accept-all]' },
  { covers: '#iubenda-cs-banner', accepts: '.iubenda-cs-accept-btn' },
  { covers: '.klaro .cookie-modal, .klaro .cookie-notice', accepts: '.klaro .cm-btn-success' },
  { covers: '.fc-consent-root', accepts: '.fc-cta-consent' },
  { covers: '#hs-eu-cookie-confirmation', accepts: '#hs-eu-confirmation-button' },
  { covers: '#axeptio_overlay', accepts: null },
  { covers: '#cookiescript_injected, #cookiescript_injected_wrapper', accepts: '#cookiescript_accept' },
  { covers: '#tarteaucitronRoot', accepts: '#tarteaucitronPersonalize2' },
  { covers: '#shopify-pc__banner', accepts: '.shopify-pc__banner__btn-accept' },
  { covers: '#sp-cc', accepts: '#sp-cc-accept' },
  { covers: '#cmpbox, #cmpbox2', accepts: '.cmpboxbtnyes' },
  { covers: '#cookie-notice', accepts: '#cn-accept-cookie' },
  { covers: '#cookie-law-info-bar', accepts: '#cookie_action_close_header' },
  { covers: '#lanyard_root', accepts: null },
];

/** Selectors of advertisements. */
const AD_SELECTORS: readonly string[] = [
  'ins.adsbygoogle',
  '[id^="google_ads_iframe"]',
  '[id^="div-gpt-ad"]',
  'iframe[src*="doubleclick.net"]',
  'iframe[src*="googlesyndication.com"]',
  '[id^="taboola-"]',
  '.OUTBRAIN',
  'amp-ad',
];

/** Selectors of a site's own consent dialogs, removed only if they float over the page. */
const CONSENT_NAME_SELECTORS = ['cookie', 'consent', 'gdpr'].flatMap((word) => [
  `[id*="${word}" i]`,
  `[class*="${word}" i]`,
]);

/** CSS selectors of elements that are removed before the page is captured. */
export const REMOVED_SELECTOR = [...CONSENT_DIALOGS.map(({ covers }) => covers), ...AD_SELECTORS].join(', ');

/** CSS selectors of elements that are removed if they float over the page and are short. */
export const REMOVED_FLOATING_SELECTOR = CONSENT_NAME_SELECTORS.join(', ');

/** CSS selectors of buttons that accept a consent dialog. */
export const ACCEPT_BUTTON_SELECTOR = CONSENT_DIALOGS.flatMap(({ accepts }) => accepts ?? []).join(', ');

/** Domains of advertisements and trackers that the light browser never loads, because pages show their text without them. */
const TRACKER_DOMAINS: readonly string[] = [
  'doubleclick.net',
  'googlesyndication.com',
  'googletagservices.com',
  'google-analytics.com',
  'adnxs.com',
  'amazon-adsystem.com',
  'criteo.com',
  'criteo.net',
  'hotjar.com',
  'outbrain.com',
  'pubmatic.com',
  'quantserve.com',
  'rubiconproject.com',
  'scorecardresearch.com',
  'taboola.com',
];

/**
 * Further domains that `block: [ads]` leaves out: large ad networks, ad servers and trackers that pages load as third parties.
 * The list is our own. It is short because the maintained lists have licences with copyleft.
 */
const AD_DOMAINS: readonly string[] = [
  '2mdn.net',
  '33across.com',
  '3lift.com',
  'adform.net',
  'adroll.com',
  'adsafeprotected.com',
  'adservice.google.com',
  'adsrvr.org',
  'adtrafficquality.google',
  'bidswitch.net',
  'bluekai.com',
  'casalemedia.com',
  'chartbeat.com',
  'clarity.ms',
  'contextweb.com',
  'demdex.net',
  'doubleverify.com',
  'everesttech.net',
  'flashtalking.com',
  'fullstory.com',
  'gumgum.com',
  'googleadservices.com',
  'googletagmanager.com',
  'indexww.com',
  'krxd.net',
  'lijit.com',
  'media.net',
  'mgid.com',
  'moatads.com',
  'mookie1.com',
  'openx.net',
  'revcontent.com',
  'rlcdn.com',
  'serving-sys.com',
  'sharethrough.com',
  'smartadserver.com',
  'sovrn.com',
  'spotxchange.com',
  'teads.tv',
  'yieldmo.com',
  'zedo.com',
];

/**
 * The requests that a page at `host` cannot make, as patterns of `Network.setBlockedURLs`. Sites on the list can load
 * their own files.
 */
export function listBlockedUrls(host: string, { isLight, ads }: { readonly isLight: boolean; readonly ads: boolean }) {
  const trackers = isLight || ads ? TRACKER_DOMAINS.filter((domain) => isLight || !isWithinDomain(host, domain)) : [];
  const further = ads ? AD_DOMAINS.filter((domain) => !isWithinDomain(host, domain)) : [];
  return [...trackers, ...further].flatMap((domain) => [`*://${domain}/*`, `*://*.${domain}/*`]);
}
