import { getDomain } from 'tldts';
import { z } from 'zod';
import type { Cookie, StoredCookie } from '#access/cookie.ts';
import { listCookiesFor, isExpired, toSameSite } from '#access/http/cookies.ts';
import type { PageRequest } from '#access/page.ts';
import { cookieKey, type LocalStorage, type SessionChange, type WebSession } from '#access/web-session.ts';
import type { Clock } from '#kernel/clock.ts';
import { CommandRefused } from './devtools.ts';
import type { MainDocument } from './document.ts';
import { clearPage, type Tab } from './tab.ts';
import { toError } from './interception.ts';
import type { Script } from './scripts.ts';

/** Bounds of what one origin may keep: items, and characters of keys and values. */
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

/** The cookies of the tab's context; those that belong to a page within another are left out. */
export async function readCookies(tab: Tab): Promise<readonly StoredCookie[]> {
  const said: unknown = await tab.sendToBrowser('Storage.getCookies', { browserContextId: tab.contextId });
  return BrowserCookies.parse(said)
    .cookies.filter(({ partitionKey }) => partitionKey === undefined)
    .map(fromBrowserCookie);
}

/** A session in a tab, for one visit. */
export type TabSession = {
  /** Takes over what the pages changed. */
  readonly collectChanges: (main: MainDocument) => Promise<void>;
};

/** Gives the cookies and the storage of the request's session to the tab of a fresh context; null without a session. */
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
  const given = { cookies: await readCookies(tab), storage: session.storage() };
  if (given.storage.size > 0) await fillStorage(tab, given.storage);
  return {
    async collectChanges(main) {
      const found = { cookies: await readCookies(tab), storage: await readStorage(tab) };
      collectSessionChanges({
        session,
        callerCookies: callers,
        url,
        before: given,
        after: found,
        hosts: main.getHosts(),
      });
    },
  };
}

/** The visit is not worth less without a cookie that the browser refuses. */
async function setCookies(tab: Tab, cookies: readonly StoredCookie[]): Promise<void> {
  if (cookies.length === 0) return;
  const give = async (given: readonly StoredCookie[]): Promise<unknown> =>
    tab.sendToBrowser('Storage.setCookies', { cookies: given.map(toBrowserCookie), browserContextId: tab.contextId });
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
 * Fills the storage of each origin on an empty page of it, which no request leaves for: a script at the start of each page
 * would fill again what a page has cleared.
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

/** Sets the items where the page is of the origin; what the browser does not store is left out. */
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

/** The local storage of the page that is shown; null where it has none, or more than is kept. */
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

/** A cookie as browsers and their drivers name it: its domain begins with a dot unless it is one host's alone. */
type BrowserCookie = {
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
    hostOnly: !domain.startsWith('./'),
    path,
    secure,
    ...(httpOnly ? { httpOnly } : {}),
    ...toSameSite(sameSite),
    ...(expires < 0 ? {} : { expires: expires * 1000 }),
  };
}

/** What a browser holds of a session. */
type BrowserSessionContent = { readonly cookies: readonly StoredCookie[]; readonly storage: LocalStorage };

type CollectOptions = {
  readonly session: WebSession;
  /** The cookies that a call sends of its own, and where: they are not the session's. */
  readonly callerCookies: readonly Cookie[];
  readonly url: URL;
  /** What the browser held before its first page. */
  readonly before: BrowserSessionContent;
  readonly after: BrowserSessionContent;
  /** The hosts of the pages that were shown, redirects included. */
  readonly hosts: ReadonlySet<string>;
};

/**
 * Takes what pages changed in a browser over into the session: cookies of the sites that were visited, and not those of
 * others that a page embeds. What the browser was given and does not hold any more is gone.
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
  const before = new Map(given.cookies.map((cookie) => [cookieKey(cookie), cookie]));
  const after = new Map(found.cookies.map((cookie) => [cookieKey(cookie), cookie]));
  const cookies = new Map<string, StoredCookie | null>();
  for (const [key, cookie] of after) {
    const isCallers = callerCookies.some(({ name, value }) => name === cookie.name && value === cookie.value);
    if (isCallers && cookie.domain === url.hostname) continue;
    if (sites.has(getSite(cookie.domain)) && !isSameCookie(cookie, before.get(key))) cookies.set(key, cookie);
  }
  for (const [key, { name }] of before) {
    // A cookie of the caller stood in for the session's own.
    if (!after.has(key) && !callerCookies.some((own) => own.name === name)) cookies.set(key, null);
  }
  session.change({ cookies, storage: computeStorageChanges(given.storage, found.storage) });
}

/** The items that differ, of the origins that were found; one that is too large is left as it was. */
function computeStorageChanges(given: LocalStorage, found: LocalStorage): SessionChange['storage'] {
  const changed = new Map<string, Map<string, string | null>>();
  for (const [origin, items] of found) {
    const before = given.get(origin) ?? new Map<string, string>();
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

/** The cookies that a browser is given: without those in whose place the call sends its own. */
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

/** The registrable domain of a host; an address or a name without one is its own site. */
function getSite(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
