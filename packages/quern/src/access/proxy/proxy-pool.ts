import { getDomain } from 'tldts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type ProxyTemplate, fillTemplate } from '#kernel/proxy-urls.ts';
import { failed, HELD_FOR_TENANT, TierUnsupported, buildUnreachableFor } from '#access/failure.ts';
import type { Guard } from '#access/guard/guard.ts';
import { portOf } from '#access/guard/ports.ts';
import { findProxyFault, isAmbiguousFault } from './proxy-fault.ts';
import { type ExitResult, createHealthTracker } from './proxy-health.ts';
import { createUpstream, type Upstream } from './upstream.ts';

/** The right to use one exit. */
export type ExitLease = {
  /** Reports the result of each connection to the pool. */
  readonly upstream: Upstream;
  /** Reports a result beyond that of connections: anything but `ok` makes the tenant's next visit of the site take another exit. */
  readonly report: (result: ExitResult) => void;
  /** Called when the visit has ended, with or without a result. */
  readonly leave: () => void;
};

export type TakeOptions = {
  readonly tenant: string;
  /** Lower case; null for any. */
  readonly country: string | null;
  /** Keys of the exits that were tried. */
  readonly excludedKeys: readonly string[];
};

/** The operator's proxies of one kind. */
export type ProxyPool = {
  /**
   * An exit for a tenant and a host: the same one for its whole site during ten minutes, as long as it serves. Null when
   * no exit is left that was not tried; throws `backend_unavailable` when none serves the country, and with the outcome
   * `proxy_error` when all of them are failing.
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
  /** Whether the operator opened a target, which may then be at any port. */
  readonly isOpened: Guard['isOpened'];
  /** Certificate authorities (PEM) trusted in addition to the system's, for proxies that speak TLS. */
  readonly ca?: readonly string[];
};

/** Why a proxy was not asked for an origin: its port. */
export class PortRefused extends Error {
  readonly origin: string;

  constructor(origin: string) {
    super(`proxies are not asked for ${origin}`);
    this.name = 'PortRefused';
    this.origin = origin;
  }
}

type ProxyExit = { readonly at: number; readonly session: string; readonly key: string };
type StickyExit = ProxyExit & { readonly until: number };

const STICKY_MS = 600_000;
const MAX_STICKY = 10_000;
const SESSION_CHARS = 10;

/** The ports that every proxy serves; most refuse others. A target that the operator opened may be at any. */
const PROXIED_PORTS: ReadonlySet<number> = new Set([80, 443]);

/**
 * Opens the pool; health and sticky exits are those of this process. What only a proxy can bring about holds it back from
 * all tenants; what a target can bring about as well, or the country that a caller asks for, from the tenant that met it.
 */
export function openProxyPool({ templates, setting, clock, random, isOpened, ca }: ProxyPoolOptions): ProxyPool {
  const health = createHealthTracker(clock);
  const sticky = new Map<string, StickyExit>();
  let next = Math.floor(random() * templates.length);

  function choose({ tenant, country, excludedKeys }: TakeOptions): ProxyExit | null {
    const able = listRotated({ templates, setting }, country, next);
    const free = able.filter((at) => health.isFree(at, tenant));
    if (free.length === 0 && excludedKeys.length === 0) {
      const reason = able.some((at) => health.isFreeForOthers(at)) ? HELD_FOR_TENANT : 'all_held';
      throw failed('proxy_error', `the proxies of ${setting} are failing`, { reason });
    }
    const placeOf = (at: number): string => `${setting} ${at} ${country ?? ''} `;
    const exits = free.map((at) => {
      const session = templates[at]?.hasSession === true ? createSessionName(random) : '';
      return { at, session, key: `${placeOf(at)}${session}` };
    });
    // Another proxy is a surer change than another session of the same one.
    const untried = exits.filter(({ key }) => !excludedKeys.includes(key));
    const chosen =
      untried.find(({ at }) => !excludedKeys.some((key) => key.startsWith(placeOf(at)))) ?? untried[0] ?? null;
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

/** The proxies of a country in rotation. */
function listRotated({ templates, setting }: PoolProxies, country: string | null, next: number): readonly number[] {
  const able = templates.flatMap((template, at) => (servesCountry(template, country) ? [at] : []));
  if (able.length > 0) return [...able.filter((at) => at >= next), ...able.filter((at) => at < next)];
  const asked = country === null ? '' : ` ${country}: no proxy of ${setting} has the placeholder {country}`;
  const message = `country${asked}`;
  throw new ServiceError('backend_unavailable', message, { cause: new TierUnsupported(), retryable: false });
}

function servesCountry({ hasCountry, defaultCountry }: ProxyTemplate, country: string | null): boolean {
  return country === null ? !hasCountry || defaultCountry !== null : hasCountry;
}

type ReportingOptions = Pick<ProxyPoolOptions, 'isOpened'> & { readonly report: (result: ExitResult) => void };

/** The same upstream for ports that proxies are asked for, with a report of each connection. */
function addReporting(upstream: Upstream, { report, isOpened }: ReportingOptions): Upstream {
  return {
    ...upstream,
    async open(url, addresses, signal) {
      const port = portOf(url);
      if (!PROXIED_PORTS.has(port) && !isOpened(url, addresses)) {
        const says = `port ${port} is not asked for through a proxy, but 80 and 443 alone`;
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
  // A caller that went away is no fault either.
  if (signal.aborted && !isTimeout(signal.reason)) return 'unclear';
  return isAmbiguousFault(fault) ? 'doubtful' : 'fault';
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** Letters and digits, as every provider takes them. */
function createSessionName(random: () => number): string {
  return Array.from({ length: SESSION_CHARS }, () => Math.floor(random() * 36).toString(36)).join('');
}
