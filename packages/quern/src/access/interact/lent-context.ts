import type { BrowserContext, BrowserContextOptions } from 'patchright-core';
import { fromBrowserCookie, toBrowserCookie } from '#access/browser/browser-cookies.ts';
import { cookiesFor, isExpired } from '#access/http/cookies.ts';
import type { StoredCookie } from '#access/cookie.ts';
import type { PageRequest } from '#access/page.ts';
import { cookiesToGive, harvest } from '#access/session-harvest.ts';
import type { Domains } from './domains.ts';

type Order = Pick<PageRequest, 'url' | 'cookies' | 'session'>;

/** A session of the caller in a browser's context. */
export type LentContext = {
  /** Takes over what pages of these hosts changed. */
  readonly takeBack: (hosts: ReadonlySet<string>) => Promise<void>;
};

/** The storage that a context begins with, of origins where its pages may go. */
export function toStorageState({ session }: Order, domains: Domains): BrowserContextOptions {
  if (session === undefined) return {};
  const origins = [...session.storage()]
    .filter(([origin]) => domains.admits(URL.parse(origin)?.hostname ?? ''))
    .map(([origin, items]) => ({ origin, localStorage: [...items].map(([name, value]) => ({ name, value })) }));
  return { storageState: { cookies: [], origins } };
}

/** Gives a context the cookies of the order's session; null without a session. */
export async function lendContext(
  context: BrowserContext,
  { session, cookies: callers, url }: Order,
  now: number,
): Promise<LentContext | null> {
  if (session === undefined) return null;
  const isSent = (cookie: StoredCookie): boolean => cookiesFor([cookie], url, now).length > 0;
  const cookies = cookiesToGive(session, callers, isSent).filter((cookie) => !isExpired(cookie, now));
  await context.addCookies(cookies.map(toBrowserCookie)).catch(async () => {
    // One that the browser refuses must not keep the others from it.
    for (const cookie of cookies) await context.addCookies([toBrowserCookie(cookie)]).catch(ignore);
  });
  const given = { cookies: (await context.cookies()).map(fromBrowserCookie), storage: session.storage() };
  return {
    async takeBack(hosts) {
      const state = await context.storageState();
      const storage = new Map(state.origins.map(({ origin, localStorage }) => [origin, toItems(localStorage)]));
      // An origin without items is not named.
      for (const origin of given.storage.keys())
        if (!storage.has(origin) && hosts.has(new URL(origin).hostname)) storage.set(origin, new Map());
      harvest({
        session,
        callers,
        url,
        given,
        found: { cookies: state.cookies.map(fromBrowserCookie), storage },
        hosts,
      });
    },
  };
}

function ignore(): void {}

function toItems(items: readonly { readonly name: string; readonly value: string }[]): ReadonlyMap<string, string> {
  return new Map(items.map(({ name, value }) => [name, value]));
}
