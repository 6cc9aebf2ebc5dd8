import { z } from 'zod';
import { cookiesFor, isExpired } from '#access/http/cookies.ts';
import type { StoredCookie } from '#access/cookie.ts';
import type { PageRequest } from '#access/page.ts';
import { cookiesToGive, harvest, MAX_ITEM_CHARS, MAX_ITEMS } from '#access/session-harvest.ts';
import type { LocalStorage } from '#access/web-session.ts';
import type { Clock } from '#kernel/clock.ts';
import { fromBrowserCookie, toBrowserCookie } from './browser-cookies.ts';
import { CommandRefused } from './devtools.ts';
import type { MainDocument } from './document.ts';
import { clear } from './freeze.ts';
import { toError } from './interception.ts';
import type { Script } from './scripts.ts';
import type { Tab } from './tab.ts';

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
const Paused = z.object({ requestId: z.string() });

/** The cookies of the tab's context; those that belong to a page within another are left out. */
export async function readCookies(tab: Tab): Promise<readonly StoredCookie[]> {
  const said: unknown = await tab.sendToBrowser('Storage.getCookies', { browserContextId: tab.contextId });
  return BrowserCookies.parse(said)
    .cookies.filter(({ partitionKey }) => partitionKey === undefined)
    .map(fromBrowserCookie);
}

/** A session in a tab, for one visit. */
export type LentSession = {
  /** Takes over what the pages changed. */
  readonly takeBack: (main: MainDocument) => Promise<void>;
};

/** Gives the cookies and the storage of the request's session to the tab of a fresh context; null without a session. */
export async function lendSession(
  tab: Tab,
  { session, cookies: callers, url }: PageRequest,
  clock: Clock,
): Promise<LentSession | null> {
  if (session === undefined) return null;
  const now = clock.now();
  await tab.set('Page.enable');
  const isSent = (cookie: StoredCookie): boolean => cookiesFor([cookie], url, now).length > 0;
  await giveCookies(
    tab,
    cookiesToGive(session, callers, isSent).filter((cookie) => !isExpired(cookie, now)),
  );
  const given = { cookies: await readCookies(tab), storage: session.storage() };
  if (given.storage.size > 0) await fillStorage(tab, given.storage);
  return {
    async takeBack(main) {
      const found = { cookies: await readCookies(tab), storage: await readStorage(tab) };
      harvest({ session, callers, url, given, found, hosts: main.hosts() });
    },
  };
}

/** The visit is not worth less without a cookie that the browser refuses. */
async function giveCookies(tab: Tab, cookies: readonly StoredCookie[]): Promise<void> {
  if (cookies.length === 0) return;
  const give = async (given: readonly StoredCookie[]): Promise<unknown> =>
    tab.sendToBrowser('Storage.setCookies', { cookies: given.map(toBrowserCookie), browserContextId: tab.contextId });
  try {
    await give(cookies);
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    for (const cookie of cookies) await give([cookie]).catch(unlessRefused);
  }
}

function unlessRefused(error: unknown): void {
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
    const { requestId } = Paused.parse(params);
    const answer = { requestId, responseCode: 200, responseHeaders: [{ name: 'content-type', value: 'text/html' }] };
    tab.send('Fetch.fulfillRequest', answer).catch((error: unknown) => {
      if (!(error instanceof CommandRefused)) tab.fail(toError(error));
    });
  });
  await tab.set('Fetch.enable', { patterns: [{ requestStage: 'Request' }] });
  for (const [origin, items] of storage) {
    await tab.send('Page.navigate', { url: `${origin}/` });
    const { expression, result } = setItems(origin, items);
    await tab.evaluate(expression, result);
  }
  await clear(tab);
  await tab.send('Page.resetNavigationHistory');
  isFilling = false;
}

/** Sets the items where the page is of the origin; what the browser does not store is left out. */
function setItems(origin: string, items: ReadonlyMap<string, string>): Script<null> {
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

const Items = z.object({ origin: z.string(), items: z.array(z.tuple([z.string(), z.string()])) }).nullable();

/** The local storage of the page that is shown; null where it has none, or more than is kept. */
const READ_ITEMS: Script<z.output<typeof Items>> = {
  result: Items,
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
  const read = await tab.evaluate(READ_ITEMS.expression, READ_ITEMS.result);
  return new Map(read === null ? [] : [[read.origin, new Map(read.items)]]);
}
