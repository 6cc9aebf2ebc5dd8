import { getDomain } from 'tldts';
import type { Clock } from '#kernel/clock.ts';
import { buildChallengeCookies } from './challenge-cookies.ts';
import type { ChallengeCookieStore } from './challenge-cookies.ts';
import type { Outcome, Tier } from '#access/page.ts';
import { TIERS } from '#access/page.ts';

/** The result of an escalation from the cheapest tier at a host. */
export type HostRecord = {
  /** The strongest tier that was tried; it served, or it was turned away too. */
  readonly tier: Tier;
  readonly served: boolean;
  /** The block that the cheaper tiers met. */
  readonly outcome: Outcome;
  readonly at: number;
};

const SERVED_MS = 6 * 3_600_000;
/** Refusals pass, rate limits sooner than others; and the costliest tier wants fresh evidence. */
const FRESH_MS = 30 * 60_000;
const MOST_HOSTS = 10_000;

/** The tier to start with at a host, no higher than `highest`; null for the cheapest, as after a record that is too old. */
export function startFrom(known: HostRecord, { now, highest }: { readonly now: number; readonly highest: Tier }) {
  const { tier, served, outcome, at } = known;
  const isLasting = served && outcome !== 'rate_limited' && tier !== 'proxy_browser';
  const ageMs = now - at;
  if (ageMs < 0 || ageMs >= (isLasting ? SERVED_MS : FRESH_MS)) return null;
  return { tier: TIERS.indexOf(tier) > TIERS.indexOf(highest) ? highest : tier, outcome };
}

/** The name that all hosts of a site share, or the host and port where there is none. */
export function siteOf({ hostname, host }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? host;
}

/** The hosts of one tenant: the blocks of one tenant do not raise the prices of another. */
export type TenantHosts = {
  readonly startFor: (url: URL) => { readonly tier: Tier; readonly outcome: Outcome } | null;
  readonly remember: (url: URL, known: Omit<HostRecord, 'at'>) => void;
  readonly forget: (url: URL) => void;
  readonly challengeCookies: ChallengeCookieStore;
};

export type HostMemory = ReturnType<typeof buildHostMemory>;

/** Remembers for each tenant which hosts block cheap tiers; the most recent hosts, up to a bound. */
export function buildHostMemory({ clock, most = MOST_HOSTS }: { readonly clock: Clock; readonly most?: number }) {
  const hosts = new Map<string, HostRecord>();
  const challengeCookies = buildChallengeCookies({ clock });

  return {
    /** The memory of one tenant; escalations start at `highest` at most. */
    of(tenant: string, highest: Tier): TenantHosts {
      const keyOf = (url: URL): string => `${tenant} ${siteOf(url)}`;
      return {
        startFor(url) {
          const key = keyOf(url);
          const known = hosts.get(key);
          if (known === undefined) return null;
          const start = startFrom(known, { now: clock.monotonic(), highest });
          hosts.delete(key);
          if (start !== null) hosts.set(key, known);
          return start;
        },
        remember(url, known) {
          const key = keyOf(url);
          hosts.delete(key);
          hosts.set(key, { ...known, at: clock.monotonic() });
          const [oldest] = hosts.keys();
          if (hosts.size > most && oldest !== undefined) hosts.delete(oldest);
        },
        forget: (url) => void hosts.delete(keyOf(url)),
        challengeCookies: challengeCookies.of(tenant),
      };
    },
  };
}
