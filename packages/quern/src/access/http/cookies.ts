import { type Cookie as ToughCookie, CookieJar, domainMatch, pathMatch } from 'tough-cookie';
import {
  type Cookie,
  SAME_SITE_VALUES,
  type StoredCookie,
  buildCookieKey,
  type WebSession,
} from '#access/web-session.ts';

const MAX_COOKIES = 50;
const MAX_CHARS = 4_096;

/** The cookies of one visit: those of the caller, of a named session, and those set by responses (RFC 6265). */
export type VisitCookies = {
  /** Stores the cookies that a response from `url` sets, also in the session. */
  readonly store: (setCookies: readonly string[], url: URL) => void;
  /**
   * Builds the Cookie header for `url`; empty if there are no cookies. `callers` are the caller's cookies, if they may be
   * sent.
   */
  readonly buildHeader: (url: URL, callers: readonly Cookie[]) => string;
};

export type VisitCookiesOptions = {
  /** Initial cookies in addition to those of the session. */
  readonly given?: readonly StoredCookie[];
  readonly session?: WebSession | undefined;
  /** ms since 1970. */
  readonly now: () => number;
};

/**
 * Creates the cookies of a visit; stores at most 50 cookies of 4,096 characters. For cookies of the same name, one set by a
 * response takes precedence over the caller's, and the caller's over the session's.
 */
export function createVisitCookies({ given: requestCookies = [], session, now }: VisitCookiesOptions): VisitCookies {
  const jar = new Map(requestCookies.map((cookie) => [buildCookieKey(cookie), cookie]));
  return {
    store(setCookies, url) {
      for (const cookie of parseSetCookies(setCookies, url, now())) {
        const key = buildCookieKey(cookie);
        const isOver = isExpired(cookie, now());
        if (isOver) jar.delete(key);
        else if (jar.size < MAX_COOKIES || jar.has(key)) jar.set(key, cookie);
        if (isOver) session?.dropCookie(cookie);
        else session?.setCookie(cookie);
      }
    },
    buildHeader(url, callers) {
      const onTheWay = listCookiesFor([...jar.values()], url, now());
      const names = new Set(onTheWay.map(({ name }) => name));
      const own = callers.filter(({ name }) => !names.has(name));
      for (const { name } of own) names.add(name);
      const ofSession = listCookiesFor(session?.cookies() ?? [], url, now()).filter(({ name }) => !names.has(name));
      return [...own, ...ofSession, ...onTheWay].map(({ name, value }) => `${name}=${value}`).join('; ');
    },
  };
}

/** The cookies for `url`, longer paths first (RFC 6265 section 5.4). */
export function listCookiesFor(cookies: readonly StoredCookie[], url: URL, now: number): readonly StoredCookie[] {
  return cookies
    .filter((cookie) => matchesUrl(cookie, url) && !isExpired(cookie, now))
    .toSorted((one, other) => other.path.length - one.path.length);
}

/** Whether a cookie is expired; one without `expires` never is. */
export function isExpired({ expires }: StoredCookie, now: number): boolean {
  return expires !== undefined && expires <= now;
}

/** Parses Set-Cookie lines from `url`, including expired cookies; omits malformed ones and those that the host may not set. */
function parseSetCookies(lines: readonly string[], url: URL, now: number): readonly StoredCookie[] {
  const jar = new CookieJar();
  return lines
    .filter((line) => line.length <= MAX_CHARS)
    .flatMap((line) => {
      const cookie = jar.setCookieSync(line, url.href, { now: new Date(now), ignoreError: true });
      return cookie === undefined ? [] : (toStoredCookie(cookie, now) ?? []);
    });
}

/** Validates a cookie as if its host had set it; null if the host may not, such as for all of `co.uk`. */
export function normalizeCookie(cookie: StoredCookie, now: number): StoredCookie | null {
  const { name, value, domain, hostOnly, path, secure, httpOnly, sameSite, expires } = cookie;
  const attributes = [
    `${name}=${value}`,
    `Path=${path}`,
    ...(hostOnly ? [] : [`Domain=${domain}`]),
    ...(secure ? ['Secure'] : []),
    ...(httpOnly === true ? ['HttpOnly'] : []),
    ...(sameSite === undefined ? [] : [`SameSite=${sameSite}`]),
    ...(expires === undefined ? [] : [`Expires=${new Date(expires).toUTCString()}`]),
  ];
  const url = URL.parse(`${secure ? 'https' : 'http'}://${domain}${path}`);
  if (url === null || getCookieHost(url) !== domain.replace(/^\[(.*)\]$/, '$1')) return null;
  const [read] = parseSetCookies([attributes.join('; ')], url, now);
  const isSame = read !== undefined && read.name === name && read.value === value && read.path === path;
  return isSame ? { ...read, ...(expires === undefined ? {} : { expires }) } : null;
}

function toStoredCookie(cookie: ToughCookie, now: number): StoredCookie | null {
  const { key, value, domain, hostOnly, path, secure, httpOnly, sameSite } = cookie;
  if (domain === null || path === null) return null;
  const expires = cookie.expiryTime(new Date(now)) ?? Infinity;
  return {
    name: key,
    value,
    domain,
    hostOnly: hostOnly === true,
    path,
    secure,
    ...(httpOnly ? { httpOnly } : {}),
    ...toSameSite(sameSite),
    ...(expires === Infinity ? {} : { expires: Math.max(0, expires) }),
  };
}

/** Parses the SameSite attribute in any case; empty for unknown values. */
export function toSameSite(text: string | null | undefined): Pick<StoredCookie, 'sameSite'> {
  const sameSite = SAME_SITE_VALUES.find((word) => word === text?.toLowerCase());
  return sameSite === undefined ? {} : { sameSite };
}

/** Whether a cookie is sent to a URL. SameSite is ignored, because a visit is a top-level navigation. */
function matchesUrl({ hostOnly, domain, path, secure }: StoredCookie, url: URL): boolean {
  const host = getCookieHost(url);
  const atHost = hostOnly ? host === domain : domainMatch(host, domain) === true;
  return atHost && (!secure || url.protocol === 'https:') && pathMatch(url.pathname, path);
}

/** The host without the brackets of an IPv6 address. */
function getCookieHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
