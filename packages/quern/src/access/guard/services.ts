import { isIP } from 'node:net';
import { type IpAddress, isPublic, isSame, isThisMachine } from './addresses.ts';
import { withoutRootDot } from './local-names.ts';
import { portOf } from './ports.ts';
import type { ResolveName } from './resolver.ts';
import { type Endpoint, targetHostOf } from './rules.ts';

export type ServicesOptions = {
  /** Where the services listen that this one uses, by address or name. */
  readonly services: readonly Endpoint[];
  /** Addresses of this machine's interfaces. */
  readonly interfaces: readonly string[];
  readonly resolve: ResolveName;
};

/** The ports at which a public address may be that of many sites, so that only the name tells them apart. */
const SHARED_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Finds targets that are services of this instance; their names are resolved when a target is checked. */
export function buildServiceCheck({ services, interfaces, resolve }: ServicesOptions) {
  /** The addresses that names had last, for a moment without name servers. */
  const known = new Map<string, readonly string[]>();

  async function addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    try {
      const { addresses } = await resolve(host);
      const found = addresses.map(({ address }) => address);
      known.set(host, found);
      return found;
    } catch {
      return known.get(host) ?? [];
    }
  }

  function isHere(address: string): boolean {
    return isThisMachine(address) || interfaces.some((one) => isSame(one, address));
  }

  /** Whether two addresses lead to the same machine. */
  function isSamePlace(one: string, other: string): boolean {
    return isSame(one, other) || (isHere(one) && isHere(other));
  }

  async function leadsTo({ host, port }: Endpoint, addresses: readonly IpAddress[]): Promise<boolean> {
    const taken = await addressesOf(host);
    return taken.some(
      (one) =>
        !(isIP(host) === 0 && SHARED_PORTS.has(port) && isPublic(one)) &&
        addresses.some(({ address }) => isSamePlace(one, address)),
    );
  }

  return async function isService(url: URL, addresses: readonly IpAddress[]): Promise<boolean> {
    const host = targetHostOf(url);
    const atPort = services.filter(({ port }) => port === portOf(url));
    if (atPort.some((one) => withoutRootDot(one.host.toLowerCase()) === host)) return true;
    const found = await Promise.all(atPort.map(async (one) => leadsTo(one, addresses)));
    return found.includes(true);
  };
}
