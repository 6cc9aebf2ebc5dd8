import { getDomain } from 'tldts';
import type { Clock } from '#kernel/clock.ts';
import { TenantMap } from '#kernel/tenant-map.ts';
import { buildChallengeCookies, type ChallengeCookieStore } from './challenge-cookies.ts';
import { type Outcome, type Tier, TIERS } from '#access/page.ts';

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
const MAX_HOSTS = 10_000;

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

/** Remembers for each tenant which hosts block cheap tiers; the most recent hosts, up to a bound for all. */
export function buildHostMemory({ clock, most = MAX_HOSTS }: { readonly clock: Clock; readonly most?: number }) {
  const hosts = new TenantMap<HostRecord>(most);
  const challengeCookies = buildChallengeCookies({ clock });

  return {
    /** The memory of one tenant; escalations start at `highest` at most. */
    of(tenant: string, highest: Tier): TenantHosts {
      return {
        startFor(url) {
          const site = siteOf(url);
          const known = hosts.get(tenant, site);
          if (known === undefined) return null;
          const start = startFrom(known, { now: clock.monotonic(), highest });
          if (start === null) hosts.delete(tenant, site);
          else hosts.set(tenant, site, known);
          return start;
        },
        remember(url, known) {
          hosts.set(tenant, siteOf(url), { ...known, at: clock.monotonic() });
        },
        forget: (url) => hosts.delete(tenant, siteOf(url)),
        challengeCookies: challengeCookies.of(tenant),
      };
    },
  };
}
