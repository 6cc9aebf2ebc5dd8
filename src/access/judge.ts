import type { Outcome, Page } from './page.ts';

/** What a page came to, and the vendor or cause where one is known. */
export type Judgement = { readonly outcome: Outcome; readonly reason?: string };

type Evidence = Judgement & {
  readonly statuses: readonly number[];
  /** Decides on the headers; absent where the status is enough. */
  readonly header?: { readonly name: string; readonly matches: RegExp };
  /** The evidence counts below this many bytes of body: a page of the site itself is larger. */
  readonly below?: number;
};

const ANY: readonly number[] = [];
const REFUSALS: readonly number[] = [401, 403, 405, 429, 503];

/**
 * Status and header evidence, first match wins. Vendors' mere presence (`server: cloudflare`, `cf-ray`, `_abck`,
 * `incap_ses_*`) is no evidence: it is on every page they deliver.
 */
const EVIDENCE: readonly Evidence[] = [
  {
    statuses: ANY,
    header: { name: 'cf-mitigated', matches: /^challenge$/i },
    outcome: 'challenge',
    reason: 'cloudflare',
  },
  { statuses: ANY, header: { name: 'cf-mitigated', matches: /^block$/i }, outcome: 'blocked', reason: 'cloudflare' },
  {
    statuses: [202],
    header: { name: 'x-amzn-waf-action', matches: /^(challenge|captcha)$/i },
    outcome: 'challenge',
    reason: 'aws_waf',
  },
  {
    statuses: [403, 405],
    header: { name: 'x-amzn-waf-action', matches: /^captcha$/i },
    outcome: 'challenge',
    reason: 'aws_waf',
  },
  { statuses: [403, 429], header: { name: 'x-kpsdk-ct', matches: /./ }, outcome: 'challenge', reason: 'kasada' },
  { statuses: [403, 429], header: { name: 'x-kpsdk-st', matches: /./ }, outcome: 'challenge', reason: 'kasada' },
  { statuses: [429], outcome: 'rate_limited' },
  { statuses: REFUSALS, header: { name: 'x-datadome', matches: /./ }, outcome: 'blocked', reason: 'datadome' },
  { statuses: REFUSALS, header: { name: 'x-dd-b', matches: /./ }, outcome: 'blocked', reason: 'datadome' },
  {
    statuses: [403],
    header: { name: 'set-cookie', matches: /(?:^|, )datadome=/ },
    outcome: 'blocked',
    reason: 'datadome',
  },
  { statuses: [403], header: { name: 'server', matches: /^AkamaiGHost/i }, outcome: 'blocked', reason: 'akamai' },
  {
    statuses: [403, 503],
    header: { name: 'x-iinfo', matches: /./ },
    outcome: 'blocked',
    reason: 'imperva',
    below: 10_240,
  },
  {
    statuses: [403, 503],
    header: { name: 'x-cdn', matches: /^(imperva|incapsula)$/i },
    outcome: 'blocked',
    reason: 'imperva',
    below: 10_240,
  },
  { statuses: [403], header: { name: 'x-sucuri-id', matches: /./ }, outcome: 'blocked', reason: 'sucuri' },
  { statuses: [403], header: { name: 'x-sucuri-block', matches: /./ }, outcome: 'blocked', reason: 'sucuri' },
  { statuses: [999], outcome: 'blocked' },
  { statuses: [403], outcome: 'blocked' },
  { statuses: [401], header: { name: 'www-authenticate', matches: /./ }, outcome: 'auth_required' },
  { statuses: [451], outcome: 'geo_or_legal' },
  { statuses: [404, 410], outcome: 'not_found' },
];

/** Where challenges live; a redirect that ends there is one, a page asked for by this address is not. */
const CHALLENGE_PLACES: readonly { readonly reason: string; readonly matches: RegExp }[] = [
  { reason: 'cloudflare', matches: /^https?:\/\/[^/]+\/cdn-cgi\/challenge-platform/ },
  { reason: 'radware', matches: /^https?:\/\/validate\.perfdrive\.com\// },
  { reason: 'queue_it', matches: /^https?:\/\/[^/]+\.queue-it\.net\// },
  { reason: 'google', matches: /^https?:\/\/[^/]+\/sorry\/index/ },
  { reason: 'alibaba', matches: /^https?:\/\/[^/]+\/_____tmd_____\/punish/ },
  { reason: 'datadome', matches: /^https?:\/\/geo\.captcha-delivery\.com\// },
  { reason: 'amazon', matches: /^https?:\/\/[^/]+\/errors\/validateCaptcha/ },
  { reason: 'captcha', matches: /^https?:\/\/[^/]+\/(?:px\/)?captcha\// },
];

/** Decides what a page came to, from its status, headers and final address; `requested` is the address asked for. */
export function judge(page: Page, requested: URL): Judgement {
  const evidence = EVIDENCE.find((one) => isMet(one, page));
  if (evidence !== undefined) return toJudgement(evidence);
  const place =
    page.url === requested.href ? undefined : CHALLENGE_PLACES.find(({ matches }) => matches.test(page.url));
  if (place !== undefined) return { outcome: 'challenge', reason: place.reason };
  return { outcome: page.status >= 400 ? 'http_error' : 'ok' };
}

function isMet({ statuses, header, below = Infinity }: Evidence, page: Page): boolean {
  if (page.body.byteLength >= below) return false;
  if (statuses.length > 0 && !statuses.includes(page.status)) return false;
  return header === undefined || header.matches.test(page.headers[header.name] ?? '');
}

function toJudgement({ outcome, reason }: Evidence): Judgement {
  return reason === undefined ? { outcome } : { outcome, reason };
}
