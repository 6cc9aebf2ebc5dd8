import { isIP } from 'node:net';
import { type IpAddress, isNever, isPublic, isSame, isThisMachine, isUnspecified } from './addresses.ts';
import { type Allowed, allowsAddress, allowsName } from './allowed-targets.ts';
import { localNameReason, malformedName, withoutRootDot } from './local-names.ts';
import { isRefusedPort, portOf } from './ports.ts';

export const MAX_URL_CHARS = 8_192;

/** Where this service itself listens. */
export type Endpoint = { readonly host: string; readonly port: number };

export type RuleOptions = {
  readonly allowed: Allowed;
  /** Own listen addresses and control ports; asked each time, because ports may be opened later. */
  readonly own: () => readonly Endpoint[];
  /** Addresses of this machine's interfaces, for an own listener on every address. */
  readonly interfaces: readonly string[];
  /** Names of the machine's hosts file. */
  readonly hostsNames: ReadonlySet<string>;
};

/** Why a target is refused, and whether the operator could open it. */
export type GuardRefusal = { readonly reason: string; readonly openable: boolean };

/** Builds the rules on addresses, names and ports; null means not refused. */
export function buildRules(options: RuleOptions) {
  const { allowed } = options;

  function refuseAddress(address: string, port: number): GuardRefusal | null {
    if (isOwn(options, address, port)) return { reason: 'is this service itself', openable: false };
    if (isNever(address)) return { reason: 'is an address that is never opened', openable: false };
    if (isPublic(address) || allowsAddress(allowed, address, port)) return null;
    return { reason: 'is not a public address', openable: true };
  }

  function refuseName(name: string, port: number): GuardRefusal | null {
    const malformed = malformedName(name);
    if (malformed !== null) return { reason: malformed, openable: false };
    const local = allowsName(allowed, name, port) ? null : localNameReason(name, options.hostsNames);
    return local === null ? null : { reason: local, openable: true };
  }

  /** Why a URL is refused by its form alone, or null. */
  function refuseUrl(url: URL): GuardRefusal | null {
    const port = portOf(url);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused('only http and https are fetched');
    if (url.username !== '' || url.password !== '') return refused('a user name or password is not accepted');
    if (url.href.length > MAX_URL_CHARS) return refused(`is longer than ${MAX_URL_CHARS} characters`);
    if (isRefusedPort(port)) return refused(`port ${port} is not a port of web pages`);
    const host = targetHostOf(url);
    const refusal = isIP(host) === 0 ? refuseName(host, port) : refuseAddress(host, port);
    return refusal === null ? null : { ...refusal, reason: `${host.slice(0, 100)} ${refusal.reason}` };
  }

  function refuseAnswers(url: URL, addresses: readonly IpAddress[]): string | null {
    const port = portOf(url);
    const openedByName = allowsName(allowed, targetHostOf(url), port);
    for (const { address } of addresses) {
      const refusal = refuseAddress(address, port);
      if (refusal !== null && !(refusal.openable && openedByName)) return `${address} ${refusal.reason}`;
    }
    return addresses.length === 0 ? 'the name has no address' : null;
  }

  return { refuseUrl, refuseAnswers };
}

/** A refusal that no setting lifts. */
export function refused(reason: string): GuardRefusal {
  return { reason, openable: false };
}

/** The host as the checks read it: no brackets, no root dot. */
export function targetHostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : withoutRootDot(url.hostname);
}

function isOwn({ own, interfaces }: RuleOptions, address: string, port: number): boolean {
  return own().some((endpoint) => {
    if (endpoint.port !== port) return false;
    const everywhere = isIP(endpoint.host) === 0 || isUnspecified(endpoint.host);
    if (!everywhere) return isSame(endpoint.host, address) || isUnspecified(address);
    return isThisMachine(address) || interfaces.some((one) => isSame(one, address));
  });
}
