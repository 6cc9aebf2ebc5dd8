import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** What a page of the site may know of the call. */
export type Call = {
  /** The site's own address, `http://127.0.0.1:4000`. */
  readonly origin: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** The address that the call came from. */
  readonly client: string;
  /** How often this path was asked since the site opened, this call included. */
  readonly visits: number;
};

export type Reply = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Uint8Array;
  /** Time until the answer starts, ms. */
  readonly delayMs?: number;
};

/** One path of the site. */
export type Page = (call: Call) => Reply;

/** A page in UTF-8, declared so. */
export function html(body: string, status = 200): Reply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** A body of any other type, with further headers where the page has some. */
export function typed(contentType: string, body: string | Uint8Array, headers: OutgoingHttpHeaders = {}): Reply {
  return { status: 200, headers: { 'content-type': contentType, ...headers }, body };
}

/** A permanent redirect. */
export function moved(location: string): Reply {
  return { status: 301, headers: { location, 'content-type': 'text/html; charset=utf-8' }, body: '<p>Moved.</p>\n' };
}
