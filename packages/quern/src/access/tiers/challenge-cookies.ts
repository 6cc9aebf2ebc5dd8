import type { Clock } from '#kernel/clock.ts';
import { TenantMap } from '#kernel/tenant-map.ts';
import type { ChallengeCookies, PageRequest } from '#access/page.ts';

type KeptCookies = { readonly earned: ChallengeCookies | null; readonly until: number };

/** The challenge cookies of one tenant. */
export type ChallengeCookieStore = {
  /** The cookies that a visit without a browser may send; null for none. */
  readonly find: (request: PageRequest) => ChallengeCookies | null;
  /** Keeps earned cookies, unless the host refused the last ones from a visit without a browser. */
  readonly keep: (request: PageRequest, earned: ChallengeCookies) => void;
  /** Notes that the host refused them. */
  readonly refuse: (request: PageRequest) => void;
};

const KEPT_MS = 30 * 60_000;
const MAX_HOSTS = 1_000;
const MAX_COOKIES = 50;
const MAX_CHARS = 8_192;

/** Whether a visit may earn and send them: with headers, cookies or a session of the caller, the site knows who asks. */
export function isAnonymous({ headers, cookies, session }: PageRequest): boolean {
  return cookies.length === 0 && Object.keys(headers).length === 0 && session === undefined;
}

/** Keeps challenge cookies for half an hour, each for one tenant, host and device; the last ones, up to a bound for all. */
export function buildChallengeCookies({ clock }: { readonly clock: Clock }) {
  const hosts = new TenantMap<KeptCookies>(MAX_HOSTS);

  return {
    of(tenant: string): ChallengeCookieStore {
      function known(request: PageRequest): KeptCookies | null {
        const kept = hosts.get(tenant, toKey(request));
        return kept !== undefined && clock.monotonic() < kept.until ? kept : null;
      }
      function put(request: PageRequest, earned: ChallengeCookies | null): void {
        hosts.set(tenant, toKey(request), { earned, until: clock.monotonic() + KEPT_MS });
      }

      return {
        find: (request) => (isAnonymous(request) ? (known(request)?.earned ?? null) : null),
        keep(request, earned) {
          const wasRefused = known(request)?.earned === null;
          if (!wasRefused && isAnonymous(request) && isSmall(earned)) put(request, earned);
        },
        refuse: (request) => put(request, null),
      };
    },
  };
}

function toKey({ url, browser }: PageRequest): string {
  return `${url.host} ${browser?.device ?? 'desktop'}`;
}

/** Whether the cookies fit into the head of a request; a part of them would be useless. */
function isSmall({ cookies, headers }: ChallengeCookies): boolean {
  const texts = [...cookies.flatMap(({ name, value }) => [name, value]), ...Object.values(headers)];
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  return cookies.length > 0 && cookies.length <= MAX_COOKIES && chars <= MAX_CHARS;
}
