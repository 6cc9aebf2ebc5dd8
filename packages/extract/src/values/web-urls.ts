import { parseUrl } from './parse-url.ts';
import { createQueryEncoder } from './encode-query.ts';
import { buildWordSet } from './space.ts';

/** Decodes the percent escapes of a URL part; returns it unchanged if the escapes are not UTF-8. */
export function decodeUrlPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Redirect pages, and the parameters that contain their target. */
const REDIRECTORS: readonly { readonly host: RegExp; readonly path: RegExp; readonly names: readonly string[] }[] = [
  { host: /./, path: /^\/l\.php$/, names: ['u'] },
  { host: /./, path: /^\/url$/, names: ['q', 'url'] },
  { host: /./, path: /^\/redirect$/, names: ['q', 'url', 'to', 'z'] },
  { host: /./, path: /^\/away(?:\.php)?$/, names: ['to'] },
  { host: /./, path: /^\/l\/?$/, names: ['uddg'] },
  { host: /./, path: /^\/linkfilter\/?$/, names: ['url', 'u'] },
  { host: /./, path: /^\/sspa\/click$/, names: ['url'] },
  { host: /^(?:l|out|lm|away)\./, path: /./, names: ['u', 'url', 'to'] },
];
/** The most redirectors that may wrap each other. */
const MAX_HOPS = 3;

/** Resolves a reference to an absolute http or https URL; null for anything else. */
export function toWebUrl(reference: string, baseUrl: string): string | null {
  const url = toAbsoluteUrl(reference, baseUrl);
  return url !== null && /^https?:/.test(url) ? url : null;
}

/**
 * Like `toWebUrl`, with redirectors replaced by their target and tracking parameters removed. A URL without either is
 * unchanged.
 */
export function toDirectUrl(reference: string, baseUrl: string): string | null {
  let url = toWebUrl(reference, baseUrl);
  for (let hop = 0; hop < MAX_HOPS && url !== null && url.includes('?'); hop++) {
    const target = findRedirectTarget(new URL(url));
    if (target === null) break;
    url = target;
  }
  return url === null || !url.includes('?') ? url : removeTracking(url);
}

function findRedirectTarget(url: URL): string | null {
  for (const { host, path, names } of REDIRECTORS) {
    if (!host.test(url.hostname) || !path.test(url.pathname)) continue;
    for (const name of names) {
      const value = url.searchParams.get(name);
      // A relative target is on the redirector's own site.
      if (value !== null && /^(?:https?:\/\/|\/(?!\/))/i.test(value)) return toWebUrl(value, url.href);
    }
  }
  return null;
}

/** Removes tracking parameters; the others keep their spelling and order. */
function removeTracking(href: string): string {
  const [start = '', fragment] = splitOnce(href, '#');
  const [path = '', query = ''] = splitOnce(start, '?');
  const kept = query.split('&').filter((pair) => !isTrackingParameter(getParameterName(pair)));
  const plain = kept.length === 0 ? path : `${path}?${kept.join('&')}`;
  return fragment === undefined ? plain : `${plain}#${fragment}`;
}

function getParameterName(pair: string): string {
  const [name = ''] = splitOnce(pair, '=');
  return decodeUrlPart(name);
}

function splitOnce(text: string, mark: string): readonly (string | undefined)[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

const MAX_LENGTH = 8192;
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'ftp:']);

/**
 * Resolves a reference to an absolute URL with one of `SCHEMES`. Its query is encoded in the page's charset, as
 * browsers do. Null for anything else.
 */
export function toAbsoluteUrl(reference: string, baseUrl: string, charset: string | null = null): string | null {
  const trimmed = reference.trim();
  if (trimmed === '' || trimmed.length > MAX_LENGTH) return null;
  const url = parseUrl(createQueryEncoder(charset)?.(trimmed) ?? trimmed, baseUrl);
  return url !== null && SCHEMES.has(url.protocol) ? url.href : null;
}

/** The host of a URL without `www.`, which usually serves the same site. */
export function getBareHost({ hostname }: URL): string {
  return hostname.replace(/^www\./, '');
}

/**
 * Query parameters that describe the visitor or where they came from, and never select content; in lower case. Words
 * such as `ref`, `source` or `trk` are missing because some sites select content with them.
 */
const TRACKING_PARAMETERS: ReadonlySet<string> = buildWordSet(
  // Click identifiers of advertisers.
  'gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid srsltid fbclid msclkid yclid ysclid ymclid twclid ttclid',
  'li_fat_id igshid igsh epik rdt_cid zanpid irclickid wickedid rb_clickid sccid qclid tblci obclid spm _openstat',
  // Mail and marketing suites.
  'mc_cid mc_eid _hsenc _hsmi __hssc __hstc __hsfp hsctatracking mkt_tok vero_id vero_conv oly_anon_id oly_enc_id',
  'bsft_clkid bsft_eid _branch_match_id _ke dm_i ml_subscriber ml_subscriber_hash s_kwcid ef_id',
  // Added by social networks and shops to links on their own pages.
  '__tn__ __xts__ __eep__ notif_id notif_t ref_notif_type pd_rd_i pd_rd_r pd_rd_w pd_rd_wg pd_rd_plhdr',
  // The position of a link on its page, and the comment form of WordPress.
  'iref cm_sp _trksid _trkparms ref_ ref_src ref_url replytocom',
  // Analytics and sessions.
  '_ga _gl _gac phpsessid jsessionid cfid cftoken',
);

const TRACKING_FAMILY =
  /^(?:utm_|__cft__|pf_rd_|mtm_|matomo_|hsa_|aspsessionid|(?:pk|piwik|itm)_(?:source|medium|campaign|content|term|kwd|keyword|cid)$)/;

/** Whether a query parameter does not affect the page; `name` is spelled as in the URL. */
export function isTrackingParameter(name: string): boolean {
  const known = name.toLowerCase();
  return TRACKING_PARAMETERS.has(known) || TRACKING_FAMILY.test(known);
}
