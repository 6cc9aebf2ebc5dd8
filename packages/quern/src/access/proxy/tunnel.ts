import { once } from 'node:events';
import { connect as connectTcp, isIP, isIPv4, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { IpAddress } from '#access/guard/addresses.ts';
import { getPort } from '#access/guard/ports.ts';
import { getTargetHost } from '#access/guard/rules.ts';
import { request } from '#kernel/node-http.ts';
import { formatProxy, type Proxy } from '#kernel/proxy-urls.ts';
import { buildProxyFailure, findProxyFault } from './proxy-fault.ts';

export type TunnelOptions = {
  readonly signal: AbortSignal;
  /** Certificate authorities (PEM) trusted in addition to the system's, for proxies that speak TLS. */
  readonly ca: readonly string[] | undefined;
};

/** Maximum size of the head of a proxy's response. */
const MAX_HEAD_BYTES = 16_384;
/** Statuses of a gateway that cannot reach the target (RFC 9110 sections 15.6.3 and 15.6.5). */
const UNREACHED_STATUSES: readonly number[] = [502, 504];

/**
 * Opens a connection through a proxy: HTTP CONNECT (RFC 9110 section 9.3.6), over TLS for `https`, or SOCKS5. Errors have the
 * outcome `proxy_error` and a `ProxyFault` as reason.
 */
export async function openTunnel(proxy: Proxy, to: Destination, { signal, ca }: TunnelOptions): Promise<Socket> {
  if (signal.aborted) throw buildProxyFailure('proxy_timeout');
  const socket = connectToProxy(proxy, ca);
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  socket.on('error', ignoreSocketError);
  try {
    await once(socket, proxy.protocol === 'https' ? 'secureConnect' : 'connect', { signal }).catch((error: unknown) => {
      throw buildProxyFailure('proxy_unreachable', error);
    });
    if (proxy.protocol === 'socks5') await requestSocks5(socket, proxy, to);
    else await requestHttpConnect(socket, proxy, to);
    return socket;
  } catch (error) {
    socket.destroy();
    if (signal.aborted) throw buildProxyFailure('proxy_timeout', error);
    throw findProxyFault(error) === null ? buildProxyFailure('proxy_closed', error) : error;
  } finally {
    signal.removeEventListener('abort', stop);
    socket.off('error', ignoreSocketError);
  }
}

function connectToProxy({ protocol, host, port }: Proxy, ca: readonly string[] | undefined): Socket {
  if (protocol !== 'https') return connectTcp({ host, port, noDelay: true, allowHalfOpen: true });
  const servername = isIP(host) === 0 ? host : '';
  const trusted = ca === undefined ? {} : { ca: [...ca] };
  return connectTls({ host, port, servername, ALPNProtocols: ['http/1.1'], ...trusted });
}

/** Host and port, with IPv6 addresses in brackets. */
function formatAuthority({ host, port }: Destination): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

async function requestHttpConnect(socket: Socket, { username, password }: Proxy, to: Destination): Promise<void> {
  const authority = formatAuthority(to);
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const outgoing = request({
    createConnection: () => socket,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` }) },
    maxHeaderSize: MAX_HEAD_BYTES,
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  outgoing.once('connect', ({ statusCode: status = 0 }, _, first) => {
    if (first.byteLength > 0) socket.unshift(first);
    if (status >= 200 && status < 300) resolve();
    else reject(buildProxyFailure(toProxyFault(status)));
  });
  outgoing.once('error', (error) => reject(isParseError(error) ? buildProxyFailure('proxy_malformed', error) : error));
  outgoing.once('close', () => reject(buildProxyFailure('proxy_closed')));
  outgoing.end();
  await promise;
}

function toProxyFault(status: number): Parameters<typeof buildProxyFailure>[0] {
  if (status === 407) return 'proxy_auth';
  if (UNREACHED_STATUSES.includes(status)) return 'exit_unreached';
  return status >= 400 && status < 500 ? 'proxy_refused' : 'proxy_failed';
}

function isParseError(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('HPE_');
}

/** Ignores socket errors between two steps: the current step reports them. */
function ignoreSocketError(): void {}

const SOCKS_VERSION = 5;
const NO_AUTHENTICATION = 0;
const USER_AND_PASSWORD = 2;
/** Replies about the destination: network or host unreachable, connection refused, TTL expired. */
const UNREACHED_REPLIES: ReadonlySet<number> = new Set([3, 4, 5, 6]);
/** "Connection not allowed by ruleset." */
const NOT_ALLOWED = 2;

/** The destination of a connection: a name or an address without brackets, and a port. */
type Destination = { readonly host: string; readonly port: number };

type Credentials = { readonly username: string; readonly password: string };

/**
 * Asks a SOCKS5 proxy at the other end of `socket` for a connection (RFC 1928, with user and password of RFC 1929);
 * afterwards the socket is the connection. Throws a proxy failure or the error of the socket.
 */
async function requestSocks5(socket: Socket, credentials: Credentials, to: Destination): Promise<void> {
  const hasCredentials = credentials.username !== '' || credentials.password !== '';
  const offered = hasCredentials ? [NO_AUTHENTICATION, USER_AND_PASSWORD] : [NO_AUTHENTICATION];
  socket.write(Uint8Array.from([SOCKS_VERSION, offered.length, ...offered]));
  const [version, method = -1] = await receiveBytes(socket, () => 2);
  if (version !== SOCKS_VERSION) throw buildProxyFailure('proxy_malformed');
  if (!offered.includes(method)) throw buildProxyFailure('proxy_auth');
  if (method === USER_AND_PASSWORD) await authenticate(socket, credentials);
  socket.write(Buffer.concat([Buffer.from([SOCKS_VERSION, 1, 0]), encodeAddress(to.host), encodePort(to.port)]));
  const reply = await receiveBytes(socket, computeReplyLength);
  const [spoken, code = -1, , kind = -1] = reply;
  if (spoken !== SOCKS_VERSION || (code === 0 && ![1, 3, 4].includes(kind))) throw buildProxyFailure('proxy_malformed');
  if (code === 0) return;
  if (UNREACHED_REPLIES.has(code)) throw buildProxyFailure('exit_unreached');
  throw buildProxyFailure(code === NOT_ALLOWED ? 'proxy_refused' : 'proxy_failed');
}

async function authenticate(socket: Socket, { username, password }: Credentials): Promise<void> {
  const [user, secret] = [Buffer.from(username), Buffer.from(password)];
  // Each has one byte for its length.
  if (user.byteLength > 255 || secret.byteLength > 255) throw buildProxyFailure('proxy_auth');
  const parts = [Buffer.from([1, user.byteLength]), user, Buffer.from([secret.byteLength]), secret];
  socket.write(Buffer.concat(parts));
  const [, status] = await receiveBytes(socket, () => 2);
  if (status !== 0) throw buildProxyFailure('proxy_auth');
}

function encodeAddress(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([1, ...ipaddr.parse(host).toByteArray()]);
  if (isIPv6(host)) return Buffer.from([4, ...ipaddr.parse(host).toByteArray()]);
  const name = Buffer.from(host, 'latin1');
  return Buffer.concat([Buffer.from([3, name.byteLength]), name]);
}

function encodePort(port: number): Buffer {
  return Buffer.from([port >> 8, port & 0xff]);
}

/** The length of a reply by its address type; null if not known yet. Of a failure, only the first two bytes matter. */
function computeReplyLength(bytes: Buffer): number | null {
  const [, code, , kind, length] = bytes;
  if (code !== undefined && code !== 0) return 2;
  if (kind === undefined) return null;
  if (kind === 1) return 10;
  if (kind === 4) return 22;
  if (kind !== 3) return bytes.byteLength;
  return length === undefined ? null : 7 + length;
}

/** Reads exactly `lengthOf` bytes from a socket; further bytes stay in it. */
function receiveBytes(socket: Socket, lengthOf: (bytes: Buffer) => number | null): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let bytes = Buffer.alloc(0);
  function stop(): void {
    socket.off('readable', onReadable);
    socket.off('end', onEnd);
    socket.off('close', onEnd);
    socket.off('error', onError);
  }
  function onError(error: unknown): void {
    stop();
    reject(error);
  }
  function onEnd(): void {
    onError(buildProxyFailure('proxy_closed'));
  }
  function onReadable(): void {
    for (let chunk: unknown = socket.read(); Buffer.isBuffer(chunk); chunk = socket.read()) {
      bytes = Buffer.concat([bytes, chunk]);
    }
    const length = lengthOf(bytes);
    if (length === null || bytes.byteLength < length) return;
    stop();
    // `unshift` emits `readable` again, so the listeners must be removed first.
    if (bytes.byteLength > length) socket.unshift(bytes.subarray(length));
    resolve(bytes.subarray(0, length));
  }
  socket.on('readable', onReadable);
  socket.once('end', onEnd);
  socket.once('close', onEnd);
  socket.once('error', onError);
  return promise;
}

/** One exit of a proxy. */
export type Upstream = {
  /** Identifies the exit; contains no secret. */
  readonly key: string;
  /** The proxy's name for the operator. */
  readonly name: string;
  /**
   * Opens a connection to one of the checked addresses of the URL's host, or to its name if the proxy resolves names
   * (`resolve=proxy`). Errors have the outcome `proxy_error`.
   */
  readonly open: (url: URL, addresses: readonly IpAddress[], signal: AbortSignal) => Promise<Socket>;
};

/** Creates the exit of one proxy; `ca` (PEM) is trusted in addition to the system's authorities, for TLS to the proxy. */
export function createUpstream(
  proxy: Proxy,
  { key, ca }: { readonly key: string; readonly ca?: readonly string[] },
): Upstream {
  return {
    key,
    name: formatProxy(proxy),
    async open(url, addresses, signal) {
      // Most exits have no IPv6.
      const checked = addresses.find(({ family }) => family === 4) ?? addresses[0];
      const host = proxy.resolvesNames || checked === undefined ? getTargetHost(url) : checked.address;
      return openTunnel(proxy, { host, port: getPort(url) }, { signal, ca });
    },
  };
}
