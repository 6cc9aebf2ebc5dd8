import { getDomain } from 'tldts';
import { z } from 'zod';
import {
  type Cookie,
  type StoredCookie,
  buildCookieKey,
  type LocalStorage,
  type SessionChange,
  type WebSession,
} from '#access/web-session.ts';
import { listCookiesFor, isExpired, toSameSite } from '#access/http/cookies.ts';
import type { PageRequest } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';
import { CommandRefused } from './devtools.ts';
import type { MainDocument } from './document.ts';
import { clearPage, type Tab } from './tab.ts';
import { toError } from './interception.ts';
import type { Script } from './scripts.ts';

/** Limits of the local storage of one origin: items, and characters of keys and values. */
const MAX_ITEMS = 1_000;
const MAX_ITEM_CHARS = 262_144;

const BrowserCookies = z.object({
  cookies: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      domain: z.string(),
      path: z.string(),
      secure: z.boolean(),
      httpOnly: z.boolean(),
      expires: z.number(),
      sameSite: z.string().optional(),
      partitionKey: z.unknown().optional(),
    }),
  ),
});
const PausedRequest = z.object({ requestId: z.string() });

/** Reads the cookies of the tab's context, without partitioned ones (of embedded pages). */
export async function readCookies(tab: Tab): Promise<readonly StoredCookie[]> {
  const reply: unknown = await tab.sendToBrowser('Storage.getCookies', { browserContextId: tab.contextId });
  return BrowserCookies.parse(reply)
    .cookies.filter(({ partitionKey }) => partitionKey === undefined)
    .map(fromBrowserCookie);
}

/** A named session that was loaded into a tab for one visit. */
export type TabSession = {
  /** Copies the changes of the pages back into the session. */
  readonly collectChanges: (main: MainDocument) => Promise<void>;
};

/** Loads cookies and storage of the request's session into a tab of a new context; null if there is no session. */
export async function loadTabSession(
  tab: Tab,
  { session, cookies: callers, url }: PageRequest,
  clock: Clock,
): Promise<TabSession | null> {
  if (session === undefined) return null;
  const now = clock.now();
  await tab.setOnce('Page.enable');
  const isSent = (cookie: StoredCookie): boolean => listCookiesFor([cookie], url, now).length > 0;
  await setCookies(
    tab,
    listSessionCookies(session, callers, isSent).filter((cookie) => !isExpired(cookie, now)),
  );
  const before = { cookies: await readCookies(tab), storage: session.storage() };
  if (before.storage.size > 0) await fillStorage(tab, before.storage);
  return {
    async collectChanges(main) {
      const after = { cookies: await readCookies(tab), storage: await readStorage(tab) };
      collectSessionChanges({
        session,
        callerCookies: callers,
        url,
        before,
        after,
        hosts: main.getHosts(),
      });
    },
  };
}

/** Sets cookies; ignores those that the browser rejects. */
async function setCookies(tab: Tab, cookies: readonly StoredCookie[]): Promise<void> {
  if (cookies.length === 0) return;
  const give = async (batch: readonly StoredCookie[]): Promise<unknown> =>
    tab.sendToBrowser('Storage.setCookies', { cookies: batch.map(toBrowserCookie), browserContextId: tab.contextId });
  try {
    await give(cookies);
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    for (const cookie of cookies) await give([cookie]).catch(ignoreRefused);
  }
}

function ignoreRefused(error: unknown): void {
  if (!(error instanceof CommandRefused)) throw error;
}

/**
 * Fills the storage of each origin on an empty page of the origin, without a network request. A script at the start of each page
 * would restore items that a page has deleted.
 */
async function fillStorage(tab: Tab, storage: LocalStorage): Promise<void> {
  let isFilling = true;
  tab.listen(({ method, params }) => {
    if (!isFilling || method !== 'Fetch.requestPaused') return;
    const { requestId } = PausedRequest.parse(params);
    const answer = { requestId, responseCode: 200, responseHeaders: [{ name: 'content-type', value: 'text/html' }] };
    tab.send('Fetch.fulfillRequest', answer).catch((error: unknown) => {
      if (!(error instanceof CommandRefused)) tab.fail(toError(error));
    });
  });
  await tab.setOnce('Fetch.enable', { patterns: [{ requestStage: 'Request' }] });
  for (const [origin, items] of storage) {
    await tab.send('Page.navigate', { url: `${origin}/` });
    const { expression, result } = buildSetItemsScript(origin, items);
    await tab.evaluate(expression, result);
  }
  await clearPage(tab);
  await tab.send('Page.resetNavigationHistory');
  isFilling = false;
}

/** Builds a script that sets the items on a page of the origin; ignores errors. */
function buildSetItemsScript(origin: string, items: ReadonlyMap<string, string>): Script<null> {
  return {
    result: z.null(),
    expression: `(() => {
      try {
        if (location.origin === ${JSON.stringify(origin)})
          for (const [key, value] of ${JSON.stringify([...items])}) localStorage.setItem(key, value);
      } catch {}
      return null;
    })()`,
  };
}

const StoredItems = z.object({ origin: z.string(), items: z.array(z.tuple([z.string(), z.string()])) }).nullable();

/** Reads the local storage of the current page; null if it has none, or exceeds the limits. */
const READ_ITEMS_SCRIPT: Script<z.output<typeof StoredItems>> = {
  result: StoredItems,
  expression: `(() => {
    try {
      if (!/^https?:/.test(location.origin) || localStorage.length > ${MAX_ITEMS}) return null;
      const items = Object.keys(localStorage).map((key) => [key, localStorage.getItem(key) ?? '']);
      const chars = items.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
      return chars > ${MAX_ITEM_CHARS} ? null : { origin: location.origin, items };
    } catch {
      return null;
    }
  })()`,
};

async function readStorage(tab: Tab): Promise<LocalStorage> {
  const read = await tab.evaluate(READ_ITEMS_SCRIPT.expression, READ_ITEMS_SCRIPT.result);
  return new Map(read === null ? [] : [[read.origin, new Map(read.items)]]);
}

/** A cookie in the format of browsers: the domain starts with a dot unless the cookie is host-only. */
type BrowserCookie = {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** Seconds since 1970; negative for a session cookie. */
  readonly expires: number;
  readonly sameSite?: string | undefined;
};

const SAME_SITES = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

export function toBrowserCookie(cookie: StoredCookie) {
  const { name, value, domain, hostOnly, path, secure, httpOnly, sameSite, expires } = cookie;
  // Browsers accept SameSite=None only for secure cookies.
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

/** The cookies and storage in a browser. */
type BrowserSessionContent = { readonly cookies: readonly StoredCookie[]; readonly storage: LocalStorage };

type CollectOptions = {
  readonly session: WebSession;
  /** Cookies of the caller for `url`, which are not stored in the session. */
  readonly callerCookies: readonly Cookie[];
  readonly url: URL;
  /** Content of the browser before its first page. */
  readonly before: BrowserSessionContent;
  readonly after: BrowserSessionContent;
  /** The hosts of the visited pages, including redirects. */
  readonly hosts: ReadonlySet<string>;
};

/**
 * Copies the changes of pages in a browser into the session: cookies of visited sites, but not of embedded third parties.
 * Items that were loaded into the browser and are missing now count as deleted.
 */
export function collectSessionChanges({
  session,
  callerCookies,
  url,
  before: given,
  after: found,
  hosts,
}: CollectOptions): void {
  const sites = new Set([...hosts].map(getSite));
  const before = new Map(given.cookies.map((cookie) => [buildCookieKey(cookie), cookie]));
  const after = new Map(found.cookies.map((cookie) => [buildCookieKey(cookie), cookie]));
  const cookies = new Map<string, StoredCookie | null>();
  for (const [key, cookie] of after) {
    const isCallers = callerCookies.some(({ name, value }) => name === cookie.name && value === cookie.value);
    if (isCallers && cookie.domain === url.hostname) continue;
    if (sites.has(getSite(cookie.domain)) && !isSameCookie(cookie, before.get(key))) cookies.set(key, cookie);
  }
  for (const [key, { name }] of before) {
    // The session's cookie was replaced by one of the caller, not deleted.
    if (!after.has(key) && !callerCookies.some((own) => own.name === name)) cookies.set(key, null);
  }
  session.change({ cookies, storage: computeStorageChanges(given.storage, found.storage) });
}

/** The changed items of each origin; origins that exceed the limits stay unchanged. */
function computeStorageChanges(earlier: LocalStorage, later: LocalStorage): SessionChange['storage'] {
  const changed = new Map<string, Map<string, string | null>>();
  for (const [origin, items] of later) {
    const before = earlier.get(origin) ?? new Map<string, string>();
    const different = new Map<string, string | null>([...items].filter(([key, value]) => before.get(key) !== value));
    for (const key of before.keys()) if (!items.has(key)) different.set(key, null);
    if (different.size > 0 && fitsStorageLimit(items)) changed.set(origin, different);
  }
  return changed;
}

function fitsStorageLimit(items: ReadonlyMap<string, string>): boolean {
  const chars = [...items].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return items.size <= MAX_ITEMS && chars <= MAX_ITEM_CHARS;
}

/** Lists the session cookies to load into a browser, without those that the caller replaces. */
export function listSessionCookies(
  session: WebSession,
  callers: readonly Cookie[],
  isSent: (cookie: StoredCookie) => boolean,
): readonly StoredCookie[] {
  const names = new Set(callers.map(({ name }) => name));
  return session.cookies().filter((cookie) => !(names.has(cookie.name) && isSent(cookie)));
}

function isSameCookie(one: StoredCookie, other: StoredCookie | undefined): boolean {
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

/** The registrable domain of a host; the host itself if it has none. */
function getSite(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
