import { once } from 'node:events';
import { STATUS_CODES, createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { IpAddress } from '#access/guard/addresses.ts';
import { forward } from './forward.ts';
import { openKeptConnections } from './connections.ts';
import { EGRESS_HEADER, authorityOf, buildCredentials } from './credentials.ts';
import type { EgressGrant, EgressLimits, EgressCredentials } from './credentials.ts';
import { errorCodeOf, toUnreached } from '#access/error-causes.ts';
import { attemptFailureOf, failed, unreachable } from '#access/failure.ts';
import type { Guard } from '#access/guard/guard.ts';
import { pinned } from '#access/guard/guard.ts';
import { portOf } from '#access/guard/ports.ts';
import type { ExitLease } from '#access/proxy/proxy-pool.ts';
import { targetHostOf } from '#access/guard/rules.ts';
import type { Endpoint } from '#access/guard/rules.ts';
import { splice } from '#access/proxy/splice.ts';

export type EgressOptions = {
  readonly guard: Pick<Guard, 'readRedirect' | 'resolve'>;
  readonly limits: EgressLimits;
  /** The way to the outside for the first pass, null for a direct one. */
  readonly lease?: ExitLease | null;
};

export type EgressProxy = {
  /** For `--proxy-server`, without credentials: a browser takes them from the answer to `Fetch.authRequired`. */
  readonly url: string;
  /** Where it listens: no target may be here. */
  readonly endpoint: Endpoint;
  /** The first pass. */
  readonly credentials: EgressCredentials;
  /** Another pass, such as for one context of a browser, with a way of its own to the outside. */
  readonly admit: (lease: ExitLease | null, allows?: EgressGrant['allows']) => EgressCredentials;
  readonly close: () => Promise<void>;
};

/** A URL that the guard let pass, and the addresses that it let pass for it. */
type Place = { readonly url: URL; readonly addresses: readonly IpAddress[] };

const HOST = '127.0.0.1';
/** Connections of all passes, those without one included. */
const MOST_CONNECTIONS = 2_048;
const KEEP_ALIVE_MS = 30_000;
/** Addresses that get their turn within the connect limit. */
const ATTEMPTS = 4;
const AUTHORITY = /^(?:\[[0-9a-f:.]{2,45}\]|[^\s:@/?#\\[\]]{1,253}):\d{1,5}$/i;

/**
 * Opens an HTTP proxy on a loopback port for browsers of our own: absolute-form requests and CONNECT. Each of them is
 * resolved through the guard and goes where it was checked, over a connection that leads there already or a new one;
 * whoever has no pass gets 407. A private target, a closed port and a name that does not exist get the same 403.
 */
export async function openEgressProxy({ guard, limits, lease = null }: EgressOptions): Promise<EgressProxy> {
  const passes = buildCredentials(limits);
  const lineOf = openKeptConnections();
  const server = createServer({
    headersTimeout: limits.headMs,
    connectionsCheckingInterval: limits.headMs / 4,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: 0,
  });
  server.maxConnections = MOST_CONNECTIONS;

  /** Does what leads to the place of a URL in the time for it, and notes how that went. */
  async function noting<T>(
    url: URL,
    { signal, note }: EgressGrant,
    work: (ending: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      const done = await work(SYSTEM_CLOCK.deadline(limits.connectMs, signal));
      note(authorityOf(url), null);
      return done;
    } catch (error) {
      const failure = error instanceof ServiceError ? error : toUnreached(errorCodeOf(error), { cause: error });
      note(authorityOf(url), failure);
      throw failure;
    }
  }

  async function check(url: URL, { allows }: EgressGrant, signal: AbortSignal): Promise<Place> {
    const checked = guard.readRedirect(url.href, url);
    if (!allows(checked.hostname)) throw unreachable();
    return { url: checked, addresses: await guard.resolve(checked, signal) };
  }

  /** A connection to where a URL was checked. */
  async function reach({ url, addresses }: Place, { lease: way }: EgressGrant, signal: AbortSignal): Promise<Socket> {
    if (way === null) return dial(url, { addresses, limits, signal });
    return way.upstream.open(url, addresses, signal);
  }

  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admitted = passes.find(request.headers['proxy-authorization']);
    if (admitted === null) return refuse(response, 407, { 'proxy-authenticate': REALM });
    const url = URL.parse(request.url ?? '');
    if (url === null || url.protocol !== 'http:') return refuse(response, 400, {});
    if (!admitted.enter(request.socket)) return refuse(response, 503, { [EGRESS_HEADER]: 'full' });
    try {
      const line = lineOf(request.socket, { authority: authorityOf(url), admitted });
      await noting(url, admitted, async (signal) => {
        const place = await check(url, admitted, signal);
        // Where a connection through a proxy leads cannot be seen, so that none of them stays.
        const stands = line.leadsTo(admitted.lease === null ? place.addresses : []);
        if (!stands) line.add(await reach(place, admitted, signal));
      });
      return forward(request, response, { url, line, limits, count: admitted.count });
    } catch (error) {
      const { status, mark } = toAnswer(error);
      return refuse(response, status, { [EGRESS_HEADER]: mark });
    }
  }

  async function onConnect(request: IncomingMessage, client: Duplex, first: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    const admitted = passes.find(request.headers['proxy-authorization']);
    if (admitted === null) return answer(client, 407, { 'proxy-authenticate': REALM });
    const url = AUTHORITY.test(request.url ?? '') ? URL.parse(`https://${request.url}`) : null;
    if (url === null) return answer(client, 400, {});
    if (!admitted.enter(client)) return answer(client, 503, { [EGRESS_HEADER]: 'full' });
    try {
      const target = await noting(url, admitted, async (signal) =>
        reach(await check(url, admitted, signal), admitted, signal),
      );
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (first.byteLength > 0) client.unshift(first);
      return splice(client, target, { idleMs: limits.idleMs, count: admitted.count });
    } catch (error) {
      const { status, mark } = toAnswer(error);
      return answer(client, status, { [EGRESS_HEADER]: mark });
    }
  }

  server.on('request', (request, response) => void onRequest(request, response));
  server.on('connect', (request, client, first) => void onConnect(request, client, first));
  server.on('clientError', (_, client) => client.destroy());
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the egress proxy has no port');
  return {
    url: `http://${HOST}:${address.port}`,
    endpoint: { host: HOST, port: address.port },
    credentials: passes.admit(lease),
    admit: passes.admit,
    async close() {
      const closed = once(server, 'close');
      server.close();
      passes.revokeAll();
      server.closeAllConnections();
      await closed;
    },
  };
}

const REALM = 'Basic realm="egress", charset="UTF-8"';
type Dialling = {
  readonly addresses: Parameters<typeof pinned>[0];
  readonly limits: EgressLimits;
  readonly signal: AbortSignal;
};

async function dial(url: URL, { addresses, limits, signal }: Dialling): Promise<Socket> {
  const socket = connect({
    host: targetHostOf(url),
    port: portOf(url),
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(limits.connectMs / ATTEMPTS),
    noDelay: true,
    allowHalfOpen: true,
  });
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', ignore);
    socket.destroy();
    throw signal.aborted ? failed('timeout', 'the target did not answer in time', { reason: 'connect' }) : error;
  }
}

/** One answer for all that could not be reached, whatever the reason. */
function toAnswer(error: unknown): { readonly status: number; readonly mark: string } {
  const outcome = attemptFailureOf(error)?.outcome ?? 'unreachable';
  if (outcome === 'proxy_error') return { status: 502, mark: outcome };
  if (outcome === 'timeout') return { status: 504, mark: outcome };
  return { status: 403, mark: 'unreachable' };
}

function refuse(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void {
  // What is left of the request is not read.
  response.shouldKeepAlive = false;
  response.sendDate = false;
  response.writeHead(status, { ...headers, 'content-length': '0' }).end();
}

function answer(client: Duplex, status: number, headers: Readonly<Record<string, string>>): void {
  const fields = Object.entries({ ...headers, 'content-length': '0', connection: 'close' });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  client.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`);
  // A client that does not end on its side is not waited for.
  client.once('finish', () => client.destroy());
}

function ignore(): void {}
