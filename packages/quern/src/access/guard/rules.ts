import { isIP } from 'node:net';
import {
  type IpAddress,
  isBlockedAddress,
  isPublic,
  isSameAddress,
  isThisMachine,
  isUnspecified,
} from './addresses.ts';
import { type AllowedTargets, isAddressAllowed, isNameAllowed } from './allowed-targets.ts';
import { checkLocalName, checkName, removeRootDot } from './local-names.ts';
import { isRefusedPort, getPort } from './ports.ts';

export const MAX_URL_CHARS = 8_192;

/** Where this service itself listens. */
export type Endpoint = { readonly host: string; readonly port: number };

export type RuleOptions = {
  readonly allowed: AllowedTargets;
  /** Listen addresses and control ports of this service; called for each check, because ports may be opened later. */
  readonly own: () => readonly Endpoint[];
  /** Addresses of this machine's interfaces, for listeners on all addresses. */
  readonly interfaces: readonly string[];
  /** Names of the machine's hosts file. */
  readonly hostsNames: ReadonlySet<string>;
};

/** Why a target is refused, and whether the operator could allow it. */
export type GuardRefusal = { readonly reason: string; readonly canBeAllowed: boolean };

/** Creates the rules for addresses, names and ports; they return null if the target is not refused. */
export function createRules(options: RuleOptions) {
  const { allowed } = options;

  function refuseAddress(address: string, port: number): GuardRefusal | null {
    if (isOwnEndpoint(options, address, port)) return { reason: 'is this service itself', canBeAllowed: false };
    if (isBlockedAddress(address)) return { reason: 'is an address that can never be fetched', canBeAllowed: false };
    if (isPublic(address) || isAddressAllowed(allowed, address, port)) return null;
    return { reason: 'is not a public address', canBeAllowed: true };
  }

  function refuseName(name: string, port: number): GuardRefusal | null {
    const malformed = checkName(name);
    if (malformed !== null) return { reason: malformed, canBeAllowed: false };
    const local = isNameAllowed(allowed, name, port) ? null : checkLocalName(name, options.hostsNames);
    return local === null ? null : { reason: local, canBeAllowed: true };
  }

  /** Checks a URL without resolving its name; returns the refusal or null. */
  function refuseUrl(url: URL): GuardRefusal | null {
    const port = getPort(url);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return buildFinalRefusal('only http and https are fetched');
    if (url.username !== '' || url.password !== '') return buildFinalRefusal('a user name or password is not accepted');
    if (url.href.length > MAX_URL_CHARS) return buildFinalRefusal(`is longer than ${MAX_URL_CHARS} characters`);
    if (isRefusedPort(port)) return buildFinalRefusal(`port ${port} is blocked, as in browsers`);
    const host = getTargetHost(url);
    const refusal = isIP(host) === 0 ? refuseName(host, port) : refuseAddress(host, port);
    return refusal === null ? null : { ...refusal, reason: `${host.slice(0, 100)} ${refusal.reason}` };
  }

  function refuseAnswers(url: URL, addresses: readonly IpAddress[]): string | null {
    const port = getPort(url);
    const openedByName = isNameAllowed(allowed, getTargetHost(url), port);
    for (const { address } of addresses) {
      const refusal = refuseAddress(address, port);
      if (refusal !== null && !(refusal.canBeAllowed && openedByName)) return `${address} ${refusal.reason}`;
    }
    return addresses.length === 0 ? 'the name has no address' : null;
  }

  return { refuseUrl, refuseAnswers };
}

/** A refusal that no setting can lift. */
export function buildFinalRefusal(reason: string): GuardRefusal {
  return { reason, canBeAllowed: false };
}

/** The host of a URL without brackets and trailing dot. */
export function getTargetHost(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : removeRootDot(url.hostname);
}

function isOwnEndpoint({ own, interfaces }: RuleOptions, address: string, port: number): boolean {
  return own().some((endpoint) => {
    if (endpoint.port !== port) return false;
    const everywhere = isIP(endpoint.host) === 0 || isUnspecified(endpoint.host);
    if (!everywhere) return isSameAddress(endpoint.host, address) || isUnspecified(address);
    return isThisMachine(address) || interfaces.some((one) => isSameAddress(one, address));
  });
}
