import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { startTcpServer } from '#testkit/servers.ts';
import { identity } from './tls.ts';

type Setup = {
  /** The required `user:password`; several are separated by spaces. */
  readonly auth?: string;
  /** The address that targets see; 127.0.0.2 by default. */
  readonly exit?: string;
  /** Called instead of the usual response after an authorized request for a connection. */
  readonly instead?: (client: Duplex, authority: string) => void;
};

/** A request to a proxy: its target and user. */
type ProxiedRequest = { readonly authority: string; readonly by: string };

/** An HTTP proxy that supports CONNECT. */
export async function openHttpProxy(setup: Setup = {}) {
  return openProxy(createServer(), 'http', setup);
}

/** The same proxy with TLS and the certificate `good`. */
export async function openHttpsProxy(setup: Setup = {}) {
  return openProxy(createTlsServer(identity('good')), 'https', setup);
}

async function openProxy(
  server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>,
  protocol: string,
  { auth, exit = '127.0.0.2', instead }: Setup,
) {
  const asked: ProxiedRequest[] = [];
  server.on('connect', (request: IncomingMessage, client: Duplex, first: Buffer) => {
    client.on('error', () => client.destroy());
    const header = request.headers['proxy-authorization'] ?? '';
    const by = Buffer.from(header.replace('Basic ', ''), 'base64').toString();
    asked.push({ authority: request.url ?? '', by });
    if (auth !== undefined && !auth.split(' ').includes(by)) {
      return client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
    }
    if (instead !== undefined) return instead(client, request.url ?? '');
    return join(client, { to: request.url ?? '', exit, first, says: HTTP });
  });
  return describe(await startTcpServer(server), { protocol, auth, asked });
}

/** A SOCKS5 proxy (RFC 1928, RFC 1929). */
export async function openSocksProxy({ auth, exit = '127.0.0.2', instead }: Setup = {}) {
  const asked: ProxiedRequest[] = [];
  const server = createTcpServer((client) => {
    client.on('error', () => client.destroy());
    void serveSocks(client, auth, asked)
      .then((authority) =>
        instead === undefined
          ? join(client, { to: authority, exit, first: Buffer.alloc(0), says: SOCKS })
          : instead(client, authority),
      )
      .catch(() => client.end());
  });
  return describe(await startTcpServer(server), { protocol: 'socks5', auth, asked });
}

const HTTP = { ok: 'HTTP/1.1 200 OK\r\n\r\n', failed: 'HTTP/1.1 502 Bad Gateway\r\n\r\n' };
const NO_ADDRESS = [0, 1, 0, 0, 0, 0, 0, 0];
const SOCKS = { ok: Uint8Array.from([5, 0, ...NO_ADDRESS]), failed: Uint8Array.from([5, 5, ...NO_ADDRESS]) };

/** Responses of a SOCKS5 proxy, for misbehaving proxies. */
export function socksReply(code: number): Uint8Array {
  return Uint8Array.from([5, code, ...NO_ADDRESS]);
}

type Joining = {
  readonly to: string;
  readonly exit: string;
  readonly first: Buffer;
  readonly says: typeof HTTP | typeof SOCKS;
};

function join(client: Duplex, { to, exit, first, says }: Joining): void {
  const { hostname, port } = new URL(`http://${to}`);
  const target = connect({ host: hostname, port: Number(port === '' ? 80 : port), localAddress: exit });
  let joined = false;
  target.once('connect', () => {
    joined = true;
    client.write(says.ok);
    target.write(first);
    pipeline(client, target, () => undefined);
    pipeline(target, client, () => undefined);
  });
  target.once('error', () => (joined ? client.destroy() : client.end(says.failed)));
}

async function serveSocks(client: Socket, auth: string | undefined, asked: ProxiedRequest[]): Promise<string> {
  const methods = await take(client, (await take(client, 2))[1] ?? 0);
  const method = auth === undefined ? 0 : 2;
  client.write(Uint8Array.from([5, methods.includes(method) ? method : 0xff]));
  if (!methods.includes(method)) throw new Error('no method in common');
  let by = '';
  if (auth !== undefined) {
    const username = await take(client, (await take(client, 2))[1] ?? 0);
    const password = await take(client, (await take(client, 1))[0] ?? 0);
    by = `${username.toString()}:${password.toString()}`;
    client.write(Uint8Array.from([1, auth.split(' ').includes(by) ? 0 : 1]));
    if (!auth.split(' ').includes(by)) throw new Error('wrong password');
  }
  const [, , , kind = 0] = await take(client, 4);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await take(client, 1))[0] ?? 0);
  const host = await take(client, length);
  const name = kind === 1 ? [...host].join('.') : host.toString('latin1');
  const authority = `${name}:${(await take(client, 2)).readUInt16BE()}`;
  asked.push({ authority, by });
  return authority;
}

async function take(client: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes: unknown = length === 0 ? Buffer.alloc(0) : client.read(length);
    if (Buffer.isBuffer(bytes)) return bytes;
    if (client.readableEnded || client.destroyed) throw new Error('closed');
    await once(client, 'readable');
  }
}

type Listening = Awaited<ReturnType<typeof startTcpServer>>;
type Described = {
  readonly protocol: string;
  readonly auth: string | undefined;
  readonly asked: readonly ProxiedRequest[];
};

function describe(server: Listening, { protocol, auth, asked }: Described) {
  const [credentials = ''] = (auth ?? '').split(' ');
  return {
    port: server.port,
    /** The URL as an operator would write it. */
    url: `${protocol}://${credentials === '' ? '' : `${credentials}@`}127.0.0.1:${server.port}`,
    /** All requested connections, in order. */
    asked,
    connections: server.connections,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A server that accepts connections and does nothing else, for a proxy that hangs. */
export async function openSilence() {
  const server: Server = createTcpServer((socket) => void socket.resume());
  return startTcpServer(server);
}
