import { toSameSite } from '#access/http/cookies.ts';
import type { StoredCookie } from '#access/cookie.ts';

/** A cookie as browsers and their drivers name it: its domain begins with a dot unless it is one host's alone. */
export type BrowserCookie = {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** Seconds since 1970, below 0 for a cookie without. */
  readonly expires: number;
  readonly sameSite?: string | undefined;
};

const SAME_SITES = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

export function toBrowserCookie(cookie: StoredCookie) {
  const { name, value, domain, hostOnly, path, secure, httpOnly, sameSite, expires } = cookie;
  // A browser takes a cookie for all sites only where it is secure.
  const isRefused = sameSite === undefined || (sameSite === 'none' && !secure);
  const host = domain.includes(':') ? `[${domain}]` : domain;
  return {
    name,
    value,
    domain: hostOnly ? host : `.${host}`,
    path,
    secure,
    httpOnly: httpOnly === true,
    expires: expires === undefined ? -1 : expires / 1000,
    ...(isRefused ? {} : { sameSite: SAME_SITES[sameSite] }),
  };
}

export function fromBrowserCookie(cookie: BrowserCookie): StoredCookie {
  const { name, value, domain, path, secure, httpOnly, expires, sameSite } = cookie;
  return {
    name,
    value,
    domain: domain.replace(/^\./, '').replace(/^\[(.*)\]$/, '$1'),
    hostOnly: !domain.startsWith('.'),
    path,
    secure,
    ...(httpOnly ? { httpOnly } : {}),
    ...toSameSite(sameSite),
    ...(expires < 0 ? {} : { expires: expires * 1000 }),
  };
}
