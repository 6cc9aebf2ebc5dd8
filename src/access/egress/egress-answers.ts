import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { attemptFailureOf } from '#access/failure.ts';
import { STATUS_CODES } from '#kernel/node-http.ts';

/** The header of the 407 to a request without credentials. */
export const AUTHENTICATE = { 'proxy-authenticate': 'Basic realm="egress", charset="UTF-8"' } as const;

/** The answer to a request that failed: one for all targets that cannot be reached, whatever the reason. */
export function toFailedAnswer(error: unknown): { readonly status: number; readonly mark: string } {
  const outcome = attemptFailureOf(error)?.outcome ?? 'unreachable';
  if (outcome === 'proxy_error') return { status: 502, mark: outcome };
  if (outcome === 'timeout') return { status: 504, mark: outcome };
  return { status: 403, mark: 'unreachable' };
}

/** Answers a request of HTTP. */
export function refuseRequest(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  // The rest of the request is not read.
  response.shouldKeepAlive = false;
  response.sendDate = false;
  response.writeHead(status, { ...headers, 'content-length': '0' }).end();
}

/** Answers a CONNECT. */
export function refuseTunnel(client: Duplex, status: number, headers: Readonly<Record<string, string>>): void {
  const fields = Object.entries({ ...headers, 'content-length': '0', connection: 'close' });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  client.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`);
  // A client that does not end on its side is not waited for.
  client.once('finish', () => client.destroy());
}
