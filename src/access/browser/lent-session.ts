import { z } from 'zod';
import { cookiesFor, isExpired } from '#access/http/cookies.ts';
import type { PageRequest, StoredCookie } from '#access/page.ts';
import { cookiesToGive, harvest, MOST_ITEM_CHARS, MOST_ITEMS } from '#access/session-harvest.ts';
import type { LocalStorage } from '#access/web-session.ts';
import type { Clock } from '#kernel/clock.ts';
import { fromBrowserCookie, toBrowserCookie } from './browser-cookies.ts';
import { CommandRefused } from './devtools.ts';
import type { MainDocument } from './document.ts';
import type { Script } from './scripts.ts';
import { WORLD } from './tab.ts';
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
const Added = z.object({ identifier: z.string() });
const Navigated = z.object({ frame: z.object({ url: z.string(), parentId: z.string().optional() }) });

/** The cookies of the tab's context; those that belong to a page within another are left out. */
export async function readCookies(tab: Tab): Promise<readonly StoredCookie[]> {
  const said: unknown = await tab.sendToBrowser('Storage.getCookies', { browserContextId: tab.contextId });
  return BrowserCookies.parse(said)
    .cookies.filter(({ partitionKey }) => partitionKey === undefined)
    .map(fromBrowserCookie);
}

/** A session in a tab, for one visit. */
export type LentSession = {
  /** Called before each request for the main document: an origin gets its storage for its first page alone. */
  readonly beforeRequest: () => Promise<void>;
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
  const shown = new Set<string>();
  tab.listen(({ method, params }) => {
    if (method !== 'Page.frameNavigated') return;
    const { frame } = Navigated.parse(params);
    if (frame.parentId === undefined) shown.add(URL.parse(frame.url)?.origin ?? '');
  });
  let seeds = given.storage;
  let seeding = await addSeeds(tab, seeds);
  return {
    async beforeRequest() {
      const left = new Map([...seeds].filter(([origin]) => !shown.has(origin)));
      if (seeding === null || left.size === seeds.size) return;
      await tab.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: seeding });
      seeds = left;
      seeding = await addSeeds(tab, seeds);
    },
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

/** Fills the empty storage of each origin before the scripts of its page run; the id of the script, null for none. */
async function addSeeds(tab: Tab, storage: LocalStorage): Promise<string | null> {
  if (storage.size === 0) return null;
  const seeds = Object.fromEntries([...storage].map(([origin, items]) => [origin, [...items]]));
  const source = `(() => {
    try {
      const items = ${JSON.stringify(seeds)}[location.origin];
      if (items !== undefined && localStorage.length === 0) for (const [key, value] of items) localStorage.setItem(key, value);
    } catch {}
  })()`;
  const added: unknown = await tab.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD });
  return Added.parse(added).identifier;
}

const Items = z.object({ origin: z.string(), items: z.array(z.tuple([z.string(), z.string()])) }).nullable();

/** The local storage of the page that is shown; null where it has none, or more than is kept. */
const READ_ITEMS: Script<z.output<typeof Items>> = {
  result: Items,
  expression: `(() => {
    try {
      if (!/^https?:/.test(location.origin) || localStorage.length > ${MOST_ITEMS}) return null;
      const items = Object.keys(localStorage).map((key) => [key, localStorage.getItem(key) ?? '']);
      const chars = items.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
      return chars > ${MOST_ITEM_CHARS} ? null : { origin: location.origin, items };
    } catch {
      return null;
    }
  })()`,
};

async function readStorage(tab: Tab): Promise<LocalStorage> {
  const read = await tab.evaluate(READ_ITEMS.expression, READ_ITEMS.result);
  return new Map(read === null ? [] : [[read.origin, new Map(read.items)]]);
}
