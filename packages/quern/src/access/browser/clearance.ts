import { BLOCKS } from '#access/tiers/ladder-failure.ts';
import { isWithinDomain } from '#access/guard/local-names.ts';
import type { ChallengeCookies, ClassifiedPage, PageRequest } from '#access/page.ts';
import type { MainDocument } from './document.ts';
import { readCookies } from './lent-session.ts';
import type { Tab } from './tab.ts';

/** The headers by which a browser names itself. */
const NAMES: ReadonlySet<string> = new Set(['user-agent', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform']);

export type Earning = ClassifiedPage & {
  readonly request: PageRequest;
  readonly main: MainDocument;
  /** Whether a challenge was waited out. */
  readonly waited: boolean;
};

/** Hands on the challenge cookies that the browser earned at a host that blocks other visits, where the request keeps them. */
export async function handOn(tab: Tab, { request, main, page, classification, waited }: Earning): Promise<void> {
  const { after, keepChallengeCookies } = request;
  if (keepChallengeCookies === undefined || !(waited || (after !== undefined && BLOCKS.has(after)))) return;
  if (BLOCKS.has(classification.outcome)) return;
  const { cookies, headers } = await readClearance(tab, main);
  const hosts = [request.url.hostname, new URL(page.url).hostname];
  // Cookies of other hosts on the way are no use at this one.
  const own = cookies.filter(({ domain }) => hosts.some((host) => isWithinDomain(host, domain)));
  keepChallengeCookies({ cookies: own, headers });
}

async function readClearance(tab: Tab, main: MainDocument): Promise<ChallengeCookies> {
  const cookies = await readCookies(tab);
  const named = Object.entries(main.sent()).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { cookies, headers: Object.fromEntries(named.filter(([name]) => NAMES.has(name))) };
}
