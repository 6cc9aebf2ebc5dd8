import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Proxy } from '#kernel/proxy-urls.ts';
import { request } from '#kernel/node-http.ts';
import { faultOf, faulty } from './proxy-fault.ts';
import { askSocks5, type Destination } from './socks5.ts';

export type TunnelOptions = {
  readonly signal: AbortSignal;
  /** Certificate authorities (PEM) trusted in addition to the system's, for proxies that speak TLS. */
  readonly ca: readonly string[] | undefined;
};

/** The most bytes of the head of a proxy's answer. */
const HEAD_BYTES = 16_384;
/** The statuses of a gateway whose target does not answer (RFC 9110 sections 15.6.3 and 15.6.5). */
const UNREACHED: readonly number[] = [502, 504];

/**
 * Opens a connection through a proxy: CONNECT of HTTP (RFC 9110 section 9.3.6), over TLS for `https`, or SOCKS5. What
 * it throws has the outcome `proxy_error` and one of the reasons of `Fault`.
 */
export async function openTunnel(proxy: Proxy, to: Destination, { signal, ca }: TunnelOptions): Promise<Socket> {
  if (signal.aborted) throw faulty('proxy_timeout');
  const socket = dial(proxy, ca);
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  socket.on('error', ignore);
  try {
    await once(socket, proxy.protocol === 'https' ? 'secureConnect' : 'connect', { signal }).catch((error: unknown) => {
      throw faulty('proxy_unreachable', error);
    });
    if (proxy.protocol === 'socks5') await askSocks5(socket, proxy, to);
    else await askHttp(socket, proxy, to);
    return socket;
  } catch (error) {
    socket.destroy();
    if (signal.aborted) throw faulty('proxy_timeout', error);
    throw faultOf(error) === null ? faulty('proxy_closed', error) : error;
  } finally {
    signal.removeEventListener('abort', stop);
    socket.off('error', ignore);
  }
}

function dial({ protocol, host, port }: Proxy, ca: readonly string[] | undefined): Socket {
  if (protocol !== 'https') return connectTcp({ host, port, noDelay: true, allowHalfOpen: true });
  const servername = isIP(host) === 0 ? host : '';
  const trusted = ca === undefined ? {} : { ca: [...ca] };
  return connectTls({ host, port, servername, ALPNProtocols: ['http/1.1'], ...trusted });
}

/** Names, and addresses of version 6 in brackets, as an authority is written. */
function toAuthority({ host, port }: Destination): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

async function askHttp(socket: Socket, { username, password }: Proxy, to: Destination): Promise<void> {
  const authority = toAuthority(to);
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const asked = request({
    createConnection: () => socket,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` }) },
    maxHeaderSize: HEAD_BYTES,
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  asked.once('connect', ({ statusCode: status = 0 }, _, first) => {
    if (first.byteLength > 0) socket.unshift(first);
    if (status >= 200 && status < 300) resolve();
    else reject(faulty(faultOfStatus(status)));
  });
  asked.once('error', (error) => reject(isParseError(error) ? faulty('proxy_malformed', error) : error));
  asked.once('close', () => reject(faulty('proxy_closed')));
  asked.end();
  await promise;
}

function faultOfStatus(status: number): Parameters<typeof faulty>[0] {
  if (status === 407) return 'proxy_auth';
  if (UNREACHED.includes(status)) return 'exit_unreached';
  return status >= 400 && status < 500 ? 'proxy_refused' : 'proxy_failed';
}

function isParseError(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('HPE_');
}

/** Errors reject the wait of the moment; one between two waits must not be unhandled. */
function ignore(): void {}
