import { availableParallelism, homedir } from 'node:os';
import { findBrowsers } from '#access/browser/binaries.ts';
import { openBrowsers } from '#access/browser/browsers.ts';
import { buildClimbing } from '#access/interact/climbing.ts';
import type { OpenClimb } from '#access/interact/climbing.ts';
import { isWithin } from '#access/interact/domains.ts';
import { openSessions } from '#access/interact/sessions.ts';
import type { Admit } from '#access/interact/sessions.ts';
import { EGRESS_LIMITS } from '#access/egress-passes.ts';
import { openEgressProxy } from '#access/egress-proxy.ts';
import type { Guard } from '#access/guard.ts';
import { LIMITS } from '#access/limits.ts';
import type { Visit } from '#access/page.ts';
import { openProxied } from '#access/proxied.ts';
import type { Endpoint } from '#access/rules.ts';
import type { Upstream } from '#access/upstream.ts';
import type { Upstreams } from '#access/upstreams.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';

export type BrowsingParts = {
  readonly config: Config;
  readonly guard: Guard;
  readonly upstreams: Upstreams;
  readonly clock: Clock;
  /** Told in one sentence what the operator should know. */
  readonly warn: (line: string) => void;
};

/** Pages by a browser. */
export type Browsing = {
  /** Tier `browser`. */
  readonly direct: Visit;
  /** Tier `proxy_browser`; null without residential proxies. */
  readonly residential: Visit | null;
  /** By the browser that people use, through an exit of a proxy. */
  readonly through: (upstream: Upstream) => Visit;
  /** Sessions that click and type. */
  readonly openClimb: OpenClimb;
  /** Where the proxy of the browsers listens: no target may be there. */
  readonly endpoint: Endpoint;
  readonly close: () => Promise<void>;
};

/** The browsers of this machine, as the settings allow them; null for none. */
export function browsersOf(config: Pick<Config, 'QUERN_CHROMIUM'>) {
  return findBrowsers(config.QUERN_CHROMIUM, { platform: process.platform, home: homedir() });
}

/** Opens the browsers behind a proxy that checks where they go; no browser runs before the first visit. */
export async function openBrowsing({ config, guard, upstreams, clock, warn }: BrowsingParts): Promise<Browsing | null> {
  const binaries = browsersOf(config);
  if (binaries === null) return null;
  const egress = await openEgressProxy({ guard, limits: EGRESS_LIMITS });
  const common = {
    idleMs: config.QUERN_BROWSER_IDLE_SECONDS * 1_000,
    limits: LIMITS,
    clock,
    isRoot: process.getuid?.() === 0,
    warn,
  };
  const browsers = openBrowsers({
    ...common,
    binaries,
    cores: availableParallelism(),
    egress: { url: egress.url, admit: async () => egress.admit(null) },
  });
  const sessions = openSessions({
    ...common,
    binary: binaries.full,
    egressUrl: egress.url,
    places: browsers.places,
    readTarget: guard.readTarget,
  });
  const admitBy =
    (upstream: Upstream | null): Admit =>
    async ({ allowedDomains: named }) => {
      const lease = upstream === null ? null : { upstream, report: () => undefined };
      if (named === null) return egress.admit(lease);
      return egress.admit(lease, (hostname) => named.some((domain) => isWithin(hostname, domain)));
    };
  const pool = upstreams.residential;
  const through = (upstream: Upstream): Visit =>
    browsers.through(async () => egress.admit({ upstream, report: () => undefined }));
  return {
    direct: browsers.visit,
    residential: pool === null ? null : openProxied({ through }, pool),
    through,
    openClimb: buildClimbing({ sessions, admitBy, datacenter: upstreams.datacenter, residential: pool }),
    endpoint: egress.endpoint,
    async close() {
      await Promise.all([browsers.close(), sessions.close()]);
      await egress.close();
    },
  };
}
