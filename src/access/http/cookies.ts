import { isWithinDomain } from '#access/guard/local-names.ts';
import type { Cookie, StoredCookie } from '#access/page.ts';

const MAX_COOKIES = 50;
const MAX_CHARS = 4_096;

/** The cookies of one visit: those of the caller for their own origin, and those set on the way (RFC 6265). */
export type Jar = {
  /** Keeps the cookies that an answer from `url` sets. */
  readonly keep: (setCookies: readonly string[], url: URL) => void;
  /** The Cookie header for `url`, empty for none; `callers` are the caller's own, where they may go. */
  readonly headerFor: (url: URL, callers: readonly Cookie[]) => string;
};

/** Opens a jar with the given cookies, which keeps at most 50 cookies of 4,096 characters. */
export function openJar(given: readonly StoredCookie[] = []): Jar {
  const kept = new Map(given.map((cookie) => [keyOf(cookie), cookie]));
  return {
    keep(setCookies, url) {
      for (const line of setCookies) {
        const said = line.length > MAX_CHARS ? null : parseSetCookie(line, url);
        if (said === null) continue;
        const { cookie, isOver } = said;
        const key = keyOf(cookie);
        if (isOver) kept.delete(key);
        else if (kept.size < MAX_COOKIES || kept.has(key)) kept.set(key, cookie);
      }
    },
    headerFor(url, callers) {
      if (kept.size === 0 && callers.length === 0) return '';
      const set = [...kept.values()].filter((cookie) => isFor(cookie, url));
      const names = new Set(set.map((cookie) => cookie.name));
      const all = [...callers.filter((cookie) => !names.has(cookie.name)), ...set];
      return all.map((cookie) => `${cookie.name}=${cookie.value}`).join('; ');
    },
  };
}

function keyOf({ name, domain, path }: StoredCookie): string {
  return `${name};${domain};${path}`;
}

/** One Set-Cookie line, and whether it ends the cookie; null when it is malformed or not this host's to set. */
function parseSetCookie(line: string, url: URL): { readonly cookie: StoredCookie; readonly isOver: boolean } | null {
  const [pair = '', ...attributes] = line.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, equals).trim();
  if (equals < 1 || name === '') return null;
  const given = new Map(attributes.map(toAttribute));
  const domain = (given.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  if (domain !== '' && (!domain.includes('.') || !isWithinDomain(url.hostname, domain))) return null;
  const path = given.get('path') ?? '';
  const cookie = {
    name,
    value: pair.slice(equals + 1).trim(),
    domain: domain === '' ? url.hostname : domain,
    hostOnly: domain === '',
    path: path.startsWith('/') ? path : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/'))),
    secure: given.has('secure'),
  };
  return { cookie, isOver: isExpired(given) };
}

function toAttribute(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 0) return [text.trim().toLowerCase(), ''];
  return [text.slice(0, equals).trim().toLowerCase(), text.slice(equals + 1).trim()];
}

/** A jar lives for seconds, so that only removal matters. */
function isExpired(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = attributes.get('expires');
  return expires !== undefined && Date.parse(expires) <= Date.UTC(2000, 0);
}

function isFor(cookie: StoredCookie, url: URL): boolean {
  const atHost = cookie.hostOnly ? url.hostname === cookie.domain : isWithinDomain(url.hostname, cookie.domain);
  if (!atHost || (cookie.secure && url.protocol !== 'https:')) return false;
  if (!url.pathname.startsWith(cookie.path)) return false;
  return (
    cookie.path.endsWith('/') || url.pathname.length === cookie.path.length || url.pathname[cookie.path.length] === '/'
  );
}
