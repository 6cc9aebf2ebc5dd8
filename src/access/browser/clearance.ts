import { z } from 'zod';
import type { Clearance } from '#access/clearances.ts';
import { BLOCKS } from '#access/defeat.ts';
import { judge } from '#access/judge.ts';
import { isWithinDomain } from '#access/names.ts';
import type { Page, PageRequest } from '#access/page.ts';
import type { MainDocument } from './document.ts';
import type { Tab } from './tab.ts';

const Cookies = z.object({
  cookies: z.array(
    z.object({ name: z.string(), value: z.string(), domain: z.string(), path: z.string(), secure: z.boolean() }),
  ),
});

/** By which a browser names itself. */
const NAMES: ReadonlySet<string> = new Set(['user-agent', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform']);

export type Earning = {
  readonly request: PageRequest;
  readonly main: MainDocument;
  readonly page: Page;
  /** Whether a challenge was there and is gone. */
  readonly waited: boolean;
};

/** Hands on what the browser was given at a host that had turned others away, where somebody keeps it. */
export async function handOn(tab: Tab, { request, main, page, waited }: Earning): Promise<void> {
  const { after, keepClearance } = request;
  if (keepClearance === undefined || !(waited || (after !== undefined && BLOCKS.has(after)))) return;
  if (BLOCKS.has(judge(page, { requested: request.url, rendered: true }).outcome)) return;
  const { cookies, headers } = await readClearance(tab, main);
  const hosts = [request.url.hostname, new URL(page.url).hostname];
  // What others set on the way lets nobody in here.
  const own = cookies.filter(({ domain }) => hosts.some((host) => isWithinDomain(host, domain)));
  keepClearance({ cookies: own, headers });
}

async function readClearance(tab: Tab, main: MainDocument): Promise<Clearance> {
  const said: unknown = await tab.sendToBrowser('Storage.getCookies', { browserContextId: tab.contextId });
  const cookies = Cookies.parse(said).cookies.map(({ domain, ...cookie }) => ({
    ...cookie,
    domain: domain.replace(/^\./, ''),
    hostOnly: !domain.startsWith('.'),
  }));
  const named = Object.entries(main.sent()).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { cookies, headers: Object.fromEntries(named.filter(([name]) => NAMES.has(name))) };
}
