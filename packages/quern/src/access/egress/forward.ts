import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { TolerantResponseReader } from '#access/http/tolerant-exchange.ts';
import { getErrorCode } from '#access/error-causes.ts';
import type { Clock } from '#kernel/clock.ts';
import { request as ask } from '#kernel/node-http.ts';
import { EGRESS_HEADER, type EgressLimits } from './credentials.ts';
import type { KeepAliveConnection } from './target-connector.ts';

export type ForwardOptions = {
  readonly url: URL;
  /** The connection to the checked target, for this request. */
  readonly kept: KeepAliveConnection;
  /** Opens another connection to the checked target. */
  readonly dial: () => Promise<Socket>;
  readonly limits: EgressLimits;
  readonly clock: Clock;
  readonly count: (bytes: number) => void;
};

/** Fields that speak of one connection alone (RFC 9110 section 7.6.1), and those of proxies. */
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
 * Forwards one absolute-form request over the kept connection, and the answer back: the same fields in the same
 * order and case but for those of the connection, and no field of a proxy. An exchange that breaks ends the browser's
 * connection too, which asks once more where it may. A request without a body whose answer Node's parser refuses is sent
 * once more, and the answer is read as browsers do.
 */
export function forwardRequest(request: IncomingMessage, response: ServerResponse, forwarding: ForwardOptions): void {
  const { url, kept, limits, clock, count } = forwarding;
  if (response.destroyed) return kept.close();
  const chunked = request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked'];
  const asked = ask({
    agent: kept.agent,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: [
      ...replaceHost(listForwardedFields(request.rawHeaders), url.host),
      'Connection',
      'keep-alive',
      ...chunked,
    ],
    maxHeaderSize: MAX_HEAD_BYTES,
    // The answer is for a browser, which tolerates more than our own client does.
    insecureHTTPParser: true,
  });
  const idle = clock.after(limits.idleMs, end);
  function end(): void {
    idle.close();
    // A finished request has left its connection to the next one; an unfinished one ends it.
    asked.destroy();
    response.destroy();
  }
  function onData(chunk: Uint8Array): void {
    idle.refresh();
    count(chunk.byteLength);
  }
  function again(): void {
    idle.close();
    asked.destroy();
    forwardTolerantly(request, response, forwarding).catch(() => response.destroy());
  }
  const mayAskAgain = !hasBody(request);
  asked.on('error', (error) => {
    const isRefused = mayAskAgain && !response.headersSent && getErrorCode(error).startsWith('HPE_');
    return isRefused && !response.destroyed ? again() : end();
  });
  response.once('close', end);
  asked.once('response', (answer) => {
    if (isAmbiguous(answer)) return mayAskAgain ? again() : end();
    idle.refresh();
    response.sendDate = false;
    try {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, listForwardedFields(answer.rawHeaders));
    } catch {
      // A status that no answer may have, such as 099.
      return end();
    }
    answer.on('data', onData);
    return pipeline(answer, response, ignorePipeEnd);
  });
  // Only CONNECT leads to another protocol.
  asked.once('upgrade', end);
  if (!hasBody(request)) {
    asked.end();
    return;
  }
  request.on('data', onData);
  pipeline(request, asked, (error) => {
    if (error !== null && error !== undefined && !response.headersSent) end();
  });
}

/** Forwards a request without a body over a connection of its own, and the answer as the tolerant reader understands it. */
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

/** A flat list without the length of the body, which is passed on in chunks. */
function removeContentLength(fields: readonly string[]): string[] {
  return fields.filter((_, at) => fields[at - (at % 2)]?.toLowerCase() !== 'content-length');
}

/** Whether a request carries a body (RFC 9112 section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether an answer has two different ends (RFC 9112 section 6.3), by which another answer may be smuggled in. */
function isAmbiguous({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined && headers['content-length'] !== undefined;
}

/** A flat list of names and values without the fields of one connection. */
function listForwardedFields(raw: readonly string[]): string[] {
  const names = raw.map((name, at) => (at % 2 === 0 ? name.toLowerCase() : ''));
  const named = raw
    .filter((_, at) => names[at - 1] === 'connection')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  const isDropped = (name = ''): boolean => HOP_BY_HOP.has(name) || name === EGRESS_HEADER || named.includes(name);
  return raw.filter((_, at) => !isDropped(names[at - (at % 2)]));
}

/** The fields with the host of the URL in place of the request's own: only the URL's was checked. */
function replaceHost(fields: readonly string[], host: string): string[] {
  const at = fields.findIndex((field, index) => index % 2 === 0 && field.toLowerCase() === 'host');
  const others = fields.filter((_, index) => fields[index - (index % 2)]?.toLowerCase() !== 'host');
  return others.toSpliced(Math.max(at, 0), 0, 'Host', host);
}

/** How a pipe ends is seen at the response. */
function ignorePipeEnd(): void {}

type SpliceOptions = {
  /** Ends both after this time without a byte, ms. */
  readonly idleMs: number;
  readonly clock: Clock;
  /** Called with the bytes of each piece, in either direction. */
  readonly count: (bytes: number) => void;
};

/**
 * Joins two connections: the bytes of each go to the other, at the pace of the slower, and an end in one direction leaves
 * the other open. When one breaks, both are gone.
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
