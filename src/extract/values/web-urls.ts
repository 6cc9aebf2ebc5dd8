import { unescaped } from '#kernel/unescaped.ts';
import { isTracking } from './tracking.ts';
import { toAbsoluteUrl } from './urls.ts';

/** Pages that do nothing but send a visitor on, and the parameters in which they name where to. */
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
/** Redirectors wrap each other at most this deep. */
const MOST_HOPS = 3;

/** A reference as an absolute http or https URL; null for anything else. */
export function toWebUrl(reference: string, baseUrl: string): string | null {
  const url = toAbsoluteUrl(reference, baseUrl);
  return url !== null && /^https?:/.test(url) ? url : null;
}

/**
 * The same without what stands between a reader and the page: what a redirector names in its address is taken for it,
 * and parameters that only track are dropped. An address without either comes back as it is.
 */
export function toPlainUrl(reference: string, baseUrl: string): string | null {
  let url = toWebUrl(reference, baseUrl);
  for (let hop = 0; hop < MOST_HOPS && url !== null && url.includes('?'); hop++) {
    const target = targetOf(new URL(url));
    if (target === null) break;
    url = target;
  }
  return url === null || !url.includes('?') ? url : withoutTracking(url);
}

function targetOf(url: URL): string | null {
  for (const { host, path, names } of REDIRECTORS) {
    if (!host.test(url.hostname) || !path.test(url.pathname)) continue;
    for (const name of names) {
      const value = url.searchParams.get(name);
      // A relative address is one of the redirector's own site.
      if (value !== null && /^(?:https?:\/\/|\/(?!\/))/i.test(value)) return toWebUrl(value, url.href);
    }
  }
  return null;
}

/** The other parameters stay as they are written, in their order. */
function withoutTracking(href: string): string {
  const [start = '', fragment] = splitOnce(href, '#');
  const [path = '', query = ''] = splitOnce(start, '?');
  const kept = query.split('&').filter((pair) => !isTracking(nameOf(pair)));
  const plain = kept.length === 0 ? path : `${path}?${kept.join('&')}`;
  return fragment === undefined ? plain : `${plain}#${fragment}`;
}

function nameOf(pair: string): string {
  const [name = ''] = splitOnce(pair, '=');
  return unescaped(name);
}

function splitOnce(text: string, mark: string): readonly (string | undefined)[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
