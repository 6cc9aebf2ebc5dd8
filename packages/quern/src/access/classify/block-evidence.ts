import type { Outcome } from '#access/page.ts';

/** The vendor or cause of a block, as shown in the attempts of a call. */
type Reason = string;

/** Evidence in a body that the page is not the requested one. Texts are in lower case, as `scanPage` gives them. */
export type BodyEvidence = {
  readonly reason: Reason;
  readonly outcome: Outcome;
  /** `evidence` alone is sufficient; a `guess` also needs a refusal status or another guess with the same reason. */
  readonly grade: 'evidence' | 'guess';
  /** Must all occur in tags or scripts, and not in visible text, so that quoted code does not count. */
  readonly markers?: readonly string[];
  /** Must all occur in the visible text; on a page with more text than `below`, a heading must start with one of them. */
  readonly phrases?: readonly string[];
  /** Must match the visible text. */
  readonly matches?: RegExp;
  /** Pages with at least this many visible characters are not block pages; null if markers are sufficient on any page. */
  readonly below: number | null;
  /** Markers must start within this many bytes of the body. */
  readonly within: number;
  /** Counts only on pages without input fields, because login forms often have such a widget. */
  readonly withoutFields?: true;
};

/** A page with this many visible characters is not a block page. */
export const MAX_BLOCK_PAGE_CHARS = 600;
/** The same for block pages with long explanations. */
const MAX_LONG_BLOCK_PAGE_CHARS = 2_000;
const MAX_EMPTY_PAGE_CHARS = 200;

const KIB = 1024;
const ANYWHERE = Infinity;

const evidence = { grade: 'evidence', below: MAX_BLOCK_PAGE_CHARS, within: ANYWHERE } as const;
const guess = { grade: 'guess', below: MAX_BLOCK_PAGE_CHARS, within: ANYWHERE } as const;
const structural = { grade: 'evidence', below: null, within: ANYWHERE } as const;
const challenge = { outcome: 'challenge' } as const;
const blocked = { outcome: 'blocked' } as const;

const cloudflare = { ...challenge, reason: 'cloudflare' } as const;
const human = { ...challenge, reason: 'human' } as const;
const imperva = { ...blocked, reason: 'imperva' } as const;
const aws = { ...challenge, reason: 'aws_waf' } as const;

/**
 * Fingerprints of bodies; the first evidence wins. Markers that protected pages also contain when a visit is allowed (the
 * sensor of HUMAN, Imperva's injected script, Cloudflare's telemetry below `/scripts/jsd/`) count only together with another
 * marker. Rows without a recorded page are guesses.
 */
export const BODY_EVIDENCE: readonly BodyEvidence[] = [
  { ...cloudflare, ...structural, markers: ['_cf_chl_opt'] },
  { ...cloudflare, ...structural, markers: ['__cf_chl_managed_tk__'] },
  { ...cloudflare, ...structural, markers: ['__cf_chl_f_tk='] },
  { ...cloudflare, ...structural, markers: ['cf-challenge-running'] },
  { ...cloudflare, ...structural, markers: ['cf-browser-verification'] },
  { ...cloudflare, ...structural, markers: ['/orchestrate/chl_page/'] },
  { ...cloudflare, ...structural, markers: ['/orchestrate/jsch/'] },
  { ...cloudflare, ...structural, markers: ['/orchestrate/managed/'] },
  { ...cloudflare, ...structural, markers: ['/orchestrate/captcha/'] },
  { ...cloudflare, ...evidence, markers: ['cf-chl-widget-', 'challenges.cloudflare.com'], withoutFields: true },
  { ...cloudflare, ...evidence, markers: ['turnstile-wrapper', 'challenges.cloudflare.com'], withoutFields: true },
  { ...cloudflare, ...evidence, markers: ['footer-inner', 'ray-id'] },
  {
    ...blocked,
    reason: 'cloudflare',
    ...evidence,
    below: MAX_LONG_BLOCK_PAGE_CHARS,
    markers: ['cf-error-code'],
    matches: /\b10(?:0[6-9]|1\d|20)\b/,
  },
  {
    ...blocked,
    reason: 'cloudflare',
    ...evidence,
    below: MAX_LONG_BLOCK_PAGE_CHARS,
    phrases: ['sorry, you have been blocked'],
  },
  { ...cloudflare, ...guess, phrases: ['just a moment'] },
  { ...cloudflare, ...guess, phrases: ['checking your browser'] },
  { ...cloudflare, ...guess, phrases: ['attention required'] },
  { ...cloudflare, ...guess, markers: ['cf-turnstile'], withoutFields: true },

  {
    ...blocked,
    reason: 'akamai',
    ...evidence,
    matches: /reference #\s?\d{1,4}\.[0-9a-f]{1,40}\.\d{1,20}\.[0-9a-f]{1,40}/,
  },
  { ...blocked, reason: 'akamai', ...evidence, phrases: ['access denied', 'errors.edgesuite.net'] },
  { ...blocked, reason: 'akamai', ...guess, phrases: ['pardon our interruption'] },

  { ...blocked, reason: 'datadome', ...evidence, within: 15 * KIB, markers: ['captcha-delivery.com'] },
  { ...blocked, reason: 'datadome', ...guess, within: 15 * KIB, markers: ["dd={'rt':"] },

  { ...human, ...evidence, within: 30 * KIB, markers: ['window._pxAppId', '_pxUuid'] },
  { ...human, ...evidence, within: 30 * KIB, markers: ['captcha.px-cdn.net'] },
  { ...human, ...evidence, within: 30 * KIB, markers: ['px-captcha'] },
  { ...human, ...evidence, within: 30 * KIB, markers: ['/captcha/captcha.js?a=c'] },
  { ...human, ...guess, within: 30 * KIB, markers: ['window._pxAppId'] },
  { ...human, ...guess, phrases: ['access to this page has been denied'] },

  { ...imperva, ...evidence, within: 10 * KIB, markers: ['_Incapsula_Resource'] },
  { ...imperva, ...evidence, phrases: ['incapsula incident id'] },
  { ...imperva, ...guess, phrases: ['request unsuccessful'] },

  { ...challenge, reason: 'kasada', ...evidence, within: 15 * KIB, markers: ['KPSDK.scriptStart'] },
  { ...challenge, reason: 'kasada', ...guess, within: 15 * KIB, markers: ['/ips.js?'] },
  {
    ...challenge,
    reason: 'kasada',
    ...guess,
    within: 15 * KIB,
    markers: ['/149e9513-01fa-4fb0-aad4-566afd725d1b/'],
  },

  { ...aws, ...evidence, within: 15 * KIB, markers: ['awsWafCookieDomainList'] },
  { ...aws, ...evidence, within: 15 * KIB, markers: ['gokuProps'] },
  { ...aws, ...guess, within: 15 * KIB, below: MAX_EMPTY_PAGE_CHARS, markers: ['token.awswaf.com'] },
  {
    ...blocked,
    reason: 'cloudfront',
    ...evidence,
    below: MAX_LONG_BLOCK_PAGE_CHARS,
    phrases: ['generated by cloudfront', 'request could not be satisfied'],
  },
  { ...blocked, reason: 'cloudfront', ...guess, phrases: ['request could not be satisfied'] },
  { ...blocked, reason: 'cloudfront', ...guess, phrases: ['configured to block access'] },

  { ...challenge, reason: 'f5', ...guess, within: 15 * KIB, markers: ['src="/TSPD/'] },
  { ...blocked, reason: 'f5', ...guess, phrases: ['the requested url was rejected', 'support id'] },

  {
    ...blocked,
    reason: 'sucuri',
    ...evidence,
    below: MAX_LONG_BLOCK_PAGE_CHARS,
    phrases: ['sucuri website firewall', 'access denied'],
  },

  { ...challenge, reason: 'ddos_guard', ...evidence, matches: /^ddos-guard$/m },
  { ...challenge, reason: 'ddos_guard', ...guess, within: 15 * KIB, markers: ['/.well-known/ddos-guard/'] },
  { ...challenge, reason: 'ddos_guard', ...guess, phrases: ['ddos-guard'] },

  { ...challenge, reason: 'vercel', ...evidence, phrases: ['vercel security checkpoint', 'verifying'] },
  {
    ...blocked,
    reason: 'vercel',
    ...evidence,
    phrases: ['vercel security checkpoint', 'failed to verify your browser'],
  },

  {
    ...challenge,
    reason: 'anubis',
    ...guess,
    below: MAX_LONG_BLOCK_PAGE_CHARS,
    markers: ['/.within.website/x/cmd/anubis/'],
  },
  {
    ...challenge,
    reason: 'anubis',
    ...guess,
    below: MAX_LONG_BLOCK_PAGE_CHARS,
    phrases: ["making sure you're not a bot"],
  },

  { ...challenge, reason: 'alibaba', ...evidence, within: 30 * KIB, markers: ['_____tmd_____'] },
  { ...challenge, reason: 'alibaba', ...evidence, within: 30 * KIB, markers: ['x5secdata'] },

  { ...challenge, reason: 'radware', ...guess, within: 15 * KIB, markers: ['perfdrive.com'] },
  { ...challenge, reason: 'radware', ...guess, within: 15 * KIB, markers: ['ShieldSquare'] },

  {
    ...challenge,
    reason: 'reblaze',
    ...guess,
    within: 15 * KIB,
    below: MAX_EMPTY_PAGE_CHARS,
    markers: ['rbzns', 'winsocks'],
  },

  { ...blocked, reason: 'wordfence', ...guess, below: MAX_LONG_BLOCK_PAGE_CHARS, phrases: ['generated by wordfence'] },
  {
    ...blocked,
    reason: 'wordfence',
    ...guess,
    below: MAX_LONG_BLOCK_PAGE_CHARS,
    phrases: ['your access to this site has been limited'],
  },

  {
    ...challenge,
    reason: 'google',
    ...evidence,
    below: MAX_LONG_BLOCK_PAGE_CHARS,
    markers: ['captcha-form'],
    phrases: ['unusual traffic from your computer network'],
  },
  { ...challenge, reason: 'google', ...evidence, phrases: ['unusual traffic from your computer network'] },
  { ...challenge, reason: 'google', ...evidence, phrases: ['error 429 (too many requests)'] },
  { ...challenge, reason: 'google', ...guess, phrases: ['please click here if you are not redirected'] },

  {
    ...blocked,
    reason: 'reddit',
    ...evidence,
    phrases: ['blocked by network security', 'log in to your reddit account'],
  },
  { ...blocked, reason: 'reddit', ...guess, phrases: ['blocked by network security'] },

  {
    ...blocked,
    reason: 'wikimedia',
    ...evidence,
    below: MAX_LONG_BLOCK_PAGE_CHARS,
    phrases: ['report this error to the wikimedia system administrators'],
  },

  { ...challenge, reason: 'amazon', ...evidence, markers: ['/errors/validateCaptcha'] },
  { ...challenge, reason: 'amazon', ...evidence, phrases: ['enter the characters you see below'] },
  { ...blocked, reason: 'amazon', ...guess, phrases: ['sorry! something went wrong'] },

  { ...challenge, reason: 'baidu', ...evidence, phrases: ['百度安全验证'] },

  { ...challenge, reason: 'geetest', ...guess, within: 15 * KIB, markers: ['initGeetest'], withoutFields: true },
  { ...challenge, reason: 'arkose', ...evidence, within: 15 * KIB, markers: ['arkoselabs.com'], withoutFields: true },
  {
    ...challenge,
    reason: 'hcaptcha',
    ...evidence,
    within: 15 * KIB,
    markers: ['class="h-captcha"'],
    withoutFields: true,
  },
  {
    ...challenge,
    reason: 'recaptcha',
    ...evidence,
    within: 15 * KIB,
    markers: ['class="g-recaptcha"'],
    withoutFields: true,
  },

  {
    outcome: 'geo_or_legal',
    reason: 'country',
    ...evidence,
    matches: /\b(?:not (?:currently )?available|unavailable|not accessible) in your (?:country|region|location)\b/,
  },

  { ...challenge, reason: 'unnamed', ...guess, phrases: ['verify you are human'] },
  { ...challenge, reason: 'unnamed', ...guess, phrases: ['enable javascript and cookies to continue'] },
  { ...challenge, reason: 'unnamed', ...guess, phrases: ['security check'] },
  { ...challenge, reason: 'unnamed', ...guess, phrases: ['unusual activity'] },
  { ...blocked, reason: 'unnamed', ...guess, phrases: ['request blocked'] },
  { ...blocked, reason: 'unnamed', ...guess, phrases: ['bot detected'] },
];

/** Evidence in status and headers, before the body is scanned. */
export type HeaderEvidence = {
  readonly reason: Reason;
  readonly outcome: Outcome;
  /** Empty for any status. */
  readonly statuses: readonly number[];
  readonly header: string;
  readonly matches: RegExp;
  /** Counts only for bodies below this size, bytes: pages of the site itself are larger. */
  readonly below?: number;
};

const REFUSAL_STATUSES: readonly number[] = [401, 403, 405, 429, 503];
const ANY_VALUE = /./;

/**
 * The first match wins. The mere presence of a vendor (`server: cloudflare`, `cf-ray`, `_abck`, `incap_ses_*`) is no
 * evidence: it is on every page that the vendor delivers.
 */
export const HEADER_EVIDENCE: readonly HeaderEvidence[] = [
  { ...cloudflare, statuses: [], header: 'cf-mitigated', matches: /^challenge$/i },
  { ...blocked, reason: 'cloudflare', statuses: [], header: 'cf-mitigated', matches: /^block$/i },
  { ...aws, statuses: [202], header: 'x-amzn-waf-action', matches: /^(?:challenge|captcha)$/i },
  { ...aws, statuses: [403, 405], header: 'x-amzn-waf-action', matches: /^captcha$/i },
  { ...challenge, reason: 'vercel', statuses: [403, 429], header: 'x-vercel-mitigated', matches: /^challenge$/i },
  { ...challenge, reason: 'kasada', statuses: [403, 429], header: 'x-kpsdk-ct', matches: ANY_VALUE },
  { ...challenge, reason: 'kasada', statuses: [403, 429], header: 'x-kpsdk-st', matches: ANY_VALUE },
  { ...blocked, reason: 'datadome', statuses: REFUSAL_STATUSES, header: 'x-datadome', matches: ANY_VALUE },
  { ...blocked, reason: 'datadome', statuses: REFUSAL_STATUSES, header: 'x-dd-b', matches: ANY_VALUE },
  { ...blocked, reason: 'datadome', statuses: [403], header: 'set-cookie', matches: /(?:^|, )datadome=/ },
  { ...blocked, reason: 'akamai', statuses: [403], header: 'server', matches: /^AkamaiGHost/i },
  { ...imperva, statuses: [403, 503], header: 'x-iinfo', matches: ANY_VALUE, below: 10 * KIB },
  { ...imperva, statuses: [403, 503], header: 'x-cdn', matches: /^(?:imperva|incapsula)$/i, below: 10 * KIB },
  { ...blocked, reason: 'sucuri', statuses: [403], header: 'x-sucuri-id', matches: ANY_VALUE },
  { ...blocked, reason: 'sucuri', statuses: [403], header: 'x-sucuri-block', matches: ANY_VALUE },
];

/** URLs of challenges. A redirect that ends at one is a challenge; a page that was requested by such a URL is not. */
export const CHALLENGE_URLS: readonly { readonly reason: Reason; readonly matches: RegExp }[] = [
  { reason: 'cloudflare', matches: /^https?:\/\/[^/]+\/cdn-cgi\/challenge-platform/ },
  { reason: 'radware', matches: /^https?:\/\/validate\.perfdrive\.com\// },
  { reason: 'queue_it', matches: /^https?:\/\/[^/]+\.queue-it\.net\// },
  { reason: 'google', matches: /^https?:\/\/[^/]+\/sorry\/index/ },
  { reason: 'alibaba', matches: /^https?:\/\/[^/]+\/_____tmd_____\/punish/ },
  { reason: 'datadome', matches: /^https?:\/\/geo\.captcha-delivery\.com\// },
  { reason: 'amazon', matches: /^https?:\/\/[^/]+\/errors\/validateCaptcha/ },
  { reason: 'captcha', matches: /^https?:\/\/[^/]+\/(?:px\/)?captcha\// },
];

/** The end of the path of a login page. */
const LOGIN_PATH = /\/(?:log[-_]?in|sign[-_]?in|log[-_]?on|sign[-_]?on|authwall|checkpoint\/lg)(?:\.\w{1,5})?\/?$/i;

/** Whether a path looks like that of a login page. */
export function isLoginPath(path: string): boolean {
  return LOGIN_PATH.test(path);
}

/** Markup of pages that are built by scripts. */
export const APP_SHELL =
  /\bid\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby|svelte)["'\s>]|\bng-(?:app|version)\b|data-reactroot|__INITIAL_STATE__|__NEXT_DATA__|__NUXT__|data-sveltekit|data-astro-/i;

/** An empty element for the main content. */
export const EMPTY_CONTENT_ELEMENT =
  /<main\b[^<>]{0,300}>\s*<\/main>|<(div|section|article)\b[^<>]{0,300}\s(?:id\s{0,3}=\s{0,3}["']?(?:main|content|main-content|application|mount|container|page|view|app-root)|role\s{0,3}=\s{0,3}["']?main)["']?(?:\s[^<>]{0,300})?>\s*<\/\1>/i;

/** Hosts of site builders whose pages are built by scripts. */
export const SITE_BUILDER_HOSTS = /\.(?:framer\.(?:app|website)|wixsite\.com|webflow\.io)$/;

/** Text or markup of a page whose framework failed. */
export const RENDER_FAILURE =
  /data-nextjs-error|\bid\s*=\s*["']?__next_error__|<div id="__next"><\/div>|application error: a client-side exception/i;

/** Signs of a page that is still loading data: words, or classes of placeholders. */
export const LOADING_WORDS = /\b(?:loading|please wait|one moment)\b/;
export const LOADING_CLASSES = /\bclass\s*=\s*["'][^"']{0,200}\b(?:spinner|loader|preloader|skeleton)\b/i;

/** Texts of outage pages, whose scripts are not a challenge. */
export const OUTAGE_WORDS =
  /maintenance|temporarily unavailable|service unavailable|overloaded|capacity|back soon|try again later|bad gateway|backend fetch failed/;
