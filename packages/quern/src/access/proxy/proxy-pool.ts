import { getDomain } from 'tldts';
import { buildFailure, buildUnreachableFor, HELD_FOR_TENANT, TierUnsupported } from '#access/failure.ts';
import type { Guard } from '#access/guard/guard.ts';
import { getPort } from '#access/guard/ports.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { ServiceError } from '#kernel/errors.ts';
import { fillTemplate, type ProxyTemplate } from '#kernel/proxy-urls.ts';
import { findProxyFault, isAmbiguousFault } from './proxy-fault.ts';
import { createHealthTracker, type ExitResult } from './proxy-health.ts';
import { createUpstream, type Upstream } from './tunnel.ts';

/** The right to use one proxy exit for a visit. */
export type ExitLease = {
  /** Reports the result of each connection to the pool. */
  readonly upstream: Upstream;
  /** Reports a further result; anything but `ok` makes the tenant's next visit to the site use another exit. */
  readonly report: (result: ExitResult) => void;
  /** Called when the visit has ended, with or without a result. */
  readonly leave: () => void;
};

export type TakeOptions = {
  readonly tenant: string;
  /** Lower case; null for any. */
  readonly country: string | null;
  /** Keys of the exits that were already tried. */
  readonly excludedKeys: readonly string[];
};

/** The operator's proxies of one kind. */
export type ProxyPool = {
  /**
   * Chooses an exit for a tenant and a host: the same one for the whole site for ten minutes, as long as it works. Returns null
   * if all exits were tried; throws `backend_unavailable` if none serves the country, and a `proxy_error` failure if all are
   * on hold.
   */
  readonly take: (host: string, options: TakeOptions) => ExitLease | null;
};

export type ProxyPoolOptions = {
  readonly templates: readonly ProxyTemplate[];
  /** The setting they come from, for messages. */
  readonly setting: string;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Whether the operator allowed a target, which may then use any port. */
  readonly isOpened: Guard['isAllowed'];
  /** Certificate authorities (PEM) trusted in addition to the system's, for proxies that speak TLS. */
  readonly ca?: readonly string[];
};

/** The proxy was not used because of the port of the origin. */
export class PortRefused extends Error {
  readonly origin: string;

  constructor(origin: string) {
    super(`proxies are not used for ${origin}`);
    this.name = 'PortRefused';
    this.origin = origin;
  }
}

type ProxyExit = { readonly at: number; readonly session: string; readonly key: string };
type StickyExit = ProxyExit & { readonly until: number };

const STICKY_MS = 600_000;
const MAX_STICKY = 10_000;
const SESSION_CHARS = 10;

/** Ports that all proxies serve; most reject others. Targets that the operator allowed may use any port. */
const PROXIED_PORTS: ReadonlySet<number> = new Set([80, 443]);

/**
 * Creates the pool; health and sticky exits are kept per process. Faults that only a proxy can cause put it on hold for all
 * tenants; faults that a target or a requested country can also cause, only for the tenant that met them.
 */
export function createProxyPool({ templates, setting, clock, random, isOpened, ca }: ProxyPoolOptions): ProxyPool {
  const health = createHealthTracker(clock);
  const sticky = new Map<string, StickyExit>();
  let next = Math.floor(random() * templates.length);

  function choose({ tenant, country, excludedKeys }: TakeOptions): ProxyExit | null {
    const able = listRotated({ templates, setting }, country, next);
    const free = able.filter((at) => health.isFree(at, tenant));
    if (free.length === 0 && excludedKeys.length === 0) {
      const reason = able.some((at) => health.isFreeForOthers(at)) ? HELD_FOR_TENANT : 'all_held';
      throw buildFailure('proxy_error', `the proxies of ${setting} are failing`, { reason });
    }
    const buildProxyKey = (at: number): string => `${setting} ${at} ${country ?? ''} `;
    const exits = free.map((at) => {
      const session = templates[at]?.hasSession === true ? createSessionName(random) : '';
      return { at, session, key: `${buildProxyKey(at)}${session}` };
    });
    // Prefer another proxy to another session of the same proxy.
    const untried = exits.filter(({ key }) => !excludedKeys.includes(key));
    const chosen =
      untried.find(({ at }) => !excludedKeys.some((key) => key.startsWith(buildProxyKey(at)))) ?? untried[0] ?? null;
    if (chosen !== null) next = (chosen.at + 1) % templates.length;
    return chosen;
  }

  function keep(place: string, exit: ProxyExit): void {
    sticky.delete(place);
    sticky.set(place, { ...exit, until: clock.monotonic() + STICKY_MS });
    const [oldest] = sticky.keys();
    if (sticky.size > MAX_STICKY && oldest !== undefined) sticky.delete(oldest);
  }

  return {
    take(host, options) {
      const { tenant, country, excludedKeys } = options;
      const site = getDomain(host, { allowPrivateDomains: true }) ?? host;
      const place = `${tenant} ${site} ${country ?? ''}`;
      const known = sticky.get(place);
      const now = clock.monotonic();
      const stays =
        known !== undefined &&
        now < known.until &&
        !excludedKeys.includes(known.key) &&
        health.isFree(known.at, tenant);
      const chosen = stays ? known : choose(options);
      const template = chosen === null ? undefined : templates[chosen.at];
      const proxy = chosen === null || template === undefined ? null : fillTemplate(template, { ...chosen, country });
      if (chosen === null || proxy === null) return null;
      const { at, key } = chosen;
      if (!stays) keep(place, chosen);
      health.noteTake(at, tenant);
      let isTold = false;
      function report(result: ExitResult): void {
        isTold = true;
        health.note({
          at,
          tenant,
          site,
          result,
          isShared: result === 'refused' ? country === null : result === 'fault',
        });
        if (result !== 'ok' && sticky.get(place)?.key === key) sticky.delete(place);
      }
      function leave(): void {
        if (!isTold) health.note({ at, tenant, site, result: 'unclear', isShared: false });
      }
      return { upstream: addReporting(createUpstream(proxy, { key, ca }), { report, isOpened }), report, leave };
    },
  };
}

type PoolProxies = Pick<ProxyPoolOptions, 'templates' | 'setting'>;

/** Indexes of the proxies for a country, starting at the next one in rotation. */
function listRotated({ templates, setting }: PoolProxies, country: string | null, next: number): readonly number[] {
  const able = templates.flatMap((template, at) => (servesCountry(template, country) ? [at] : []));
  if (able.length > 0) return [...able.filter((at) => at >= next), ...able.filter((at) => at < next)];
  const countryText = country === null ? '' : ` ${country}: no proxy of ${setting} has the placeholder {country}`;
  const message = `country${countryText}`;
  throw new ServiceError('backend_unavailable', message, { cause: new TierUnsupported(), retryable: false });
}

function servesCountry({ hasCountry, defaultCountry }: ProxyTemplate, country: string | null): boolean {
  return country === null ? !hasCountry || defaultCountry !== null : hasCountry;
}

type ReportingOptions = Pick<ProxyPoolOptions, 'isOpened'> & { readonly report: (result: ExitResult) => void };

/** Wraps an upstream to reject other ports and to report the result of each connection. */
function addReporting(upstream: Upstream, { report, isOpened }: ReportingOptions): Upstream {
  return {
    ...upstream,
    async open(url, addresses, signal) {
      const port = getPort(url);
      if (!PROXIED_PORTS.has(port) && !isOpened(url, addresses)) {
        const says = `port ${port} cannot be fetched through a proxy (only 80 and 443)`;
        throw buildUnreachableFor('proxy_port', says, { isPermanent: true, cause: new PortRefused(url.origin) });
      }
      try {
        const socket = await upstream.open(url, addresses, signal);
        report('ok');
        return socket;
      } catch (error) {
        report(toExitResult(error, signal));
        throw error;
      }
    },
  };
}

/** The result of a failed connection. */
function toExitResult(error: unknown, signal: AbortSignal): ExitResult {
  const fault = findProxyFault(error);
  if (fault === null || fault === 'exit_unreached') return 'unclear';
  if (fault === 'proxy_auth') return 'refused';
  // A cancelled visit is not a fault.
  if (signal.aborted && !isTimeout(signal.reason)) return 'unclear';
  return isAmbiguousFault(fault) ? 'doubtful' : 'fault';
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** A random session name of letters and digits, which every provider accepts. */
function createSessionName(random: () => number): string {
  return Array.from({ length: SESSION_CHARS }, () => Math.floor(random() * 36).toString(36)).join('');
}

/** The settings that name proxies. */
export const PROXY_SETTINGS = ['QUERN_PROXIES_DATACENTER', 'QUERN_PROXIES_RESIDENTIAL'] as const;

type ProxyConfig = Pick<Config, (typeof PROXY_SETTINGS)[number]>;

/** The proxy pools of the settings; null if a setting has no proxies. */
export type Upstreams = {
  /** For tier `proxy`. */
  readonly datacenter: ProxyPool | null;
  /** For tier `proxy_browser`. */
  readonly residential: ProxyPool | null;
};

/** Creates the proxy pools of the settings. */
export function createUpstreams(
  config: ProxyConfig,
  options: Pick<ProxyPoolOptions, 'clock' | 'random' | 'isOpened' | 'ca'>,
): Upstreams {
  function open(setting: (typeof PROXY_SETTINGS)[number]): ProxyPool | null {
    const templates = config[setting];
    return templates.length === 0 ? null : createProxyPool({ ...options, templates, setting });
  }
  return { datacenter: open('QUERN_PROXIES_DATACENTER'), residential: open('QUERN_PROXIES_RESIDENTIAL') };
}
