import { getCACertificates } from 'node:tls';
import { Pool, buildConnector } from 'undici';
import type { Address } from './addresses.ts';
import { pinned } from './guard.ts';
import type { Limits } from './limits.ts';
import type { Upstream } from './upstream.ts';

const MAX_POOLS = 512;
const SOCKETS_PER_POOL = 32;
/** Addresses that get their turn within the connect limit; Node's own 250 ms a turn loses targets far away. */
const ATTEMPTS = 4;
/** On one HTTP/2 connection; beyond it another is opened, which measured 1.5 times the pages of a single one. */
const STREAMS_PER_SOCKET = 8;

/** Where connections lead: an origin by its checked addresses, through a proxy or straight (null). */
export type Route = {
  readonly origin: string;
  readonly addresses: readonly Address[];
  readonly upstream: Upstream | null;
};

/** Connections by origin, checked addresses and the exit of a proxy. */
export type Pools = {
  readonly poolFor: (route: Route) => Pool;
  readonly close: () => Promise<void>;
};

/**
 * Opens the connection pools. A pool belongs to the addresses that were checked when it was asked for: a name that
 * later resolves elsewhere gets other sockets. Environment proxies play no part. `authorities` (PEM) are trusted
 * beside the system's.
 */
export function openPools(limits: Limits, authorities: readonly string[]): Pools {
  const ca = authorities.length === 0 ? undefined : [...getCACertificates('default'), ...authorities];
  const tls = { allowH2: true, preferH2: true, ...(ca === undefined ? {} : { ca }) };
  const pools = new Map<string, Pool>();

  function connectorThrough(upstream: Upstream, { origin, addresses }: Route): buildConnector.connector {
    const url = new URL(origin);
    const secure = buildConnector({ ...tls, timeout: limits.connectMs });
    async function dial(options: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
      const deadline = AbortSignal.timeout(limits.connectMs);
      const dialled = await upstream.open(url, addresses, deadline).catch(toError);
      if (dialled instanceof Error) return callback(dialled, null);
      if (options.protocol !== 'https:') return callback(null, dialled);
      return secure({ ...options, httpSocket: dialled }, callback);
    }
    return (options, callback) => void dial(options, callback);
  }

  function open(route: Route): Pool {
    return new Pool(route.origin, {
      connections: SOCKETS_PER_POOL,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: limits.connectMs,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.ceil(limits.connectMs / ATTEMPTS),
      h2Options: { maxConcurrentStreams: STREAMS_PER_SOCKET },
      connect:
        route.upstream === null ? { ...tls, lookup: pinned(route.addresses) } : connectorThrough(route.upstream, route),
    });
  }

  return {
    poolFor(route) {
      const key = keyOf(route);
      const known = pools.get(key);
      if (known !== undefined) {
        pools.delete(key);
        pools.set(key, known);
        return known;
      }
      const pool = open(route);
      pools.set(key, pool);
      const [oldest] = pools;
      if (pools.size > MAX_POOLS && oldest !== undefined) {
        pools.delete(oldest[0]);
        oldest[1].close(ignore);
      }
      return pool;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

function keyOf({ origin, addresses, upstream }: Route): string {
  const places = addresses
    .map((one) => one.address)
    .toSorted()
    .join(' ');
  return upstream === null ? `${origin} ${places}` : `${origin} ${places} through ${upstream.key}`;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** A retired pool ends by itself once its last answer is in. */
function ignore(): void {}
