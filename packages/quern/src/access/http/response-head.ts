import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ReceivedHead } from '#access/exchange-recorder.ts';
import type { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';

/** One response before decoding; redirects are not followed. */
export type RawResponse = {
  readonly status: number;
  /** Lower-case names; repeated headers are joined by `, `, except Location, of which the first is kept. */
  readonly headers: Readonly<Record<string, string>>;
  readonly setCookies: readonly string[];
  readonly wire: Uint8Array<ArrayBuffer>;
  /** Why the body is incomplete; absent if it is complete. */
  readonly failure?: ServiceError;
};

/** Whether a status is a redirect (RFC 9110 section 15.4). */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** Builds the head of a response from the headers of undici. */
export function toResponseHead(status: number, received: IncomingHttpHeaders): Omit<RawResponse, 'wire' | 'failure'> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(received)) {
    const value = received[name];
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of typeof value === 'string' ? [value] : value) addHeader(headers, name, one);
  }
  const cookies: string | string[] | undefined = received['set-cookie'];
  return { status, headers, setCookies: typeof cookies === 'string' ? [cookies] : (cookies ?? []) };
}

/** Adds a header under its lower-case name; joins repeated ones (RFC 9110 section 5.3) and drops a second Location. */
export function addHeader(headers: Record<string, string>, name: string, value: string): void {
  const key = name.toLowerCase();
  const before = headers[key];
  if (before === undefined) headers[key] = value;
  else if (key !== 'location') headers[key] = `${before}, ${value}`;
}

/** The size of all headers: HTTP/2 does not limit it, unlike the HTTP/1.1 parser. */
export function countHeaderBytes(received: IncomingHttpHeaders): number {
  let bytes = 0;
  for (const name of Object.keys(received)) {
    const value = received[name];
    const values = typeof value === 'string' ? [value] : (value ?? []);
    for (const one of values) bytes += name.length + one.length;
  }
  return bytes;
}

type RawHeaders = Dispatcher.DispatchController['rawHeaders'];

/** Builds the head as received from the raw headers of undici: bytes for HTTP/1.1, strings for HTTP/2. */
export function toReceivedHead(status: number, reason: string, raw: RawHeaders): ReceivedHead {
  if (Array.isArray(raw)) {
    const headers = raw.map((one) => (typeof one === 'string' ? one : one.toString('latin1')));
    return { protocol: 'http/1.1', status, reason, headers };
  }
  const headers = Object.entries(raw ?? {}).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, one]),
  );
  return { protocol: 'h2', status, reason, headers };
}

/** The warnings of a redirect that was followed. */
export function listRedirectWarnings(from: URL, to: URL): readonly Warning[] {
  return from.protocol === 'https:' && to.protocol === 'http:' ? [DOWNGRADE_WARNING] : [];
}

const DOWNGRADE_WARNING: Warning = { code: 'tls_downgrade', message: 'a redirect led from https to http' };
