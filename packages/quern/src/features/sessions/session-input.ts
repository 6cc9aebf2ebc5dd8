import { z } from 'zod';
import { normalizeCookie, toSameSite } from '#access/http/cookies.ts';
import { type StoredCookie, buildCookieKey, type SessionChange } from '#access/web-session.ts';
import { SESSION_LIMITS } from '#engine/sessions/saved-sessions.ts';
import { ServiceError } from '#kernel/errors.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { SessionName } from '#features/schema/page-fields.ts';

/** A cookie in the format of Playwright's storageState, or as exported by browser extensions. */
const ImportedCookie = z
  .object({
    name: z.string().min(1).max(SESSION_LIMITS.cookieBytes),
    value: z.string().max(SESSION_LIMITS.cookieBytes),
    domain: z.string().min(1).max(254).describe('Starts with a dot if it is also sent to subdomains'),
    path: z.string().max(2048).default('/'),
    expires: z.number().optional().describe('Seconds since 1970; -1 or absent for a session cookie'),
    expirationDate: z.number().optional().describe('Alternative name of expires'),
    secure: z.boolean().default(false),
    httpOnly: z.boolean().default(false),
    sameSite: z.string().max(40).nullish(),
    hostOnly: z.boolean().optional(),
  })
  .describe('Other fields are ignored');

const ImportedOrigin = z.object({
  origin: z.string().max(2048),
  localStorage: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
});

/** The body of an import: a storageState with the name of the session. */
export const SessionInput = z.strictObject({
  name: SessionName.describe('Name of the session, which is created if it does not exist'),
  cookies: z
    .array(ImportedCookie)
    .max(SESSION_LIMITS.cookies)
    .default([])
    .describe('Cookies to add, as exported by Playwright’s storageState or a browser extension'),
  origins: z.array(ImportedOrigin).max(SESSION_LIMITS.origins).default([]).describe('Local storage to add, by origin'),
  idle_days: wholeNumber(1, 3650)
    .optional()
    .describe('Days until it expires after its last use; the operator sets the maximum'),
});

export type SessionInput = z.output<typeof SessionInput>;

/** Converts an import to a session change. Throws `invalid_request` for a cookie or origin that its host cannot set. */
export function toSessionChange({ cookies, origins }: SessionInput, now: number): SessionChange {
  return {
    cookies: new Map(
      cookies.map((raw, at) => {
        const cookie = normalizeCookie(toCookie(raw), now);
        if (cookie !== null) return [buildCookieKey(cookie), cookie];
        throw createInputError(`cookies.${at}`, `${raw.domain} cannot set the cookie ${raw.name}`);
      }),
    ),
    storage: new Map(
      origins.map(({ origin, localStorage }, at) => {
        const url = URL.parse(origin);
        if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== origin.replace(/\/$/, ''))
          throw createInputError(`origins.${at}.origin`, 'must be an origin, such as https://shop.example');
        return [url.origin, new Map(localStorage.map(({ name, value }) => [name, value]))];
      }),
    ),
  };
}

function toCookie(raw: z.output<typeof ImportedCookie>): StoredCookie {
  const { name, value, domain, path, secure, httpOnly, sameSite, hostOnly, expirationDate } = raw;
  const seconds = raw.expires ?? expirationDate ?? -1;
  return {
    name,
    value,
    domain: domain.replace(/^\./, '').toLowerCase(),
    hostOnly: hostOnly ?? !domain.startsWith('.'),
    path,
    secure,
    ...(httpOnly ? { httpOnly } : {}),
    ...toSameSite(sameSite === 'no_restriction' ? 'none' : sameSite),
    ...(seconds <= 0 ? {} : { expires: Math.round(seconds * 1000) }),
  };
}

function createInputError(member: string, why: string): ServiceError {
  return new ServiceError('invalid_request', `${member}: ${why}`);
}
