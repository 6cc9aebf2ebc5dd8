import { isIPv4, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { faulty } from './proxy-fault.ts';

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const USER_AND_PASSWORD = 2;
/** Replies that speak of the destination: network or host unreachable, refused, expired on the way. */
const UNREACHED: ReadonlySet<number> = new Set([3, 4, 5, 6]);
/** "Connection not allowed by ruleset." */
const NOT_ALLOWED = 2;

/** Where a connection is to lead: a name or an address without brackets, and a port. */
export type Destination = { readonly host: string; readonly port: number };

type Credentials = { readonly username: string; readonly password: string };

/**
 * Asks a SOCKS5 proxy at the other end of `socket` for a connection (RFC 1928, with user and password of RFC 1929);
 * afterwards the socket is the connection. Throws what `faulty` makes, or what the socket fails with.
 */
export async function askSocks5(socket: Socket, credentials: Credentials, to: Destination): Promise<void> {
  const hasCredentials = credentials.username !== '' || credentials.password !== '';
  const offered = hasCredentials ? [NO_AUTHENTICATION, USER_AND_PASSWORD] : [NO_AUTHENTICATION];
  socket.write(Uint8Array.from([VERSION, offered.length, ...offered]));
  const [version, method = -1] = await receive(socket, () => 2);
  if (version !== VERSION) throw faulty('proxy_malformed');
  if (!offered.includes(method)) throw faulty('proxy_auth');
  if (method === USER_AND_PASSWORD) await authenticate(socket, credentials);
  socket.write(Buffer.concat([Buffer.from([VERSION, 1, 0]), toAddress(to.host), toPort(to.port)]));
  const reply = await receive(socket, lengthOfReply);
  const [spoken, code = -1, , kind = -1] = reply;
  if (spoken !== VERSION || (code === 0 && ![1, 3, 4].includes(kind))) throw faulty('proxy_malformed');
  if (code === 0) return;
  if (UNREACHED.has(code)) throw faulty('exit_unreached');
  throw faulty(code === NOT_ALLOWED ? 'proxy_refused' : 'proxy_failed');
}

async function authenticate(socket: Socket, { username, password }: Credentials): Promise<void> {
  const [user, secret] = [Buffer.from(username), Buffer.from(password)];
  // Each has one byte for its length.
  if (user.byteLength > 255 || secret.byteLength > 255) throw faulty('proxy_auth');
  const parts = [Buffer.from([1, user.byteLength]), user, Buffer.from([secret.byteLength]), secret];
  socket.write(Buffer.concat(parts));
  const [, status] = await receive(socket, () => 2);
  if (status !== 0) throw faulty('proxy_auth');
}

function toAddress(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([1, ...ipaddr.parse(host).toByteArray()]);
  if (isIPv6(host)) return Buffer.from([4, ...ipaddr.parse(host).toByteArray()]);
  const name = Buffer.from(host, 'latin1');
  return Buffer.concat([Buffer.from([3, name.byteLength]), name]);
}

function toPort(port: number): Buffer {
  return Buffer.from([port >> 8, port & 0xff]);
}

/** The bytes of a reply, as the kind of its address tells; null before that is known. After a failure nothing counts. */
function lengthOfReply(bytes: Buffer): number | null {
  const [, code, , kind, length] = bytes;
  if (code !== undefined && code !== 0) return 2;
  if (kind === undefined) return null;
  if (kind === 1) return 10;
  if (kind === 4) return 22;
  if (kind !== 3) return bytes.byteLength;
  return length === undefined ? null : 7 + length;
}

/** Takes exactly as many bytes off a socket as `lengthOf` says; the bytes after them stay in it. */
function receive(socket: Socket, lengthOf: (bytes: Buffer) => number | null): Promise<Buffer> {
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
    onError(faulty('proxy_closed'));
  }
  function onReadable(): void {
    for (let chunk: unknown = socket.read(); Buffer.isBuffer(chunk); chunk = socket.read()) {
      bytes = Buffer.concat([bytes, chunk]);
    }
    const length = lengthOf(bytes);
    if (length === null || bytes.byteLength < length) return;
    stop();
    // Giving back makes the socket readable once more, after the listeners here are gone.
    if (bytes.byteLength > length) socket.unshift(bytes.subarray(length));
    resolve(bytes.subarray(0, length));
  }
  socket.on('readable', onReadable);
  socket.once('end', onEnd);
  socket.once('close', onEnd);
  socket.once('error', onError);
  return promise;
}
