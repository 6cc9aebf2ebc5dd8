import { getDomain } from 'tldts';
import type { Cookie, StoredCookie } from './cookie.ts';
import { cookieKey, type LocalStorage, type SessionChange, type WebSession } from './web-session.ts';

/** Bounds of what one origin may keep: items, and characters of keys and values. */
export const MAX_ITEMS = 1_000;
export const MAX_ITEM_CHARS = 262_144;

/** What a browser holds of a session. */
export type HeldContent = { readonly cookies: readonly StoredCookie[]; readonly storage: LocalStorage };

export type Harvest = {
  readonly session: WebSession;
  /** The cookies that a call sends of its own, and where: they are not the session's. */
  readonly callers: readonly Cookie[];
  readonly url: URL;
  /** What the browser held before its first page. */
  readonly given: HeldContent;
  readonly found: HeldContent;
  /** The hosts of the pages that were shown, redirects included. */
  readonly hosts: ReadonlySet<string>;
};

/**
 * Takes what pages changed in a browser over into the session: cookies of the sites that were visited, and not those of
 * others that a page embeds. What the browser was given and does not hold any more is gone.
 */
export function harvest({ session, callers, url, given, found, hosts }: Harvest): void {
  const sites = new Set([...hosts].map(siteOf));
  const before = new Map(given.cookies.map((cookie) => [cookieKey(cookie), cookie]));
  const after = new Map(found.cookies.map((cookie) => [cookieKey(cookie), cookie]));
  const cookies = new Map<string, StoredCookie | null>();
  for (const [key, cookie] of after) {
    const isCallers = callers.some(({ name, value }) => name === cookie.name && value === cookie.value);
    if (isCallers && cookie.domain === url.hostname) continue;
    if (sites.has(siteOf(cookie.domain)) && !isSame(cookie, before.get(key))) cookies.set(key, cookie);
  }
  for (const [key, { name }] of before) {
    // A cookie of the caller stood in for the session's own.
    if (!after.has(key) && !callers.some((own) => own.name === name)) cookies.set(key, null);
  }
  session.change({ cookies, storage: changedStorage(given.storage, found.storage) });
}

/** The items that differ, of the origins that were found; one that is too large is left as it was. */
function changedStorage(given: LocalStorage, found: LocalStorage): SessionChange['storage'] {
  const changed = new Map<string, Map<string, string | null>>();
  for (const [origin, items] of found) {
    const before = given.get(origin) ?? new Map<string, string>();
    const different = new Map<string, string | null>([...items].filter(([key, value]) => before.get(key) !== value));
    for (const key of before.keys()) if (!items.has(key)) different.set(key, null);
    if (different.size > 0 && isSmall(items)) changed.set(origin, different);
  }
  return changed;
}

function isSmall(items: ReadonlyMap<string, string>): boolean {
  const chars = [...items].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return items.size <= MAX_ITEMS && chars <= MAX_ITEM_CHARS;
}

/** The cookies that a browser is given: without those in whose place the call sends its own. */
export function cookiesToGive(
  session: WebSession,
  callers: readonly Cookie[],
  isSent: (cookie: StoredCookie) => boolean,
): readonly StoredCookie[] {
  const names = new Set(callers.map(({ name }) => name));
  return session.cookies().filter((cookie) => !(names.has(cookie.name) && isSent(cookie)));
}

function isSame(one: StoredCookie, other: StoredCookie | undefined): boolean {
  if (other === undefined) return false;
  const { value, hostOnly, secure, httpOnly, sameSite, expires } = one;
  return (
    value === other.value &&
    hostOnly === other.hostOnly &&
    secure === other.secure &&
    httpOnly === other.httpOnly &&
    sameSite === other.sameSite &&
    expires === other.expires
  );
}

/** The registrable domain of a host; an address or a name without one is its own site. */
function siteOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
