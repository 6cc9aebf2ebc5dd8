import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { ServiceError } from '#kernel/errors.ts';
import { isNever, isPublic, isSame, isThisMachine, isUnspecified } from './addresses.ts';
import type { Address } from './addresses.ts';
import { allowsAddress, allowsName } from './allowed.ts';
import type { Allowed } from './allowed.ts';
import { failed, unreachable } from './failure.ts';
import { localName, malformedName, withoutRootDot } from './names.ts';
import { isRefusedPort, portOf } from './ports.ts';
import type { Resolve } from './resolver.ts';

/** Sent with every request of ours; a request that carries it came from a fetch and is refused by our server. */
export const DEPTH_HEADER = 'quern-depth';

const MAX_URL_CHARS = 8_192;
/** Answers beyond these are checked but never dialled. */
const MAX_DIALLED = 8;

/** Where this service itself listens. */
export type Endpoint = { readonly host: string; readonly port: number };

export type GuardOptions = {
  readonly allowed: Allowed;
  /** Own listen addresses and control ports; asked each time, because ports may be opened later. */
  readonly own: () => readonly Endpoint[];
  /** Addresses of this machine's interfaces, for an own listener on every address. */
  readonly interfaces: readonly string[];
  /** Names of the machine's hosts file. */
  readonly hostsNames: ReadonlySet<string>;
  /** Resolves public names. */
  readonly resolve: Resolve;
  /** Resolves names that the operator opened. */
  readonly resolveAllowed: Resolve;
  /** Told why a target was refused after it had passed by its form: for the operator's log only. */
  readonly report: (refusal: { readonly host: string; readonly reason: string }) => void;
};

/** The one gate of everything that opens a socket. */
export type Guard = {
  /** A caller's URL, parsed; `invalid_request` says what is wrong with it. */
  readonly readTarget: (url: string) => URL;
  /** Where a redirect leads; `unusable_response` when it cannot be followed, `target_unreachable` when it may not. */
  readonly readRedirect: (location: string, from: URL) => URL;
  /** The checked addresses to dial, and no others; `target_unreachable` as for a name that does not exist. */
  readonly resolve: (url: URL, signal: AbortSignal) => Promise<readonly Address[]>;
};

type Refusal = { readonly reason: string; readonly openable: boolean };

/** Builds the gate from what the operator opened and where the service listens. */
export function openGuard(options: GuardOptions): Guard {
  const { allowed, report } = options;

  function refuseAddress(address: string, port: number): Refusal | null {
    if (isOwn(options, address, port)) return { reason: 'is this service itself', openable: false };
    if (isNever(address)) return { reason: 'is an address that is never opened', openable: false };
    if (isPublic(address) || allowsAddress(allowed, address, port)) return null;
    return { reason: 'is not a public address', openable: true };
  }

  function refuseName(name: string, port: number): Refusal | null {
    const malformed = malformedName(name);
    if (malformed !== null) return { reason: malformed, openable: false };
    const local = allowsName(allowed, name, port) ? null : localName(name, options.hostsNames);
    return local === null ? null : { reason: local, openable: true };
  }

  /** Why a URL is refused by its form alone, or null. */
  function refuseUrl(url: URL): Refusal | null {
    const port = portOf(url);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused('only http and https are fetched');
    if (url.username !== '' || url.password !== '') return refused('a user name or password is not accepted');
    if (url.href.length > MAX_URL_CHARS) return refused(`is longer than ${MAX_URL_CHARS} characters`);
    if (isRefusedPort(port)) return refused(`port ${port} is not a port of web pages`);
    const host = hostOf(url);
    const refusal = isIP(host) === 0 ? refuseName(host, port) : refuseAddress(host, port);
    return refusal === null ? null : { ...refusal, reason: `${host.slice(0, 100)} ${refusal.reason}` };
  }

  function refuseAnswers(url: URL, addresses: readonly Address[]): string | null {
    const port = portOf(url);
    const openedByName = allowsName(allowed, hostOf(url), port);
    for (const { address } of addresses) {
      const refusal = refuseAddress(address, port);
      if (refusal !== null && !(refusal.openable && openedByName)) return `${address} ${refusal.reason}`;
    }
    return addresses.length === 0 ? 'the name has no address' : null;
  }

  return {
    readTarget(text) {
      const problem = malformedText(text);
      const url = problem === null ? URL.parse(text) : null;
      const refusal = problem === null ? url && refuseUrl(url) : refused(problem);
      if (url !== null && refusal === null) return url;
      const hint = refusal?.openable === true ? '; QUERN_ALLOW_TARGETS would allow it' : '';
      throw new ServiceError('invalid_request', `url: ${refusal?.reason ?? 'is not an absolute URL'}${hint}`);
    },
    readRedirect(location, from) {
      const url = location.length > MAX_URL_CHARS ? null : URL.parse(location, from);
      if (url === null || !/^https?:$/.test(url.protocol)) {
        throw failed('unusable', 'the target redirects to an address that cannot be followed', { reason: 'redirect' });
      }
      const refusal = refuseUrl(url);
      if (refusal === null) return url;
      report({ host: url.host, reason: refusal.reason });
      throw unreachable();
    },
    async resolve(url, signal) {
      const host = hostOf(url);
      const family = isIP(host);
      const byName = allowsName(allowed, host, portOf(url)) ? options.resolveAllowed : options.resolve;
      const addresses =
        family === 0
          ? await addressesOf(byName(host), signal)
          : [{ address: host, family: family === 6 ? (6 as const) : (4 as const) }];
      const reason = refuseAnswers(url, addresses);
      if (reason === null) return addresses.slice(0, MAX_DIALLED);
      report({ host: url.host, reason });
      throw unreachable();
    },
  };
}

/** A socket's lookup that answers with checked addresses and asks nobody. */
export function pinned(addresses: readonly Address[]): LookupFunction {
  const [first] = addresses;
  return function lookup(_host, { all }, callback) {
    if (all === true) return callback(null, [...addresses]);
    if (first === undefined) return callback(new Error('no address'), '', 0);
    return callback(null, first.address, first.family);
  };
}

function refused(reason: string): Refusal {
  return { reason, openable: false };
}

/** What the URL parser would forgive or strip, and other programs would read otherwise; null when clean. */
function malformedText(text: string): string | null {
  if (text.length > MAX_URL_CHARS) return `is longer than ${MAX_URL_CHARS} characters`;
  if (/\p{Cc}/u.test(text)) return 'control characters are not accepted';
  if (text.trim() !== text) return 'begins or ends with white space';
  if (text.includes('\\')) return 'a backslash is not accepted';
  return /^[a-z][a-z0-9+.-]*:\/*[^/?#]*@/i.test(text) ? 'a user name or password is not accepted' : null;
}

/** The host as the checks read it: no brackets, no root dot. */
function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : withoutRootDot(url.hostname);
}

function isOwn({ own, interfaces }: GuardOptions, address: string, port: number): boolean {
  return own().some((endpoint) => {
    if (endpoint.port !== port) return false;
    const everywhere = isIP(endpoint.host) === 0 || isUnspecified(endpoint.host);
    if (!everywhere) return isSame(endpoint.host, address) || isUnspecified(address);
    return isThisMachine(address) || interfaces.some((one) => isSame(one, address));
  });
}

/** The answer, unless the signal fires first; a name that does not resolve is unreachable. */
async function addressesOf(resolution: ReturnType<Resolve>, signal: AbortSignal): Promise<readonly Address[]> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(failed('timeout', 'the name was not resolved in time', { reason: 'dns' }));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const { addresses } = await Promise.race([resolution, aborted.promise]);
    return addresses;
  } catch (error) {
    throw error instanceof ServiceError ? error : unreachable(error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
