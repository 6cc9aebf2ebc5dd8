import { Resolver, TIMEOUT, lookup } from 'node:dns/promises';
import type { Clock } from '#kernel/clock.ts';
import type { IpAddress } from './addresses.ts';

/** The addresses of a name and their time to live, ms. */
export type Resolution = { readonly addresses: readonly IpAddress[]; readonly ttlMs: number };

/** Resolves a name within a time limit; rejects if it has no address. */
export type ResolveName = (name: string) => Promise<Resolution>;

const SYSTEM_DEADLINE_MS = 3_500;
const SYSTEM_TTL_MS = 5_000;
/** How long to wait for the IPv6 answer after the IPv4 answer (RFC 8305 recommends a short delay). */
const MAX_IPV6_WAIT_MS = 250;
const MIN_TTL_MS = 1_000;
const MAX_TTL_MS = 60_000;
const MAX_CACHED_NAMES = 2_000;

/**
 * Creates a resolver that queries DNS servers (`servers` as `ip:port`, null for those of the system) without the thread pool:
 * a few slow names there would block file and compression work of the process. It gives up after 3.5 s.
 */
export function createDnsResolver(servers: readonly string[] | null, clock: Clock): ResolveName {
  const resolver = new Resolver({ timeout: 1_500, maxTimeout: 2_000, tries: 2 });
  if (servers !== null) resolver.setServers(servers);
  return async function resolve(name) {
    const sixLookup = resolver.resolve6(name, { ttl: true });
    const sixLater = sixLookup.catch(() => []);
    const four = await resolver.resolve4(name, { ttl: true }).catch(toEmptyIfNoData);
    const six = await (four.length === 0
      ? sixLookup.catch(toEmptyIfNoData)
      : Promise.race([sixLater, clock.sleep(MAX_IPV6_WAIT_MS).then(() => [])]));
    const addresses = [
      ...four.map(({ address }) => ({ address, family: 4 as const })),
      ...six.map(({ address }) => ({ address, family: 6 as const })),
    ];
    if (addresses.length === 0) throw new Error(`${name} has no address`);
    return { addresses, ttlMs: Math.min(...[...four, ...six].map((record) => record.ttl)) * 1000 };
  };
}

/** Creates a resolver that uses the system, including its hosts file, for names that the operator allowed. */
export function createSystemResolver(clock: Clock): ResolveName {
  return async (name) => resolveBySystem(name, clock);
}

async function resolveBySystem(name: string, clock: Clock): Promise<Resolution> {
  const patience = new AbortController();
  const tooLate = clock.sleep(SYSTEM_DEADLINE_MS, patience.signal).then(() => {
    throw Object.assign(new Error(`${name} was not resolved in time`), { code: TIMEOUT });
  });
  const answer = lookup(name, { all: true });
  const answers = await Promise.race([answer, tooLate]).finally(() => patience.abort());
  const addresses = answers.map(({ address, family }) => ({
    address,
    family: family === 6 ? (6 as const) : (4 as const),
  }));
  return { addresses, ttlMs: SYSTEM_TTL_MS };
}

/** Caches answers for their TTL, clamped to 1–60 s, and shares one query among concurrent callers. */
export function cacheDns(resolve: ResolveName, clock: Clock): ResolveName {
  const known = new Map<string, { readonly until: number; readonly resolution: Promise<Resolution> }>();
  async function ask(name: string): Promise<Resolution> {
    const resolution = await resolve(name);
    const ttlMs = Math.max(MIN_TTL_MS, Math.min(resolution.ttlMs, MAX_TTL_MS));
    known.set(name, { until: clock.monotonic() + ttlMs, resolution: Promise.resolve(resolution) });
    return resolution;
  }
  return function resolveCached(name) {
    const entry = known.get(name);
    if (entry !== undefined && clock.monotonic() < entry.until) return entry.resolution;
    if (known.size >= MAX_CACHED_NAMES) known.clear();
    const resolution = ask(name).catch((error: unknown) => {
      known.delete(name);
      throw error;
    });
    known.set(name, { until: Infinity, resolution });
    return resolution;
  };
}

/** Treats a name without addresses of one family as empty, not as a failure. */
function toEmptyIfNoData(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENODATA') return [];
  throw error;
}
