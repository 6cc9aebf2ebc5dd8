import { getDomain } from 'tldts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toProxy } from '#kernel/proxy-urls.ts';
import type { ProxyTemplate } from '#kernel/proxy-urls.ts';
import { failed, TierUnable } from '#access/failure.ts';
import { faultOf } from './proxy-fault.ts';
import { WELL, afterResult, afterTake, isFree } from './proxy-health.ts';
import type { Health, ExitResult } from './proxy-health.ts';
import { toUpstream } from './upstream.ts';
import type { Upstream } from './upstream.ts';

/** The right to use one exit. */
export type ExitLease = {
  /** Reports the result of each connection to the pool. */
  readonly upstream: Upstream;
  /** Reports a result beyond that of connections: anything but `ok` makes the next visit of the site take another exit. */
  readonly report: (result: ExitResult) => void;
};

export type TakeOptions = {
  /** Lower case; null for any. */
  readonly country: string | null;
  /** Keys of the exits that were tried. */
  readonly not: readonly string[];
};

/** The operator's proxies of one kind. */
export type ProxyPool = {
  /**
   * An exit for a host: the same one for its whole site during ten minutes, as long as it serves. Null when no exit is
   * left that was not tried; throws `backend_unavailable` when none serves the country, and with the outcome
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
  /** Certificate authorities (PEM) trusted in addition to the system's, for proxies that speak TLS. */
  readonly ca?: readonly string[];
};

type Exit = { readonly at: number; readonly session: string; readonly key: string };
type Sticky = Exit & { readonly until: number };

const STICKY_MS = 600_000;
const STICKY_SITES = 10_000;
const SESSION_CHARS = 10;

/** Opens the pool; health and sticky exits are those of this process. */
export function openProxyPool({ templates, setting, clock, random, ca }: ProxyPoolOptions): ProxyPool {
  const health: Health[] = templates.map(() => WELL);
  const sticky = new Map<string, Sticky>();
  let next = Math.floor(random() * templates.length);

  const healthOf = (at: number): Health => health[at] ?? WELL;

  /** The proxies of a country in rotation. */
  function inRotation(country: string | null): readonly number[] {
    const able = templates.flatMap((template, at) => (serves(template, country) ? [at] : []));
    if (able.length > 0) return [...able.filter((at) => at >= next), ...able.filter((at) => at < next)];
    const asked = country === null ? '' : ` ${country}: no proxy of ${setting} has the placeholder {country}`;
    const message = `country${asked}`;
    throw new ServiceError('backend_unavailable', message, { cause: new TierUnable(), retryable: false });
  }

  function choose(country: string | null, not: readonly string[]): Exit | null {
    const now = clock.monotonic();
    const able = inRotation(country);
    const free = able.filter((at) => isFree(healthOf(at), now));
    if (free.length === 0 && not.length === 0) {
      throw failed('proxy_error', `the proxies of ${setting} are failing`, { reason: 'all_held' });
    }
    const placeOf = (at: number): string => `${setting} ${at} ${country ?? ''} `;
    const exits = free.map((at) => {
      const session = templates[at]?.hasSession === true ? newSession(random) : '';
      return { at, session, key: `${placeOf(at)}${session}` };
    });
    // Another proxy is a surer change than another session of the same one.
    const untried = exits.filter(({ key }) => !not.includes(key));
    const chosen = untried.find(({ at }) => !not.some((key) => key.startsWith(placeOf(at)))) ?? untried[0] ?? null;
    if (chosen !== null) next = (chosen.at + 1) % templates.length;
    return chosen;
  }

  function keep(place: string, exit: Exit): void {
    sticky.delete(place);
    sticky.set(place, { ...exit, until: clock.monotonic() + STICKY_MS });
    const [oldest] = sticky.keys();
    if (sticky.size > STICKY_SITES && oldest !== undefined) sticky.delete(oldest);
  }

  return {
    take(host, { country, not }) {
      const place = `${getDomain(host, { allowPrivateDomains: true }) ?? host} ${country ?? ''}`;
      const known = sticky.get(place);
      const now = clock.monotonic();
      const stays =
        known !== undefined && now < known.until && !not.includes(known.key) && isFree(healthOf(known.at), now);
      const chosen = stays ? known : choose(country, not);
      const template = chosen === null ? undefined : templates[chosen.at];
      const proxy = chosen === null || template === undefined ? null : toProxy(template, { ...chosen, country });
      if (chosen === null || proxy === null) return null;
      const { at, key } = chosen;
      if (!stays) keep(place, chosen);
      health[at] = afterTake(healthOf(at), now);
      function report(result: ExitResult): void {
        health[at] = afterResult(healthOf(at), result, clock.monotonic());
        if (result !== 'ok' && sticky.get(place)?.key === key) sticky.delete(place);
      }
      return { upstream: reporting(toUpstream(proxy, { key, ca }), report), report };
    },
  };
}

function serves({ hasCountry, usualCountry }: ProxyTemplate, country: string | null): boolean {
  return country === null ? !hasCountry || usualCountry !== null : hasCountry;
}

/** The same upstream, with a report of each connection. */
function reporting(upstream: Upstream, report: (result: ExitResult) => void): Upstream {
  return {
    ...upstream,
    async open(url, addresses, signal) {
      try {
        const socket = await upstream.open(url, addresses, signal);
        report('ok');
        return socket;
      } catch (error) {
        report(resultOf(error, signal));
        throw error;
      }
    },
  };
}

/** The result of a failed connection. */
function resultOf(error: unknown, signal: AbortSignal): ExitResult {
  const fault = faultOf(error);
  if (fault === null || fault === 'exit_unreached') return 'unclear';
  if (fault === 'proxy_auth') return 'refused';
  // A caller that went away is no fault either.
  return signal.aborted && !isTimeout(signal.reason) ? 'unclear' : 'fault';
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** Letters and digits, as every provider takes them. */
function newSession(random: () => number): string {
  return Array.from({ length: SESSION_CHARS }, () => Math.floor(random() * 36).toString(36)).join('');
}
