import { once } from 'node:events';
import type { Agent as HttpAgent } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getErrorCode, toConnectionFailure, buildFailure, buildUnreachable } from '#access/failure.ts';
import type { IpAddress } from '#access/guard/addresses.ts';
import { type Guard, buildPinnedLookup } from '#access/guard/guard.ts';
import { getPort } from '#access/guard/ports.ts';
import { getTargetHost } from '#access/guard/rules.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { Agent } from '#kernel/node-http.ts';
import { formatAuthority, type EgressGrant, type EgressLimits } from './credentials.ts';

/** Addresses to try within the connect time limit. */
const MAX_ADDRESS_ATTEMPTS = 4;

/** A URL that the guard allowed, and its allowed addresses. */
type CheckedTarget = { readonly url: URL; readonly addresses: readonly IpAddress[] };

export type TargetConnectorOptions = {
  readonly guard: Pick<Guard, 'parseRedirect' | 'resolve'>;
  readonly limits: EgressLimits;
  readonly clock: Clock;
};

/** Connects to targets that the guard and the credentials allow, and records the results for the credentials. */
export class TargetConnector {
  readonly #guard: TargetConnectorOptions['guard'];
  readonly #limits: EgressLimits;
  readonly #clock: Clock;

  constructor({ guard, limits, clock }: TargetConnectorOptions) {
    this.#guard = guard;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Opens a new connection to the host of a URL. */
  async open(url: URL, grant: EgressGrant): Promise<Socket> {
    return this.#noting(url, grant, async (signal) =>
      this.#reach(await this.#check(url, grant, signal), grant, signal),
    );
  }

  /** Checks the host of a URL, and adds a new connection to `connection` unless it has a free one. */
  async prepare(connection: KeepAliveConnection, url: URL, grant: EgressGrant): Promise<void> {
    await this.#noting(url, grant, async (signal) => {
      const target = await this.#check(url, grant, signal);
      // The remote address behind a proxy is unknown, so such connections are not reused.
      const isOpen = connection.leadsTo(grant.lease === null ? target.addresses : []);
      if (!isOpen) connection.add(await this.#reach(target, grant, signal));
    });
  }

  /** Runs work within the connect time limit and records its result. */
  async #noting<T>(url: URL, { signal, note }: EgressGrant, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
    try {
      const done = await work(this.#clock.deadline(this.#limits.connectMs, signal));
      note(formatAuthority(url), null);
      return done;
    } catch (error) {
      const failure =
        error instanceof ServiceError ? error : toConnectionFailure(getErrorCode(error), { cause: error });
      note(formatAuthority(url), failure);
      throw failure;
    }
  }

  async #check(url: URL, { allows }: EgressGrant, signal: AbortSignal): Promise<CheckedTarget> {
    const checked = this.#guard.parseRedirect(url.href, url);
    if (!allows(checked.hostname)) throw buildUnreachable();
    return { url: checked, addresses: await this.#guard.resolve(checked, signal) };
  }

  async #reach({ url, addresses }: CheckedTarget, { lease }: EgressGrant, signal: AbortSignal): Promise<Socket> {
    if (lease === null) return connectSocket(url, { addresses, limits: this.#limits, signal });
    return lease.upstream.open(url, addresses, signal);
  }
}

type DialOptions = {
  readonly addresses: Parameters<typeof buildPinnedLookup>[0];
  readonly limits: EgressLimits;
  readonly signal: AbortSignal;
};

async function connectSocket(url: URL, { addresses, limits, signal }: DialOptions): Promise<Socket> {
  const socket = connect({
    host: getTargetHost(url),
    port: getPort(url),
    lookup: buildPinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(limits.connectMs / MAX_ADDRESS_ATTEMPTS),
    noDelay: true,
    allowHalfOpen: true,
  });
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', ignoreLateError);
    socket.destroy();
    throw signal.aborted ? buildFailure('timeout', 'the target did not answer in time', { reason: 'connect' }) : error;
  }
}

/** Ignores errors of an abandoned connection. */
function ignoreLateError(): void {}

/** The target of the requests of one browser connection, and their credentials. */
type EgressRoute = { readonly authority: string; readonly grant: EgressGrant };

/** A connection to a target that stays open between two requests. */
export type KeepAliveConnection = {
  /** Uses a free connection, else the one that was added. */
  readonly agent: HttpAgent;
  /** Whether there is a free connection to one of these addresses; closes free ones to other addresses. */
  readonly leadsTo: (addresses: readonly IpAddress[]) => boolean;
  /** Adds a checked connection for the next request. */
  readonly add: (socket: Socket) => void;
  /** Ends all connections. */
  readonly close: () => void;
};

/**
 * Creates the table of keep-alive connections, keyed by browser connection. A browser uses one proxy connection for one host: as
 * long as it stays open, the connection to the target stays open for the same credentials. A request for another target
 * closes the previous one.
 */
export function createKeepAliveTable(): (client: Duplex, route: EgressRoute) => KeepAliveConnection {
  const known = new WeakMap<Duplex, { readonly route: EgressRoute; readonly kept: KeepAliveConnection }>();
  return (client, route) => {
    const before = known.get(client);
    if (before?.route.authority === route.authority && before.route.grant === route.grant) return before.kept;
    if (before === undefined) client.once('close', () => known.get(client)?.kept.close());
    else before.kept.close();
    const connection = createKeepAliveConnection();
    known.set(client, { route, kept: connection });
    return connection;
  };
}

function createKeepAliveConnection(): KeepAliveConnection {
  const added: Socket[] = [];
  const agent = Object.assign(new Agent({ keepAlive: true, maxFreeSockets: 1 }), {
    createConnection: () => added.shift(),
  });
  return {
    agent,
    leadsTo(addresses) {
      const free = Object.values(agent.freeSockets).flatMap((some) => some ?? []);
      for (const socket of free) {
        if (!addresses.some(({ address }) => address === socket.remoteAddress)) socket.destroy();
      }
      return free.some(({ destroyed }) => !destroyed);
    },
    add: (socket) => void added.push(socket),
    close() {
      for (const socket of added) socket.destroy();
      agent.destroy();
    },
  };
}
