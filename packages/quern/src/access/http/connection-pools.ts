import type { Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import type { IpAddress } from '#access/guard/addresses.ts';
import { buildPinnedLookup } from '#access/guard/guard.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { Upstream } from '#access/proxy/upstream.ts';
import type { Clock } from '#kernel/clock.ts';
import { openTurns, type Turns } from '#kernel/turns.ts';
import { dispatchTolerantly, type DispatchOptions } from './tolerant-exchange.ts';

const MAX_POOLS = 512;
/** Requests to one origin at once, and one more for a tenant without any while another has all of them. */
const SLOTS_PER_POOL = 32;
const SPARE_SLOTS = 1;
/** Addresses that are tried within the connect limit; Node's own 250 ms for each loses targets far away. */
const MAX_ADDRESS_ATTEMPTS = 4;
/** On one HTTP/2 connection; beyond it another is opened, which measured 1.5 times the pages of a single one. */
const MAX_STREAMS_PER_SOCKET = 8;

/** The target of connections: an origin by its checked addresses, through a proxy or directly (null). */
export type Route = {
  readonly origin: string;
  readonly addresses: readonly IpAddress[];
  readonly upstream: Upstream | null;
};

/** The connections to one origin. */
export type OriginConnections = {
  readonly pool: Pool;
  /** Places for requests: one that answers slowly must not hold up those of other tenants. */
  readonly queue: Turns;
  /** Sends a request as the pool does, and reads an answer that the pool refuses. */
  readonly dispatchTolerantly: (asked: DispatchOptions, handler: Dispatcher.DispatchHandler) => void;
  /** The address that all of them have gone to so far; null when that is not one, or only a proxy knows it. */
  readonly getPeer: () => string | null;
};

/** Connections by origin, checked addresses and the exit of a proxy. */
export type ConnectionPools = {
  readonly poolFor: (route: Route) => OriginConnections;
  readonly close: () => Promise<void>;
};

export type ConnectionPoolsOptions = {
  readonly limits: VisitLimits;
  /** Certificate authorities (PEM) trusted in addition to the system's. */
  readonly authorities: readonly string[];
  readonly clock: Clock;
};

/**
 * Opens the connection pools. A pool belongs to the addresses that were checked when it was asked for: a name that
 * later resolves elsewhere gets other sockets. Environment proxies play no part.
 */
export function createConnectionPools({ limits, authorities, clock }: ConnectionPoolsOptions): ConnectionPools {
  const ca = authorities.length === 0 ? undefined : [...getCACertificates('default'), ...authorities];
  const pools = new Map<string, OriginConnections>();

  const tls = { allowH2: true, preferH2: true, timeout: limits.connectMs, ...(ca === undefined ? {} : { ca }) };
  return {
    poolFor(route) {
      const key = buildPoolKey(route);
      const known = pools.get(key);
      if (known !== undefined) {
        pools.delete(key);
        pools.set(key, known);
        return known;
      }
      const opened = createConnections({ limits, clock, tls }, route);
      pools.set(key, opened);
      const [oldest] = pools;
      if (pools.size > MAX_POOLS && oldest !== undefined) {
        pools.delete(oldest[0]);
        oldest[1].pool.close(ignoreClosed);
      }
      return opened;
    },
    async close() {
      await Promise.all([...pools.values()].map(({ pool }) => pool.destroy()));
      pools.clear();
    },
  };
}

type ConnectionsOptions = Pick<ConnectionPoolsOptions, 'limits' | 'clock'> & {
  readonly tls: {
    readonly allowH2: boolean;
    readonly preferH2: boolean;
    readonly timeout: number;
    readonly ca?: string[];
  };
};

function createConnections(
  { limits, clock, tls }: ConnectionsOptions,
  { origin, addresses, upstream }: Route,
): OriginConnections {
  const peers = new Set<string>();
  const connectorWith = (secured: typeof tls): buildConnector.connector => {
    const connector =
      upstream === null
        ? buildConnector({
            ...secured,
            lookup: buildPinnedLookup(addresses),
            autoSelectFamily: true,
            autoSelectFamilyAttemptTimeout: Math.ceil(limits.connectMs / MAX_ADDRESS_ATTEMPTS),
          })
        : buildProxyConnector(upstream, {
            origin,
            addresses,
            connectMs: limits.connectMs,
            clock,
            secure: buildConnector(secured),
          });
    return (options, callback) =>
      connector(options, (...outcome) => {
        const address = upstream === null ? outcome[1]?.remoteAddress : undefined;
        if (address !== undefined) peers.add(address);
        callback(...outcome);
      });
  };
  const pool = new Pool(origin, {
    connections: SLOTS_PER_POOL + SPARE_SLOTS,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    h2Options: { maxConcurrentStreams: MAX_STREAMS_PER_SOCKET },
    connect: connectorWith(tls),
  });
  const url = new URL(origin);
  const dial = async (): Promise<Socket> =>
    connectOnce(connectorWith({ ...tls, allowH2: false, preferH2: false }), url);
  return {
    pool,
    queue: openTurns({ places: SLOTS_PER_POOL, spare: SPARE_SLOTS, clock }),
    dispatchTolerantly: (asked, handler) =>
      dispatchTolerantly({ host: url.host, dial, maxHeadBytes: limits.headerBytes }, asked, handler),
    getPeer: () => (peers.size === 1 ? ([...peers][0] ?? null) : null),
  };
}

/** Connects once. */
async function connectOnce(
  connector: buildConnector.connector,
  { hostname, host, protocol, port }: URL,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const options = { hostname: hostname.replace(/^\[(.*)\]$/, '$1'), host, protocol, port };
  connector(options, (error, socket) => {
    if (socket === null) reject(error ?? new Error('no connection'));
    else resolve(socket);
  });
  return promise;
}

type ProxyConnectOptions = {
  readonly origin: string;
  readonly addresses: readonly IpAddress[];
  readonly connectMs: number;
  readonly clock: Clock;
  /** Speaks TLS over a connection that is there. */
  readonly secure: buildConnector.connector;
};

/** Connects through a proxy, and over that by TLS to the target itself. */
function buildProxyConnector(
  upstream: Upstream,
  { origin, addresses, connectMs, clock, secure }: ProxyConnectOptions,
): buildConnector.connector {
  const url = new URL(origin);
  async function dial(options: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
    const dialled = await upstream.open(url, addresses, clock.deadline(connectMs)).catch(toError);
    if (dialled instanceof Error) return callback(dialled, null);
    if (options.protocol !== 'https:') return callback(null, dialled);
    return secure({ ...options, httpSocket: dialled }, callback);
  }
  return (options, callback) => void dial(options, callback);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function buildPoolKey({ origin, addresses, upstream }: Route): string {
  const dialled = addresses
    .map((one) => one.address)
    .toSorted()
    .join(' ');
  return upstream === null ? `${origin} ${dialled}` : `${origin} ${dialled} through ${upstream.key}`;
}

/** A retired pool ends once its last answer is received. */
function ignoreClosed(): void {}
