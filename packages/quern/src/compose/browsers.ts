import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { type Binaries, findBrowsers } from '#access/browser/binaries.ts';
import { createBrowsers } from '#access/browser/tier.ts';
import { createSessionVisits, type OpenSessionVisits } from '#access/interact/session-visits.ts';
import { type AdmitSession, createSessions } from '#access/interact/sessions.ts';
import type { EgressProxy } from '#access/egress/egress-proxy.ts';
import type { Guard } from '#access/guard/guard.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import type { BrowserState } from '#access/tiers/ladder.ts';
import { isWithinDomain } from '#access/guard/local-names.ts';
import type { TierVisit } from '#access/page.ts';
import { createProxyTier } from '#access/tiers/proxy-tier.ts';
import type { ExitLease, Upstreams } from '#access/proxy/proxy-pool.ts';
import type { Upstream } from '#access/proxy/tunnel.ts';
import type { BrowserAbsence } from '#engine/call/instance.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';

export type BrowserAccessParts = {
  readonly config: Config;
  /** The browsers that are on this machine now, as the settings allow them. */
  readonly find: () => Binaries | null;
  readonly guard: Guard;
  readonly upstreams: Upstreams;
  readonly clock: Clock;
  /** Receives one sentence for the operator. */
  readonly warn: (line: string) => void;
  /** The proxy for all traffic of the browsers, in which the guard checks each connection. */
  readonly egress: Pick<EgressProxy, 'url' | 'issueCredentials'>;
};

/** Visits by the browsers of this machine, which may be installed while the service runs. */
export type BrowserAccess = {
  readonly binaries: () => Binaries | null;
  /** Null while there are none. */
  readonly visits: () => BrowserVisits | null;
  /** The reason why there are none; only meaningful if there are none. */
  readonly lack: () => BrowserAbsence;
  readonly explain: (lack: BrowserAbsence) => void;
  /** The number of running browsers, open pages, and waiting pages. */
  readonly running: () => BrowserCounts;
  /** Looks for browsers again; found ones stay. */
  readonly look: () => void;
  readonly close: () => Promise<void>;
};

export type BrowserCounts = { readonly browsers: number; readonly pages: number; readonly waiting: number };

export type BrowserVisits = {
  /** Tier `browser`. */
  readonly direct: TierVisit;
  /** Tier `proxy_browser`; null without residential proxies. */
  readonly residential: TierVisit | null;
  /** Visits by the full browser, through an exit of a proxy. */
  readonly through: (upstream: Upstream) => TierVisit;
  /** Sessions that click and type. */
  readonly openSessionVisits: OpenSessionVisits;
};

type OpenBrowsers = {
  readonly binaries: Binaries;
  readonly visits: BrowserVisits;
  readonly running: () => BrowserCounts;
  readonly close: () => Promise<void>;
};

/** Folders for downloaded browsers: next to the program, or a folder of the user if that one is not writable. */
export const BROWSER_FOLDERS: readonly [beside: string, ofUser: string] = [
  join(import.meta.dirname, '../../.browsers'),
  join(homedir(), '.cache/quern/browsers'),
];

/** The browsers of this machine, as the settings allow them; null for none. */
export function findConfiguredBrowsers(config: Pick<Config, 'QUERN_CHROMIUM'>) {
  return findBrowsers(config.QUERN_CHROMIUM, { platform: process.platform, home: homedir(), own: BROWSER_FOLDERS });
}

/** Whether a missing browser is being installed. */
export function getBrowserState({ lack }: Pick<BrowserAccess, 'lack'>): BrowserState {
  return lack() === 'awaited' ? 'is awaited' : 'as it is';
}

/** Opens the browsers that were found; none of them starts before the first visit. */
export function openBrowserAccess(parts: BrowserAccessParts): BrowserAccess {
  let opened: OpenBrowsers | null = null;
  let lack: BrowserAbsence = parts.config.QUERN_CHROMIUM === 'off' ? 'off' : 'missing';
  function look(): void {
    if (opened !== null) return;
    const binaries = parts.find();
    if (binaries !== null) opened = openFoundBrowsers(parts, binaries);
  }
  look();
  return {
    binaries: () => opened?.binaries ?? null,
    visits: () => opened?.visits ?? null,
    lack: () => lack,
    explain(why) {
      lack = why;
    },
    running: () => opened?.running() ?? { browsers: 0, pages: 0, waiting: 0 },
    look,
    close: async () => opened?.close(),
  };
}

function openFoundBrowsers(
  { config, guard, upstreams, clock, warn, egress }: BrowserAccessParts,
  binaries: Binaries,
): OpenBrowsers {
  const idleMs = config.QUERN_BROWSER_IDLE_SECONDS * 1_000;
  const isRoot = process.getuid?.() === 0;
  const warnOnce = onlyOnce(warn);
  const browsers = createBrowsers({
    idleMs,
    limits: DEFAULT_LIMITS,
    clock,
    isRoot,
    warn: warnOnce,
    binaries,
    cores: availableParallelism(),
    egress: { url: egress.url, admit: async () => egress.issueCredentials(null) },
  });
  const sessions = createSessions({
    idleMs,
    limits: DEFAULT_LIMITS,
    clock,
    isRoot,
    warn: warnOnce,
    binary: binaries.full,
    egressUrl: egress.url,
    slots: browsers.places,
    readTarget: guard.parseTarget,
  });
  const admitBy =
    (upstream: Upstream | null): AdmitSession =>
    async ({ allowedDomains: named }) => {
      const lease = upstream === null ? null : toSilentLease(upstream);
      if (named === null) return egress.issueCredentials(lease);
      return egress.issueCredentials(lease, (hostname) => named.some((domain) => isWithinDomain(hostname, domain)));
    };
  const pool = upstreams.residential;
  const through = (upstream: Upstream): TierVisit =>
    browsers.through(async () => egress.issueCredentials(toSilentLease(upstream)));
  return {
    binaries,
    visits: {
      direct: browsers.visit,
      residential: pool === null ? null : createProxyTier({ visitThrough: through }, pool),
      through,
      openSessionVisits: createSessionVisits({
        sessions,
        admitBy,
        datacenter: upstreams.datacenter,
        residential: pool,
      }),
    },
    running() {
      const { taken, waiting } = browsers.places.getCounts();
      return { browsers: browsers.pids().length + sessions.pids().length, pages: taken, waiting };
    },
    async close() {
      await Promise.all([browsers.close(), sessions.close()]);
    },
  };
}

/** A lease that reports nothing, because the code that chose the exit reports its outcome itself. */
function toSilentLease(upstream: Upstream): ExitLease {
  return { upstream, report: () => undefined, leave: () => undefined };
}

/** Prints each line only once, because each start of a browser repeats its warnings. */
function onlyOnce(warn: (line: string) => void): (line: string) => void {
  const printed = new Set<string>();
  return (line) => {
    if (!printed.has(line)) warn(line);
    printed.add(line);
  };
}
