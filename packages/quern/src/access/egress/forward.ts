import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { TolerantResponseReader } from '#access/tolerant-exchange.ts';
import { getErrorCode } from '#access/failure.ts';
import type { Clock } from '#kernel/clock.ts';
import { request as ask } from '#kernel/node-http.ts';
import { EGRESS_HEADER, type EgressLimits } from './credentials.ts';
import type { KeepAliveConnection } from './target-connector.ts';

export type ForwardOptions = {
  readonly url: URL;
  /** The connection to the checked target, for this request. */
  readonly kept: KeepAliveConnection;
  /** Opens a new connection to the checked target. */
  readonly dial: () => Promise<Socket>;
  readonly limits: EgressLimits;
  readonly clock: Clock;
  readonly count: (bytes: number) => void;
};

/** Headers of one connection (RFC 9110 section 7.6.1) and of proxies, which are not forwarded. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const MAX_HEAD_BYTES = 262_144;

/**
 * Forwards one absolute-form request over the keep-alive connection, and the response back, with the same headers in the same
 * order and case except hop-by-hop ones. If the exchange breaks, the browser's connection is closed too, and the browser
 * retries if it may. If Node's parser rejects the response to a request without a body, the request is repeated and the
 * response is read tolerantly, as browsers do.
 */
export function forwardRequest(request: IncomingMessage, response: ServerResponse, forwarding: ForwardOptions): void {
  const { url, kept: connection, limits, clock, count } = forwarding;
  if (response.destroyed) return connection.close();
  const chunked = request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked'];
  const outgoing = ask({
    agent: connection.agent,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: [
      ...replaceHost(listForwardedFields(request.rawHeaders), url.host),
      'Connection',
      'keep-alive',
      ...chunked,
    ],
    maxHeaderSize: MAX_HEAD_BYTES,
    // The response is for a browser, which tolerates more than our own client.
    insecureHTTPParser: true,
  });
  const idle = clock.after(limits.idleMs, end);
  function end(): void {
    idle.close();
    // Destroying a finished request keeps its connection; an unfinished one closes it.
    outgoing.destroy();
    response.destroy();
  }
  function onData(chunk: Uint8Array): void {
    idle.refresh();
    count(chunk.byteLength);
  }
  function again(): void {
    idle.close();
    outgoing.destroy();
    forwardTolerantly(request, response, forwarding).catch(() => response.destroy());
  }
  const mayAskAgain = !hasBody(request);
  outgoing.on('error', (error) => {
    const isRefused = mayAskAgain && !response.headersSent && getErrorCode(error).startsWith('HPE_');
    return isRefused && !response.destroyed ? again() : end();
  });
  response.once('close', end);
  outgoing.once('response', (answer) => {
    if (isAmbiguous(answer)) return mayAskAgain ? again() : end();
    idle.refresh();
    response.sendDate = false;
    try {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, listForwardedFields(answer.rawHeaders));
    } catch {
      // An invalid status, such as 099.
      return end();
    }
    answer.on('data', onData);
    return pipeline(answer, response, ignorePipeEnd);
  });
  // Protocol upgrades are supported through CONNECT only.
  outgoing.once('upgrade', end);
  if (!hasBody(request)) {
    outgoing.end();
    return;
  }
  request.on('data', onData);
  pipeline(request, outgoing, (error) => {
    if (error !== null && error !== undefined && !response.headersSent) end();
  });
}

/** Forwards a request without a body over a new connection and reads the response tolerantly. */
async function forwardTolerantly(
  request: IncomingMessage,
  response: ServerResponse,
  { url, dial, limits, clock, count }: ForwardOptions,
): Promise<void> {
  const socket = await dial();
  const idle = clock.after(limits.idleMs, end);
  function end(): void {
    idle.close();
    socket.destroy();
    response.destroy();
  }
  const reader = new TolerantResponseReader(
    {
      onHead({ status, reason, fields }) {
        if (status < 200) return;
        response.sendDate = false;
        response.writeHead(status, reason, removeContentLength(listForwardedFields(fields)));
      },
      onData(piece) {
        if (response.write(piece)) return;
        socket.pause();
        response.once('drain', () => socket.resume());
      },
    },
    MAX_HEAD_BYTES,
  );
  function finish(): void {
    if (!reader.isComplete) return;
    idle.close();
    socket.destroy();
    response.end();
  }
  response.once('close', end);
  socket.on('error', end);
  socket.on('data', (chunk: Buffer) => {
    idle.refresh();
    count(chunk.byteLength);
    try {
      reader.push(chunk);
      finish();
    } catch {
      end();
    }
  });
  socket.once('end', () => (reader.end() ? finish() : end()));
  const fields = [...replaceHost(listForwardedFields(request.rawHeaders), url.host), 'Connection', 'close'];
  const lines = fields.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${fields[at + 1] ?? ''}\r\n`] : []));
  socket.write(`${request.method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
}

/** Removes Content-Length from a flat header list: the body is forwarded in chunks. */
function removeContentLength(fields: readonly string[]): string[] {
  return fields.filter((_, at) => fields[at - (at % 2)]?.toLowerCase() !== 'content-length');
}

/** Whether a request carries a body (RFC 9112 section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether a response has both length headers (RFC 9112 section 6.3), which allows response smuggling. */
function isAmbiguous({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined && headers['content-length'] !== undefined;
}

/** Removes hop-by-hop headers from a flat list of names and values. */
function listForwardedFields(raw: readonly string[]): string[] {
  const names = raw.map((name, at) => (at % 2 === 0 ? name.toLowerCase() : ''));
  const named = raw
    .filter((_, at) => names[at - 1] === 'connection')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  const isDropped = (name = ''): boolean => HOP_BY_HOP.has(name) || name === EGRESS_HEADER || named.includes(name);
  return raw.filter((_, at) => !isDropped(names[at - (at % 2)]));
}

/** Replaces the Host header by the host of the URL, because only the URL was checked. */
function replaceHost(fields: readonly string[], host: string): string[] {
  const at = fields.findIndex((field, index) => index % 2 === 0 && field.toLowerCase() === 'host');
  const others = fields.filter((_, index) => fields[index - (index % 2)]?.toLowerCase() !== 'host');
  return others.toSpliced(Math.max(at, 0), 0, 'Host', host);
}

/** Ignores the end of the pipe: the response reports it. */
function ignorePipeEnd(): void {}

type SpliceOptions = {
  /** Closes both after this time without traffic, ms. */
  readonly idleMs: number;
  readonly clock: Clock;
  /** Called with the bytes of each piece, in either direction. */
  readonly count: (bytes: number) => void;
};

/**
 * Connects two sockets in both directions with backpressure. The end of one direction leaves the other open; if one socket
 * breaks, both are destroyed.
 */
export function splice(client: Duplex, target: Socket, { idleMs, clock, count }: SpliceOptions): void {
  if (client.destroyed) return void target.destroy();
  const idle = clock.after(idleMs, end);
  let open = 2;
  function end(): void {
    idle.close();
    client.destroy();
    target.destroy();
  }
  function onClose(this: Duplex): void {
    open -= 1;
    // A connection that closed without an end sends nothing more, and the bytes sent to it are lost.
    if (open === 0 || !this.readableEnded || !this.writableFinished) end();
  }
  function onData(chunk: Uint8Array): void {
    idle.refresh();
    count(chunk.byteLength);
  }
  for (const [from, to] of [
    [client, target],
    [target, client],
  ] as const) {
    from.on('data', onData);
    from.on('error', end);
    from.once('close', onClose);
    from.pipe(to);
  }
}
