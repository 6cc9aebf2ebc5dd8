import { InvariantError } from '#extract/invariant-error.ts';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { findAttemptFailure } from '#access/failure.ts';
import type { Guard } from '#access/guard/guard.ts';
import type { Endpoint } from '#access/guard/rules.ts';
import type { ExitLease } from '#access/proxy/proxy-pool.ts';
import { splice, forwardRequest } from './forward.ts';
import type { Clock } from '#kernel/clock.ts';
import { STATUS_CODES, createServer } from '#kernel/node-http.ts';
import { createKeepAliveTable, TargetConnector } from './target-connector.ts';
import {
  formatAuthority,
  createCredentialsRegistry,
  EGRESS_HEADER,
  type EgressCredentials,
  type EgressGrant,
  type EgressLimits,
} from './credentials.ts';

export type EgressOptions = {
  readonly guard: Pick<Guard, 'parseRedirect' | 'resolve'>;
  readonly limits: EgressLimits;
  readonly clock: Clock;
  /** The proxy exit of the first credentials, null for direct connections. */
  readonly lease?: ExitLease | null;
};

export type EgressProxy = {
  /** For `--proxy-server`, without credentials: a browser gets them through `Fetch.authRequired`. */
  readonly url: string;
  /** Where it listens; targets must not be here. */
  readonly endpoint: Endpoint;
  /** The first credentials. */
  readonly credentials: EgressCredentials;
  /** Issues further credentials, for example for one browser context, with their own proxy exit. */
  readonly issueCredentials: (lease: ExitLease | null, allows?: EgressGrant['allows']) => EgressCredentials;
  readonly close: () => Promise<void>;
};

const HOST = '127.0.0.1';
/** Connections of all clients, including those without credentials. */
const MAX_CONNECTIONS = 2_048;
const KEEP_ALIVE_MS = 30_000;
const AUTHORITY = /^(?:\[[0-9a-f:.]{2,45}\]|[^\s:@/?#\\[\]]{1,253}):\d{1,5}$/i;

/**
 * Starts an HTTP proxy on a loopback port for our own browsers (absolute-form requests and CONNECT). Each request is resolved by
 * the guard and connects to a checked address, over an existing or a new connection. Requests without credentials get 407.
 * Private targets, closed ports and unknown names get the same 403.
 */
export async function startEgressProxy({ guard, limits, clock, lease = null }: EgressOptions): Promise<EgressProxy> {
  const credentials = createCredentialsRegistry(limits);
  const server = createServer({
    headersTimeout: limits.headMs,
    connectionsCheckingInterval: limits.headMs / 4,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: 0,
  });
  server.maxConnections = MAX_CONNECTIONS;
  const handler = new ProxyHandler({
    credentials,
    connector: new TargetConnector({ guard, limits, clock }),
    limits,
    clock,
  });
  server.on('request', (request, response) => void handler.onRequest(request, response));
  server.on('connect', (request, client, first) => void handler.onConnect(request, client, first));
  server.on('clientError', (_, client) => client.destroy());
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new InvariantError('the egress proxy has no port');
  return {
    url: `http://${HOST}:${address.port}`,
    endpoint: { host: HOST, port: address.port },
    credentials: credentials.admit(lease),
    issueCredentials: credentials.admit,
    async close() {
      const closed = once(server, 'close');
      server.close();
      credentials.revokeAll();
      server.closeAllConnections();
      await closed;
    },
  };
}

type HandlerOptions = {
  readonly credentials: ReturnType<typeof createCredentialsRegistry>;
  readonly connector: TargetConnector;
  readonly limits: EgressLimits;
  readonly clock: Clock;
};

/** Serves the requests of the proxy. */
class ProxyHandler {
  readonly #parts: HandlerOptions;
  readonly #keptFor = createKeepAliveTable();

  constructor(parts: HandlerOptions) {
    this.#parts = parts;
  }

  async onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { credentials, connector, limits, clock } = this.#parts;
    const grant = credentials.find(request.headers['proxy-authorization']);
    if (grant === null) return refuseRequest(response, 407, AUTHENTICATE_HEADER);
    const url = URL.parse(request.url ?? '');
    if (url === null || url.protocol !== 'http:') return refuseRequest(response, 400, {});
    if (!grant.enter(request.socket)) return refuseRequest(response, 503, { [EGRESS_HEADER]: 'full' });
    try {
      const connection = this.#keptFor(request.socket, { authority: formatAuthority(url), grant });
      await connector.prepare(connection, url, grant);
      const dial = async (): Promise<Socket> => connector.open(url, grant);
      return forwardRequest(request, response, { url, kept: connection, dial, limits, clock, count: grant.count });
    } catch (error) {
      const { status, mark } = toErrorResponse(error);
      return refuseRequest(response, status, { [EGRESS_HEADER]: mark });
    }
  }

  async onConnect(request: IncomingMessage, client: Duplex, first: Buffer): Promise<void> {
    const { credentials, connector, limits, clock } = this.#parts;
    client.on('error', () => client.destroy());
    const grant = credentials.find(request.headers['proxy-authorization']);
    if (grant === null) return refuseTunnel(client, 407, AUTHENTICATE_HEADER);
    const url = AUTHORITY.test(request.url ?? '') ? URL.parse(`https://${request.url}`) : null;
    if (url === null) return refuseTunnel(client, 400, {});
    if (!grant.enter(client)) return refuseTunnel(client, 503, { [EGRESS_HEADER]: 'full' });
    try {
      const target = await connector.open(url, grant);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (first.byteLength > 0) client.unshift(first);
      return splice(client, target, { idleMs: limits.idleMs, clock, count: grant.count });
    } catch (error) {
      const { status, mark } = toErrorResponse(error);
      return refuseTunnel(client, status, { [EGRESS_HEADER]: mark });
    }
  }
}

/** The header of the 407 to a request without credentials. */
const AUTHENTICATE_HEADER = { 'proxy-authenticate': 'Basic realm="egress", charset="UTF-8"' } as const;

/** The response to a failed request: the same one for all unreachable targets, for any reason. */
function toErrorResponse(error: unknown): { readonly status: number; readonly mark: string } {
  const outcome = findAttemptFailure(error)?.outcome ?? 'unreachable';
  if (outcome === 'proxy_error') return { status: 502, mark: outcome };
  if (outcome === 'timeout') return { status: 504, mark: outcome };
  return { status: 403, mark: 'unreachable' };
}

/** Answers a request of HTTP. */
function refuseRequest(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void {
  // The rest of the request body is not read.
  response.shouldKeepAlive = false;
  response.sendDate = false;
  response.writeHead(status, { ...headers, 'content-length': '0' }).end();
}

/** Answers a CONNECT. */
function refuseTunnel(client: Duplex, status: number, headers: Readonly<Record<string, string>>): void {
  const fields = Object.entries({ ...headers, 'content-length': '0', connection: 'close' });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  client.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`);
  // Do not wait for the client to close its side.
  client.once('finish', () => client.destroy());
}
