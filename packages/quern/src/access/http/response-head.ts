import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ReceivedHead } from '#access/exchange-recorder.ts';
import type { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';

/** One answer on the wire, before decoding and without following redirects. */
export type RawResponse = {
  readonly status: number;
  /** Lower-case names; repeated fields joined by `, `, but for the first Location. */
  readonly headers: Readonly<Record<string, string>>;
  readonly setCookies: readonly string[];
  readonly wire: Uint8Array<ArrayBuffer>;
  /** Why the body broke off; absent for a whole one. */
  readonly failure?: ServiceError;
};

/** The statuses that lead elsewhere (RFC 9110 section 15.4). */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** The head of an answer by the fields that undici gives. */
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

/** Adds a field under its lower-case name to earlier ones of that name (RFC 9110 section 5.3); a second Location is dropped. */
export function addHeader(headers: Record<string, string>, name: string, value: string): void {
  const key = name.toLowerCase();
  const before = headers[key];
  if (before === undefined) headers[key] = value;
  else if (key !== 'location') headers[key] = `${before}, ${value}`;
}

/** The bytes of all fields: HTTP/2 does not bound them as the HTTP/1.1 parser does. */
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

/** The head of an answer by the fields that undici keeps as they came: bytes of HTTP/1.1, texts of HTTP/2. */
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
