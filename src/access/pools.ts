import { getCACertificates } from 'node:tls';
import { buildConnector, Pool } from 'undici';
import type { Address } from './addresses.ts';
import { pinned } from './guard.ts';
import type { Limits } from './limits.ts';

const MAX_POOLS = 512;
const SOCKETS_PER_POOL = 32;
/** Addresses that get their turn within the connect limit; Node's own 250 ms a turn loses targets far away. */
const ATTEMPTS = 4;
/** On one HTTP/2 connection; beyond it another is opened, which measured 1.5 times the pages of a single one. */
const STREAMS_PER_SOCKET = 8;

/** The connections to one origin. */
export type Connections = {
  readonly pool: Pool;
  /** The address that all of them have gone to so far; null when that is not one. */
  readonly peer: () => string | null;
};

/** Connections by origin and checked addresses. */
export type Pools = {
  readonly poolFor: (origin: string, addresses: readonly Address[]) => Connections;
  readonly close: () => Promise<void>;
};

/**
 * Opens the connection pools. A pool belongs to the addresses that were checked when it was asked for: a name that
 * later resolves elsewhere gets other sockets. Environment proxies play no part. `authorities` (PEM) are trusted
 * beside the system's.
 */
export function openPools(limits: Limits, authorities: readonly string[]): Pools {
  const ca = authorities.length === 0 ? undefined : [...getCACertificates('default'), ...authorities];
  const pools = new Map<string, Connections>();

  function open(origin: string, addresses: readonly Address[]): Connections {
    const peers = new Set<string>();
    const connector = buildConnector({
      lookup: pinned(addresses),
      allowH2: true,
      preferH2: true,
      timeout: limits.connectMs,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.ceil(limits.connectMs / ATTEMPTS),
      ...(ca === undefined ? {} : { ca }),
    });
    const pool = new Pool(origin, {
      connections: SOCKETS_PER_POOL,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
      h2Options: { maxConcurrentStreams: STREAMS_PER_SOCKET },
      connect(options, callback) {
        connector(options, (...outcome) => {
          const address = outcome[1]?.remoteAddress;
          if (address !== undefined) peers.add(address);
          callback(...outcome);
        });
      },
    });
    return { pool, peer: () => (peers.size === 1 ? ([...peers][0] ?? null) : null) };
  }

  return {
    poolFor(origin, addresses) {
      const key = `${origin} ${addresses
        .map((one) => one.address)
        .toSorted()
        .join(' ')}`;
      const known = pools.get(key);
      if (known !== undefined) {
        pools.delete(key);
        pools.set(key, known);
        return known;
      }
      const opened = open(origin, addresses);
      pools.set(key, opened);
      const [oldest] = pools;
      if (pools.size > MAX_POOLS && oldest !== undefined) {
        pools.delete(oldest[0]);
        oldest[1].pool.close(ignore);
      }
      return opened;
    },
    async close() {
      await Promise.all([...pools.values()].map(({ pool }) => pool.destroy()));
      pools.clear();
    },
  };
}

/** A retired pool ends by itself once its last answer is in. */
function ignore(): void {}
