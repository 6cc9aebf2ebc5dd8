import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '#engine/identity/caller.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { CompatServices } from './server-parts.ts';

/**
 * Creates the lookup of callers without a key: the tenant of the settings for addresses in its networks, null for others.
 * Web pages need a key from everywhere: a visitor of the network must not be able to send calls without knowing it.
 */
export function createKeylessLookup({ keyless, findTenant }: CompatServices) {
  if (keyless === null) return async () => null;
  const networks = buildNetworks(keyless.networks);
  return async (request: FastifyRequest): Promise<Caller | null> => {
    const isListed = networks.check(request.ip, isIPv6(request.ip) ? 'ipv6' : 'ipv4');
    if (!isListed || isFromPage(request)) return null;
    return findTenant(keyless.tenant).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
      const message = `send an API key: QUERN_COMPAT_TENANT is ${keyless.tenant}, and there is no such tenant`;
      throw new ServiceError('missing_api_key', message, { cause: error });
    });
  };
}

function buildNetworks(ranges: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const isLong = isIPv6(address);
    networks.addSubnet(address, Number(bits ?? (isLong ? 128 : 32)), isLong ? 'ipv6' : 'ipv4');
  }
  return networks;
}

/** Whether a page in a browser sends the request, and not a person who opens the address. */
function isFromPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return headers.origin !== undefined || (site !== undefined && site !== 'none');
}
