import { getDomain } from 'tldts';
import { type ChallengeCookies, type Outcome, type PageRequest, type Tier, TIERS } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';
import { TenantMap } from '#kernel/tenant-map.ts';

/** The result of an escalation that started at the cheapest tier, for a site. */
export type HostRecord = {
  /** The strongest tier that was tried; it got the page (`served`) or was blocked too. */
  readonly tier: Tier;
  readonly served: boolean;
  /** The block outcome of the cheaper tiers. */
  readonly outcome: Outcome;
  readonly at: number;
};

const SERVED_TTL_MS = 6 * 3_600_000;
/** Shorter for failed records and rate limits, which are temporary, and for the most expensive tier. */
const BLOCKED_TTL_MS = 30 * 60_000;
const MAX_HOSTS = 10_000;

/** Chooses the tier to start with, at most `highest`; null (the cheapest) if the record is too old. */
export function chooseStartTier(known: HostRecord, { now, highest }: { readonly now: number; readonly highest: Tier }) {
  const { tier, served, outcome, at } = known;
  const isLasting = served && outcome !== 'rate_limited' && tier !== 'proxy_browser';
  const ageMs = now - at;
  if (ageMs < 0 || ageMs >= (isLasting ? SERVED_TTL_MS : BLOCKED_TTL_MS)) return null;
  return { tier: TIERS.indexOf(tier) > TIERS.indexOf(highest) ? highest : tier, outcome };
}

/** The registrable domain of a URL; host and port if it has none. */
export function getSite({ hostname, host }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? host;
}

/** The records of one tenant: blocks of one tenant must not make visits of another one more expensive. */
export type TenantHosts = {
  readonly findStart: (url: URL) => { readonly tier: Tier; readonly outcome: Outcome } | null;
  readonly remember: (url: URL, known: Omit<HostRecord, 'at'>) => void;
  readonly forget: (url: URL) => void;
  readonly challengeCookies: ChallengeCookieStore;
};

export type HostMemory = ReturnType<typeof createHostMemory>;

/** Remembers for each tenant which sites block cheap tiers; keeps the most recent sites, up to a total limit. */
export function createHostMemory({ clock, most = MAX_HOSTS }: { readonly clock: Clock; readonly most?: number }) {
  const hosts = new TenantMap<HostRecord>(most);
  const challengeCookies = createChallengeCookieStore({ clock });

  return {
    /** The records of one tenant; escalations start at `highest` at most. */
    of(tenant: string, highest: Tier): TenantHosts {
      return {
        findStart(url) {
          const site = getSite(url);
          const known = hosts.get(tenant, site);
          if (known === undefined) return null;
          const start = chooseStartTier(known, { now: clock.monotonic(), highest });
          if (start === null) hosts.delete(tenant, site);
          else hosts.set(tenant, site, known);
          return start;
        },
        remember(url, known) {
          hosts.set(tenant, getSite(url), { ...known, at: clock.monotonic() });
        },
        forget: (url) => hosts.delete(tenant, getSite(url)),
        challengeCookies: challengeCookies.of(tenant),
      };
    },
  };
}

type StoredChallengeCookies = { readonly earned: ChallengeCookies | null; readonly until: number };

/** The challenge cookies of one tenant. */
type ChallengeCookieStore = {
  /** The cookies that a visit without a browser may send; null if there are none. */
  readonly find: (request: PageRequest) => ChallengeCookies | null;
  /** Stores obtained cookies, unless the host rejected the last ones in a visit without a browser. */
  readonly store: (request: PageRequest, earned: ChallengeCookies) => void;
  /** Records that the host rejected the cookies. */
  readonly refuse: (request: PageRequest) => void;
};

const COOKIES_TTL_MS = 30 * 60_000;
const MAX_COOKIE_HOSTS = 1_000;
const MAX_COOKIES = 50;
const MAX_CHARS = 8_192;

/** Whether a visit may obtain and send challenge cookies: not with headers, cookies or a session of the caller. */
function isAnonymous({ headers, cookies, session }: PageRequest): boolean {
  return cookies.length === 0 && Object.keys(headers).length === 0 && session === undefined;
}

/** Stores challenge cookies for 30 minutes by tenant, host and device, up to a total limit. */
export function createChallengeCookieStore({ clock }: { readonly clock: Clock }) {
  const hosts = new TenantMap<StoredChallengeCookies>(MAX_COOKIE_HOSTS);

  return {
    of(tenant: string): ChallengeCookieStore {
      function known(request: PageRequest): StoredChallengeCookies | null {
        const cookies = hosts.get(tenant, buildCookieKey(request));
        return cookies !== undefined && clock.monotonic() < cookies.until ? cookies : null;
      }
      function put(request: PageRequest, earned: ChallengeCookies | null): void {
        hosts.set(tenant, buildCookieKey(request), { earned, until: clock.monotonic() + COOKIES_TTL_MS });
      }

      return {
        find: (request) => (isAnonymous(request) ? (known(request)?.earned ?? null) : null),
        store(request, earned) {
          const wasRefused = known(request)?.earned === null;
          if (!wasRefused && isAnonymous(request) && fitsRequestHead(earned)) put(request, earned);
        },
        refuse: (request) => put(request, null),
      };
    },
  };
}

function buildCookieKey({ url, browser, insecureTls = false }: PageRequest): string {
  return `${url.host} ${browser?.device ?? 'desktop'}${insecureTls ? ' unverified' : ''}`;
}

/** Whether all cookies fit into the head of a request; some of them would be useless. */
function fitsRequestHead({ cookies, headers }: ChallengeCookies): boolean {
  const texts = [...cookies.flatMap(({ name, value }) => [name, value]), ...Object.values(headers)];
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  return cookies.length > 0 && cookies.length <= MAX_COOKIES && chars <= MAX_CHARS;
}
