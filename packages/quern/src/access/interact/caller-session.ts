import type { BrowserContext, BrowserContextOptions } from 'patchright-core';
import {
  fromBrowserCookie,
  toBrowserCookie,
  listSessionCookies,
  collectSessionChanges,
} from '#access/browser/caller-session.ts';
import { listCookiesFor, isExpired } from '#access/http/cookies.ts';
import type { StoredCookie } from '#access/web-session.ts';
import type { PageRequest } from '#access/page.ts';
import type { AllowedDomains } from './domains.ts';

type ContextOrder = Pick<PageRequest, 'url' | 'cookies' | 'session'>;

/** The caller's saved session in a browser context. */
export type ContextSession = {
  /** Copies changes by pages of these hosts into the saved session. */
  readonly collectChanges: (hosts: ReadonlySet<string>) => Promise<void>;
};

/** Builds the initial local storage of a context, for origins that its pages may visit. */
export function buildStorageState({ session }: ContextOrder, domains: AllowedDomains): BrowserContextOptions {
  if (session === undefined) return {};
  const origins = [...session.storage()]
    .filter(([origin]) => domains.admits(URL.parse(origin)?.hostname ?? ''))
    .map(([origin, items]) => ({ origin, localStorage: [...items].map(([name, value]) => ({ name, value })) }));
  return { storageState: { cookies: [], origins } };
}

/** Adds the cookies of the caller's session to a context; returns null without a session. */
export async function loadContextSession(
  context: BrowserContext,
  { session, cookies: callers, url }: ContextOrder,
  now: number,
): Promise<ContextSession | null> {
  if (session === undefined) return null;
  const isSent = (cookie: StoredCookie): boolean => listCookiesFor([cookie], url, now).length > 0;
  const cookies = listSessionCookies(session, callers, isSent).filter((cookie) => !isExpired(cookie, now));
  await context.addCookies(cookies.map(toBrowserCookie)).catch(async () => {
    // The browser refused one of them, so the others are added one by one.
    for (const cookie of cookies) await context.addCookies([toBrowserCookie(cookie)]).catch(ignoreRefusedCookie);
  });
  const before = { cookies: (await context.cookies()).map(fromBrowserCookie), storage: session.storage() };
  return {
    async collectChanges(hosts) {
      const state = await context.storageState();
      const storage = new Map(state.origins.map(({ origin, localStorage }) => [origin, toItems(localStorage)]));
      // The browser does not list origins without items.
      for (const origin of before.storage.keys())
        if (!storage.has(origin) && hosts.has(new URL(origin).hostname)) storage.set(origin, new Map());
      collectSessionChanges({
        session,
        callerCookies: callers,
        url,
        before,
        after: { cookies: state.cookies.map(fromBrowserCookie), storage },
        hosts,
      });
    },
  };
}

function ignoreRefusedCookie(): void {}

function toItems(items: readonly { readonly name: string; readonly value: string }[]): ReadonlyMap<string, string> {
  return new Map(items.map(({ name, value }) => [name, value]));
}
