import type { Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import type { IpAddress } from '#access/guard/addresses.ts';
import { buildPinnedLookup } from '#access/guard/guard.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { Upstream } from '#access/proxy/tunnel.ts';
import type { Clock } from '#kernel/clock.ts';
import { createFairQueue, type FairQueue } from '#kernel/fair-queue.ts';
import { loadUndici } from '#kernel/undici.ts';
import { dispatchTolerantly, type DispatchOptions } from '#access/tolerant-exchange.ts';

const MAX_POOLS = 512;
/** Concurrent requests to one origin; one more is allowed for a tenant without any while another one uses all. */
const SLOTS_PER_POOL = 32;
const SPARE_SLOTS = 1;
/** Addresses to try within the connect time limit; Node's default of 250 ms for each is too short for distant targets. */
const MAX_ADDRESS_ATTEMPTS = 4;
/** Streams of one HTTP/2 connection before another is opened; measured 1.5 times as fast as a single connection. */
const MAX_STREAMS_PER_SOCKET = 8;

/** The target of connections: an origin and its checked addresses, through a proxy or direct (null). */
export type Route = {
  readonly origin: string;
  readonly addresses: readonly IpAddress[];
  readonly upstream: Upstream | null;
  /** Whether certificates of the origin are accepted unchecked. */
  readonly insecureTls: boolean;
};

/** The connections to one origin. */
export type OriginConnections = {
  readonly pool: Pool;
  /** Queue for requests, so that slow requests of one tenant do not delay those of others. */
  readonly queue: FairQueue;
  /** Sends a request as the pool does, but also reads responses that the pool rejects. */
  readonly dispatchTolerantly: (options: DispatchOptions, handler: Dispatcher.DispatchHandler) => void;
  /** The address that all connections have used so far; null if there are several, or only the proxy knows it. */
  readonly getPeer: () => string | null;
};

/** Connection pools by origin, checked addresses, proxy exit, and whether certificates are verified. */
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
 * Creates the connection pools. A pool is bound to the addresses that were checked when it was requested: if a name resolves to
 * other addresses later, it gets new sockets. Proxies of the environment are ignored.
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
    readonly rejectUnauthorized?: boolean;
  };
};

function createConnections(
  { limits, clock, tls: verified }: ConnectionsOptions,
  { origin, addresses, upstream, insecureTls }: Route,
): OriginConnections {
  const undici = loadUndici();
  const tls = insecureTls ? { ...verified, rejectUnauthorized: false } : verified;
  const peers = new Set<string>();
  const connectorWith = (secured: typeof tls): buildConnector.connector => {
    const connector =
      upstream === null
        ? undici.buildConnector({
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
            secure: undici.buildConnector(secured),
          });
    return (options, callback) =>
      connector(options, (...outcome) => {
        const address = upstream === null ? outcome[1]?.remoteAddress : undefined;
        if (address !== undefined) peers.add(address);
        callback(...outcome);
      });
  };
  const pool = new undici.Pool(origin, {
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
    queue: createFairQueue({ places: SLOTS_PER_POOL, spare: SPARE_SLOTS, clock }),
    dispatchTolerantly: (options, handler) =>
      dispatchTolerantly({ host: url.host, dial, maxHeadBytes: limits.headerBytes }, options, handler),
    getPeer: () => (peers.size === 1 ? ([...peers][0] ?? null) : null),
  };
}

/** Opens one connection. */
async function connectOnce(
  connector: buildConnector.connector,
  { hostname, host, protocol, port }: URL,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const options = { hostname: hostname.replace(/^\[(.*)\]$/, '$1'), host, protocol, port };
  connector(options, (error, socket) => {
    // After an error undici leaves the socket out.
    if (error === null && socket !== null) resolve(socket);
    else reject(error ?? new Error('no connection'));
  });
  return promise;
}

type ProxyConnectOptions = {
  readonly origin: string;
  readonly addresses: readonly IpAddress[];
  readonly connectMs: number;
  readonly clock: Clock;
  /** Starts TLS on an existing connection. */
  readonly secure: buildConnector.connector;
};

/** Builds a connector that connects through a proxy, with TLS to the target itself. */
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

function buildPoolKey({ origin, addresses, upstream, insecureTls }: Route): string {
  const dialled = addresses
    .map((one) => one.address)
    .toSorted()
    .join(' ');
  const target = `${origin} ${dialled}${insecureTls ? ' unverified' : ''}`;
  return upstream === null ? target : `${target} through ${upstream.key}`;
}

/** Ignores the result: a closed pool ends after its last response. */
function ignoreClosed(): void {}
