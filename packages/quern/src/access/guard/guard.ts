import { isIP, type LookupFunction } from 'node:net';
import { ServiceError } from '#kernel/errors.ts';
import type { IpAddress } from './addresses.ts';
import { allowsAddress, allowsName } from './allowed-targets.ts';
import { errorCodeOf, toUnresolved } from '#access/error-causes.ts';
import { failed, refusedTarget, nameNotFound, strayRedirect } from '#access/failure.ts';
import { portOf } from './ports.ts';
import type { ResolveName } from './resolver.ts';
import { buildRules, type Endpoint, MAX_URL_CHARS, refused, type RuleOptions, targetHostOf } from './rules.ts';
import { buildServiceCheck } from './services.ts';

/** Sent with every request of ours; a request that carries it came from a fetch and is refused by our server. */
export const DEPTH_HEADER = 'quern-depth';

/** Answers beyond these are checked but never dialled. */
const MAX_DIALLED = 8;

export type GuardOptions = RuleOptions & {
  /** Where the services listen that this one uses, by address or name. */
  readonly services: readonly Endpoint[];
  /** Resolves public names. */
  readonly resolve: ResolveName;
  /** Resolves names that the operator opened. */
  readonly resolveAllowed: ResolveName;
  /** Called with the reason of a refusal that a URL's form did not show: for the operator's log only. */
  readonly report: (refusal: { readonly host: string; readonly reason: string }) => void;
};

/** The check of every target before a socket is opened. */
export type Guard = {
  /** A caller's URL, parsed; `invalid_request` says what is wrong with it, and which member it is unless that is `url`. */
  readonly readTarget: (url: string | URL, member?: string) => URL;
  /** Whether the operator allowed the host of a URL by its name or address, or all addresses that it has: an own site. */
  readonly isOpened: (url: URL, addresses?: readonly IpAddress[]) => boolean;
  /** Where a redirect leads; `unusable_response` when it cannot be followed, `target_unreachable` when it may not. */
  readonly readRedirect: (location: string, from: URL) => URL;
  /** The checked addresses to dial, and no others; `target_unreachable` as for a name that does not exist. */
  readonly resolve: (url: URL, signal: AbortSignal) => Promise<readonly IpAddress[]>;
};

/** Builds the guard from the operator's allowed targets and the service's own addresses. */
export function openGuard(options: GuardOptions): Guard {
  const { allowed, report } = options;
  const { refuseUrl, refuseAnswers } = buildRules(options);
  const isService = buildServiceCheck({ ...options, resolve: options.resolveAllowed });

  return {
    readTarget(given, member = 'url') {
      const problem = malformedText(typeof given === 'string' ? given : given.href);
      const parsed = typeof given === 'string' ? () => URL.parse(given) : () => given;
      const url = problem === null ? parsed() : null;
      const refusal = problem === null ? url && refuseUrl(url) : refused(problem);
      if (url !== null && refusal === null) return url;
      const hint = refusal?.openable === true ? '; QUERN_ALLOW_TARGETS would allow it' : '';
      throw new ServiceError('invalid_request', `${member}: ${refusal?.reason ?? 'is not an absolute URL'}${hint}`);
    },
    isOpened(url, addresses = []) {
      const host = targetHostOf(url);
      const port = portOf(url);
      if (isIP(host) !== 0) return allowsAddress(allowed, host, port);
      const isInside = addresses.length > 0 && addresses.every(({ address }) => allowsAddress(allowed, address, port));
      return isInside || allowsName(allowed, host, port);
    },
    readRedirect(location, from) {
      const url = location.length > MAX_URL_CHARS ? null : URL.parse(location, from);
      if (url === null || !/^https?:$/.test(url.protocol)) throw strayRedirect();
      const refusal = refuseUrl(url);
      if (refusal === null) return url;
      report({ host: url.host, reason: refusal.reason });
      throw refusedTarget(url.host, refusal.openable);
    },
    async resolve(url, signal) {
      const host = targetHostOf(url);
      const family = isIP(host);
      const byName = allowsName(allowed, host, portOf(url)) ? options.resolveAllowed : options.resolve;
      const addresses =
        family === 0
          ? await addressesOf(host, byName(host), signal)
          : [{ address: host, family: family === 6 ? (6 as const) : (4 as const) }];
      const reason =
        refuseAnswers(url, addresses) ??
        ((await inTime(isService(url, addresses), signal))
          ? `${host.slice(0, 100)} is a service that this one uses`
          : null);
      if (reason === null) return addresses.slice(0, MAX_DIALLED);
      report({ host: url.host, reason });
      throw family === 0 ? nameNotFound(host) : refusedTarget(url.host, false);
    },
  };
}

/** A socket's lookup that answers with checked addresses, without a query. */
export function pinned(addresses: readonly IpAddress[]): LookupFunction {
  const [first] = addresses;
  return function lookup(_host, { all }, callback) {
    if (all === true) return callback(null, [...addresses]);
    if (first === undefined) return callback(new Error('no address'), '', 0);
    return callback(null, first.address, first.family);
  };
}

/** The problem of a text that the URL parser would tolerate and other programs would read otherwise; null for none. */
function malformedText(text: string): string | null {
  if (text.length > MAX_URL_CHARS) return `is longer than ${MAX_URL_CHARS} characters`;
  if (/\p{Cc}/u.test(text)) return 'control characters are not accepted';
  if (text.trim() !== text) return 'begins or ends with white space';
  if (text.includes('\\')) return 'a backslash is not accepted';
  return /^[a-z][a-z0-9+.-]*:\/*[^/?#]*@/i.test(text) ? 'a user name or password is not accepted' : null;
}

/** The addresses of a name, unless the signal fires first; throws the error of a name that does not resolve. */
async function addressesOf(
  host: string,
  resolution: ReturnType<ResolveName>,
  signal: AbortSignal,
): Promise<readonly IpAddress[]> {
  try {
    const { addresses } = await inTime(resolution, signal);
    return addresses;
  } catch (error) {
    throw error instanceof ServiceError ? error : toUnresolved(host, errorCodeOf(error), error);
  }
}

/** What a look-up of names answers, unless the signal fires first. */
async function inTime<T>(lookUp: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(failed('timeout', 'the name was not resolved in time', { reason: 'dns' }));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([lookUp, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
