import { isIP, type LookupFunction } from 'node:net';
import {
  getErrorCode,
  toDnsFailure,
  buildFailure,
  buildNameNotFound,
  buildRefusedTarget,
  buildInvalidRedirect,
} from '#access/failure.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type IpAddress, isPublic, isSameAddress, isThisMachine } from './addresses.ts';
import { isAddressAllowed, isNameAllowed } from './allowed-targets.ts';
import { removeRootDot } from './local-names.ts';
import { getPort } from './ports.ts';
import type { ResolveName } from './resolver.ts';
import {
  createRules,
  type Endpoint,
  MAX_URL_CHARS,
  buildFinalRefusal,
  type RuleOptions,
  getTargetHost,
} from './rules.ts';

/** Sent with every request of Quern; the server rejects requests with it, so that a fetch cannot call the service itself. */
export const DEPTH_HEADER = 'quern-depth';

/** Maximum addresses to connect to; further ones are only checked. */
const MAX_ADDRESSES = 8;

export type GuardOptions = RuleOptions & {
  /** Addresses or names of the services that this instance uses, such as its database. */
  readonly services: readonly Endpoint[];
  /** Resolves public names. */
  readonly resolve: ResolveName;
  /** Resolves names that the operator allowed. */
  readonly resolveAllowed: ResolveName;
  /** Called with the reason of a refusal that depends on DNS or a redirect, for the operator's log only. */
  readonly report: (refusal: { readonly host: string; readonly reason: string }) => void;
};

/** The check of every target before a socket is opened. */
export type Guard = {
  /** Parses and checks a caller's URL; throws `invalid_request` with the problem. `member` is the parameter, by default `url`. */
  readonly parseTarget: (url: string | URL, member?: string) => URL;
  /** Whether the operator allowed the host of a URL by name or address, or all of `addresses`. */
  readonly isAllowed: (url: URL, addresses?: readonly IpAddress[]) => boolean;
  /** Parses and checks a redirect; throws `unusable_response` if it is invalid, `target_unreachable` if it is refused. */
  readonly parseRedirect: (location: string, from: URL) => URL;
  /** Resolves and checks the addresses to connect to; throws `target_unreachable`, as for a name that does not exist. */
  readonly resolve: (url: URL, signal: AbortSignal) => Promise<readonly IpAddress[]>;
};

/** Creates the guard from the operator's allowed targets and the service's own addresses. */
export function createGuard(options: GuardOptions): Guard {
  const { allowed, report } = options;
  const { refuseUrl, refuseAnswers } = createRules(options);
  const isService = createServiceCheck({ ...options, resolve: options.resolveAllowed });

  return {
    parseTarget(target, member = 'url') {
      const problem = checkUrlText(typeof target === 'string' ? target : target.href);
      const parsed = typeof target === 'string' ? () => URL.parse(target) : () => target;
      const url = problem === null ? parsed() : null;
      const refusal = problem === null ? url && refuseUrl(url) : buildFinalRefusal(problem);
      if (url !== null && refusal === null) return url;
      const hint = refusal?.canBeAllowed === true ? '; to allow it, add it to QUERN_ALLOW_TARGETS' : '';
      throw new ServiceError('invalid_request', `${member}: ${refusal?.reason ?? 'is not an absolute URL'}${hint}`);
    },
    isAllowed(url, addresses = []) {
      const host = getTargetHost(url);
      const port = getPort(url);
      if (isIP(host) !== 0) return isAddressAllowed(allowed, host, port);
      const isInside =
        addresses.length > 0 && addresses.every(({ address }) => isAddressAllowed(allowed, address, port));
      return isInside || isNameAllowed(allowed, host, port);
    },
    parseRedirect(location, from) {
      const url = location.length > MAX_URL_CHARS ? null : URL.parse(location, from);
      if (url === null || !/^https?:$/.test(url.protocol)) throw buildInvalidRedirect();
      const refusal = refuseUrl(url);
      if (refusal === null) return url;
      report({ host: url.host, reason: refusal.reason });
      throw buildRefusedTarget(url.host, refusal.canBeAllowed);
    },
    async resolve(url, signal) {
      const host = getTargetHost(url);
      const family = isIP(host);
      const byName = isNameAllowed(allowed, host, getPort(url)) ? options.resolveAllowed : options.resolve;
      const addresses =
        family === 0
          ? await resolveAddresses(host, byName(host), signal)
          : [{ address: host, family: family === 6 ? (6 as const) : (4 as const) }];
      const reason =
        refuseAnswers(url, addresses) ??
        ((await waitUnlessAborted(isService(url, addresses), signal))
          ? `${host.slice(0, 100)} is a service that this instance uses`
          : null);
      if (reason === null) return addresses.slice(0, MAX_ADDRESSES);
      report({ host: url.host, reason });
      throw family === 0 ? buildNameNotFound(host) : buildRefusedTarget(url.host, false);
    },
  };
}

/** A `lookup` function for sockets that returns the checked addresses without a DNS query. */
export function buildPinnedLookup(addresses: readonly IpAddress[]): LookupFunction {
  const [first] = addresses;
  return function lookup(_host, { all }, callback) {
    if (all === true) return callback(null, [...addresses]);
    if (first === undefined) return callback(new Error('no address'), '', 0);
    return callback(null, first.address, first.family);
  };
}

/** Checks for text that the URL parser accepts but other programs interpret differently; returns the problem or null. */
function checkUrlText(text: string): string | null {
  if (text.length > MAX_URL_CHARS) return `is longer than ${MAX_URL_CHARS} characters`;
  if (/\p{Cc}/u.test(text)) return 'control characters are not accepted';
  if (text.trim() !== text) return 'begins or ends with white space';
  if (text.includes('\\')) return 'a backslash is not accepted';
  return /^[a-z][a-z0-9+.-]*:\/*[^/?#]*@/i.test(text) ? 'a user name or password is not accepted' : null;
}

/** Waits for the addresses of a name; throws the error of a failed lookup, or a timeout if the signal fires first. */
async function resolveAddresses(
  host: string,
  resolution: ReturnType<ResolveName>,
  signal: AbortSignal,
): Promise<readonly IpAddress[]> {
  try {
    const { addresses } = await waitUnlessAborted(resolution, signal);
    return addresses;
  } catch (error) {
    throw error instanceof ServiceError ? error : toDnsFailure(host, getErrorCode(error), error);
  }
}

/** Waits for a DNS lookup; throws `timeout` if the signal fires first. */
async function waitUnlessAborted<T>(lookUp: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(buildFailure('timeout', 'the name was not resolved in time', { reason: 'dns' }));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([lookUp, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

type ServicesOptions = {
  /** Where the services listen that this one uses, by address or name. */
  readonly services: readonly Endpoint[];
  /** Addresses of this machine's interfaces. */
  readonly interfaces: readonly string[];
  readonly resolve: ResolveName;
};

/** Ports at which one public address may serve many sites, which differ only by name. */
const SHARED_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Creates a check for targets that are services of this instance; resolves their names at each check. */
function createServiceCheck({ services, interfaces, resolve }: ServicesOptions) {
  /** The last known addresses of names, for when DNS fails. */
  const known = new Map<string, readonly string[]>();

  async function findServiceAddresses(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    try {
      const { addresses } = await resolve(host);
      const resolved = addresses.map(({ address }) => address);
      known.set(host, resolved);
      return resolved;
    } catch {
      return known.get(host) ?? [];
    }
  }

  function isHere(address: string): boolean {
    return isThisMachine(address) || interfaces.some((one) => isSameAddress(one, address));
  }

  /** Whether two addresses lead to the same machine. */
  function isSamePlace(one: string, other: string): boolean {
    return isSameAddress(one, other) || (isHere(one) && isHere(other));
  }

  async function leadsTo({ host, port }: Endpoint, addresses: readonly IpAddress[]): Promise<boolean> {
    const taken = await findServiceAddresses(host);
    return taken.some(
      (one) =>
        !(isIP(host) === 0 && SHARED_PORTS.has(port) && isPublic(one)) &&
        addresses.some(({ address }) => isSamePlace(one, address)),
    );
  }

  return async function isService(url: URL, addresses: readonly IpAddress[]): Promise<boolean> {
    const host = getTargetHost(url);
    const atPort = services.filter(({ port }) => port === getPort(url));
    if (atPort.some((one) => removeRootDot(one.host.toLowerCase()) === host)) return true;
    const matches = await Promise.all(atPort.map(async (one) => leadsTo(one, addresses)));
    return matches.includes(true);
  };
}
