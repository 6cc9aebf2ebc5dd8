import type { Outcome } from '#access/page.ts';

/** The vendor or cause of a block, as the attempts of a call show it. */
type Reason = string;

/** Evidence in a body that the page is not the requested one. Texts are in lower case, as `scanPage` gives them. */
export type BodyEvidence = {
  readonly reason: Reason;
  readonly outcome: Outcome;
  /** Evidence decides alone; a guess needs a status that refuses, or another guess of the same reason. */
  readonly grade: 'evidence' | 'guess';
  /** Must all stand in tags or scripts: not in text, so that code which is quoted is no evidence. */
  readonly markup?: readonly string[];
  /** Must all be read on the page; on one with more text than `below`, its headings must begin with one of them. */
  readonly says?: readonly string[];
  /** Must be read on the page. */
  readonly matches?: RegExp;
  /** Visible characters from which on a page is the site's own; null where markup tells on any page. */
  readonly below: number | null;
  /** The bytes at the beginning within which markup counts. */
  readonly within: number;
  /** Counts only where a reader has nothing to fill in: such a widget is usual at a login. */
  readonly withoutFields?: true;
};

/** A page with so much text is not a block page, whatever its markup holds. */
export const FEW = 600;
/** Block pages that explain themselves at length. */
const SOME = 2_000;
const NEXT_TO_NONE = 200;

const KIB = 1024;
const ANYWHERE = Infinity;

const evidence = { grade: 'evidence', below: FEW, within: ANYWHERE } as const;
const guess = { grade: 'guess', below: FEW, within: ANYWHERE } as const;
const structural = { grade: 'evidence', below: null, within: ANYWHERE } as const;
const challenge = { outcome: 'challenge' } as const;
const blocked = { outcome: 'blocked' } as const;

const cloudflare = { ...challenge, reason: 'cloudflare' } as const;
const human = { ...challenge, reason: 'human' } as const;
const imperva = { ...blocked, reason: 'imperva' } as const;
const aws = { ...challenge, reason: 'aws_waf' } as const;

/**
 * The fingerprints of bodies, first evidence wins. What protected pages carry too when they are let through (the sensor
 * of HUMAN, Imperva's injected script, Cloudflare's telemetry below `/scripts/jsd/`) is evidence only together with
 * something that they do not. Rows without a recorded page behind them are guesses.
 */
export const BODY_EVIDENCE: readonly BodyEvidence[] = [
  { ...cloudflare, ...structural, markup: ['_cf_chl_opt'] },
  { ...cloudflare, ...structural, markup: ['__cf_chl_managed_tk__'] },
  { ...cloudflare, ...structural, markup: ['__cf_chl_f_tk='] },
  { ...cloudflare, ...structural, markup: ['cf-challenge-running'] },
  { ...cloudflare, ...structural, markup: ['cf-browser-verification'] },
  { ...cloudflare, ...structural, markup: ['/orchestrate/chl_page/'] },
  { ...cloudflare, ...structural, markup: ['/orchestrate/jsch/'] },
  { ...cloudflare, ...structural, markup: ['/orchestrate/managed/'] },
  { ...cloudflare, ...structural, markup: ['/orchestrate/captcha/'] },
  { ...cloudflare, ...evidence, markup: ['cf-chl-widget-', 'challenges.cloudflare.com'], withoutFields: true },
  { ...cloudflare, ...evidence, markup: ['turnstile-wrapper', 'challenges.cloudflare.com'], withoutFields: true },
  { ...cloudflare, ...evidence, markup: ['footer-inner', 'ray-id'] },
  {
    ...blocked,
    reason: 'cloudflare',
    ...evidence,
    below: SOME,
    markup: ['cf-error-code'],
    matches: /\b10(?:0[6-9]|1\d|20)\b/,
  },
  { ...blocked, reason: 'cloudflare', ...evidence, below: SOME, says: ['sorry, you have been blocked'] },
  { ...cloudflare, ...guess, says: ['just a moment'] },
  { ...cloudflare, ...guess, says: ['checking your browser'] },
  { ...cloudflare, ...guess, says: ['attention required'] },
  { ...cloudflare, ...guess, markup: ['cf-turnstile'], withoutFields: true },

  {
    ...blocked,
    reason: 'akamai',
    ...evidence,
    matches: /reference #\s?\d{1,4}\.[0-9a-f]{1,40}\.\d{1,20}\.[0-9a-f]{1,40}/,
  },
  { ...blocked, reason: 'akamai', ...evidence, says: ['access denied', 'errors.edgesuite.net'] },
  { ...blocked, reason: 'akamai', ...guess, says: ['pardon our interruption'] },

  { ...blocked, reason: 'datadome', ...evidence, within: 15 * KIB, markup: ['captcha-delivery.com'] },
  { ...blocked, reason: 'datadome', ...guess, within: 15 * KIB, markup: ["dd={'rt':"] },

  { ...human, ...evidence, within: 30 * KIB, markup: ['window._pxAppId', '_pxUuid'] },
  { ...human, ...evidence, within: 30 * KIB, markup: ['captcha.px-cdn.net'] },
  { ...human, ...evidence, within: 30 * KIB, markup: ['px-captcha'] },
  { ...human, ...evidence, within: 30 * KIB, markup: ['/captcha/captcha.js?a=c'] },
  { ...human, ...guess, within: 30 * KIB, markup: ['window._pxAppId'] },
  { ...human, ...guess, says: ['access to this page has been denied'] },

  { ...imperva, ...evidence, within: 10 * KIB, markup: ['_Incapsula_Resource'] },
  { ...imperva, ...evidence, says: ['incapsula incident id'] },
  { ...imperva, ...guess, says: ['request unsuccessful'] },

  { ...challenge, reason: 'kasada', ...evidence, within: 15 * KIB, markup: ['KPSDK.scriptStart'] },
  { ...challenge, reason: 'kasada', ...guess, within: 15 * KIB, markup: ['/ips.js?'] },
  {
    ...challenge,
    reason: 'kasada',
    ...guess,
    within: 15 * KIB,
    markup: ['/149e9513-01fa-4fb0-aad4-566afd725d1b/'],
  },

  { ...aws, ...evidence, within: 15 * KIB, markup: ['awsWafCookieDomainList'] },
  { ...aws, ...evidence, within: 15 * KIB, markup: ['gokuProps'] },
  { ...aws, ...guess, within: 15 * KIB, below: NEXT_TO_NONE, markup: ['token.awswaf.com'] },
  {
    ...blocked,
    reason: 'cloudfront',
    ...evidence,
    below: SOME,
    says: ['generated by cloudfront', 'request could not be satisfied'],
  },
  { ...blocked, reason: 'cloudfront', ...guess, says: ['request could not be satisfied'] },
  { ...blocked, reason: 'cloudfront', ...guess, says: ['configured to block access'] },

  { ...challenge, reason: 'f5', ...guess, within: 15 * KIB, markup: ['src="/TSPD/'] },
  { ...blocked, reason: 'f5', ...guess, says: ['the requested url was rejected', 'support id'] },

  { ...blocked, reason: 'sucuri', ...evidence, below: SOME, says: ['sucuri website firewall', 'access denied'] },

  { ...challenge, reason: 'ddos_guard', ...evidence, matches: /^ddos-guard$/m },
  { ...challenge, reason: 'ddos_guard', ...guess, within: 15 * KIB, markup: ['/.well-known/ddos-guard/'] },
  { ...challenge, reason: 'ddos_guard', ...guess, says: ['ddos-guard'] },

  { ...challenge, reason: 'vercel', ...evidence, says: ['vercel security checkpoint', 'verifying'] },
  {
    ...blocked,
    reason: 'vercel',
    ...evidence,
    says: ['vercel security checkpoint', 'failed to verify your browser'],
  },

  { ...challenge, reason: 'anubis', ...guess, below: SOME, markup: ['/.within.website/x/cmd/anubis/'] },
  { ...challenge, reason: 'anubis', ...guess, below: SOME, says: ["making sure you're not a bot"] },

  { ...challenge, reason: 'alibaba', ...evidence, within: 30 * KIB, markup: ['_____tmd_____'] },
  { ...challenge, reason: 'alibaba', ...evidence, within: 30 * KIB, markup: ['x5secdata'] },

  { ...challenge, reason: 'radware', ...guess, within: 15 * KIB, markup: ['perfdrive.com'] },
  { ...challenge, reason: 'radware', ...guess, within: 15 * KIB, markup: ['ShieldSquare'] },

  { ...challenge, reason: 'reblaze', ...guess, within: 15 * KIB, below: NEXT_TO_NONE, markup: ['rbzns', 'winsocks'] },

  { ...blocked, reason: 'wordfence', ...guess, below: SOME, says: ['generated by wordfence'] },
  { ...blocked, reason: 'wordfence', ...guess, below: SOME, says: ['your access to this site has been limited'] },

  {
    ...challenge,
    reason: 'google',
    ...evidence,
    below: SOME,
    markup: ['captcha-form'],
    says: ['unusual traffic from your computer network'],
  },
  { ...challenge, reason: 'google', ...evidence, says: ['unusual traffic from your computer network'] },
  { ...challenge, reason: 'google', ...evidence, says: ['error 429 (too many requests)'] },
  { ...challenge, reason: 'google', ...guess, says: ['please click here if you are not redirected'] },

  { ...blocked, reason: 'reddit', ...evidence, says: ['blocked by network security', 'log in to your reddit account'] },
  { ...blocked, reason: 'reddit', ...guess, says: ['blocked by network security'] },

  {
    ...blocked,
    reason: 'wikimedia',
    ...evidence,
    below: SOME,
    says: ['report this error to the wikimedia system administrators'],
  },

  { ...challenge, reason: 'amazon', ...evidence, markup: ['/errors/validateCaptcha'] },
  { ...challenge, reason: 'amazon', ...evidence, says: ['enter the characters you see below'] },
  { ...blocked, reason: 'amazon', ...guess, says: ['sorry! something went wrong'] },

  { ...challenge, reason: 'baidu', ...evidence, says: ['百度安全验证'] },

  { ...challenge, reason: 'geetest', ...guess, within: 15 * KIB, markup: ['initGeetest'], withoutFields: true },
  { ...challenge, reason: 'arkose', ...evidence, within: 15 * KIB, markup: ['arkoselabs.com'], withoutFields: true },
  {
    ...challenge,
    reason: 'hcaptcha',
    ...evidence,
    within: 15 * KIB,
    markup: ['class="h-captcha"'],
    withoutFields: true,
  },
  {
    ...challenge,
    reason: 'recaptcha',
    ...evidence,
    within: 15 * KIB,
    markup: ['class="g-recaptcha"'],
    withoutFields: true,
  },

  {
    outcome: 'geo_or_legal',
    reason: 'country',
    ...evidence,
    matches: /\b(?:not (?:currently )?available|unavailable|not accessible) in your (?:country|region|location)\b/,
  },

  { ...challenge, reason: 'unnamed', ...guess, says: ['verify you are human'] },
  { ...challenge, reason: 'unnamed', ...guess, says: ['enable javascript and cookies to continue'] },
  { ...challenge, reason: 'unnamed', ...guess, says: ['security check'] },
  { ...challenge, reason: 'unnamed', ...guess, says: ['unusual activity'] },
  { ...blocked, reason: 'unnamed', ...guess, says: ['request blocked'] },
  { ...blocked, reason: 'unnamed', ...guess, says: ['bot detected'] },
];

/** Evidence in status and headers, before the body is scanned. */
export type HeaderEvidence = {
  readonly reason: Reason;
  readonly outcome: Outcome;
  /** Any status where there is none. */
  readonly statuses: readonly number[];
  readonly header: string;
  readonly matches: RegExp;
  /** The evidence counts below this many bytes of body: a page of the site itself is larger. */
  readonly below?: number;
};

const REFUSALS: readonly number[] = [401, 403, 405, 429, 503];
const PRESENT = /./;

/**
 * First match wins. Vendors' mere presence (`server: cloudflare`, `cf-ray`, `_abck`, `incap_ses_*`) is no evidence: it is
 * on every page that they deliver.
 */
export const HEADER_EVIDENCE: readonly HeaderEvidence[] = [
  { ...cloudflare, statuses: [], header: 'cf-mitigated', matches: /^challenge$/i },
  { ...blocked, reason: 'cloudflare', statuses: [], header: 'cf-mitigated', matches: /^block$/i },
  { ...aws, statuses: [202], header: 'x-amzn-waf-action', matches: /^(?:challenge|captcha)$/i },
  { ...aws, statuses: [403, 405], header: 'x-amzn-waf-action', matches: /^captcha$/i },
  { ...challenge, reason: 'vercel', statuses: [403, 429], header: 'x-vercel-mitigated', matches: /^challenge$/i },
  { ...challenge, reason: 'kasada', statuses: [403, 429], header: 'x-kpsdk-ct', matches: PRESENT },
  { ...challenge, reason: 'kasada', statuses: [403, 429], header: 'x-kpsdk-st', matches: PRESENT },
  { ...blocked, reason: 'datadome', statuses: REFUSALS, header: 'x-datadome', matches: PRESENT },
  { ...blocked, reason: 'datadome', statuses: REFUSALS, header: 'x-dd-b', matches: PRESENT },
  { ...blocked, reason: 'datadome', statuses: [403], header: 'set-cookie', matches: /(?:^|, )datadome=/ },
  { ...blocked, reason: 'akamai', statuses: [403], header: 'server', matches: /^AkamaiGHost/i },
  { ...imperva, statuses: [403, 503], header: 'x-iinfo', matches: PRESENT, below: 10 * KIB },
  { ...imperva, statuses: [403, 503], header: 'x-cdn', matches: /^(?:imperva|incapsula)$/i, below: 10 * KIB },
  { ...blocked, reason: 'sucuri', statuses: [403], header: 'x-sucuri-id', matches: PRESENT },
  { ...blocked, reason: 'sucuri', statuses: [403], header: 'x-sucuri-block', matches: PRESENT },
];

/** Where challenges live; a redirect that ends there is one, a page asked for by this address is not. */
export const CHALLENGE_PLACES: readonly { readonly reason: Reason; readonly matches: RegExp }[] = [
  { reason: 'cloudflare', matches: /^https?:\/\/[^/]+\/cdn-cgi\/challenge-platform/ },
  { reason: 'radware', matches: /^https?:\/\/validate\.perfdrive\.com\// },
  { reason: 'queue_it', matches: /^https?:\/\/[^/]+\.queue-it\.net\// },
  { reason: 'google', matches: /^https?:\/\/[^/]+\/sorry\/index/ },
  { reason: 'alibaba', matches: /^https?:\/\/[^/]+\/_____tmd_____\/punish/ },
  { reason: 'datadome', matches: /^https?:\/\/geo\.captcha-delivery\.com\// },
  { reason: 'amazon', matches: /^https?:\/\/[^/]+\/errors\/validateCaptcha/ },
  { reason: 'captcha', matches: /^https?:\/\/[^/]+\/(?:px\/)?captcha\// },
];

/** The last part of an address that a login redirect ends at. */
const LOGIN_PLACE = /\/(?:log[-_]?in|sign[-_]?in|log[-_]?on|sign[-_]?on|authwall|checkpoint\/lg)(?:\.\w{1,5})?\/?$/i;

/** Whether a path is where logins are. */
export function isLoginPlace(path: string): boolean {
  return LOGIN_PLACE.test(path);
}

/** Markup of pages that a browser has to build. */
export const SHELL =
  /\bid\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby|svelte)["'\s>]|\bng-(?:app|version)\b|data-reactroot|__INITIAL_STATE__|__NEXT_DATA__|__NUXT__|data-sveltekit|data-astro-/i;

/** An element that is to hold what a page is about, and holds nothing. */
export const EMPTY_PLACE =
  /<main\b[^<>]{0,300}>\s*<\/main>|<(div|section|article)\b[^<>]{0,300}\s(?:id\s{0,3}=\s{0,3}["']?(?:main|content|main-content|application|mount|container|page|view|app-root)|role\s{0,3}=\s{0,3}["']?main)["']?(?:\s[^<>]{0,300})?>\s*<\/\1>/i;

/** Hosts whose pages are built by their scripts. */
export const BUILDERS = /\.(?:framer\.(?:app|website)|wixsite\.com|webflow\.io)$/;

/** The text or markup of a page whose framework failed. */
export const FAILED_RENDER =
  /data-nextjs-error|\bid\s*=\s*["']?__next_error__|<div id="__next"><\/div>|application error: a client-side exception/i;

/** Signs of a page that waits for its data: a few words, or the classes of placeholders. */
export const LOADING_WORDS = /\b(?:loading|please wait|one moment)\b/;
export const LOADING_CLASSES = /\bclass\s*=\s*["'][^"']{0,200}\b(?:spinner|loader|preloader|skeleton)\b/i;

/** Texts of a target that is down; the scripts of such a page are no challenge. */
export const OUTAGE =
  /maintenance|temporarily unavailable|service unavailable|overloaded|capacity|back soon|try again later|bad gateway|backend fetch failed/;
