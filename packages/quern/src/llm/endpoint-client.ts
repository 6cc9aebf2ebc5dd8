import type * as Undici from 'undici';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadUndici } from '#kernel/undici.ts';

export type EndpointLimits = {
  readonly connectMs: number;
  /** Time limit of one request, from the first byte sent to the last byte received. */
  readonly answerMs: number;
  readonly answerBytes: number;
};

/** The response of the endpoint, of any status. */
export type EndpointResponse = {
  readonly status: number;
  /** Media type in lower case without parameters; empty if missing. */
  readonly type: string;
  readonly text: string;
  readonly retryAfterSeconds: number | null;
};

export type EndpointRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of a POST; null for a GET. */
  readonly body: string | null;
  readonly signal: AbortSignal;
};

/** An HTTP client for one endpoint. */
export type EndpointClient = ReturnType<typeof createEndpointClient>;

/** The response exceeds the size limit. */
export class ResponseTooLarge extends Error {}

/**
 * Creates an HTTP client for an endpoint that the operator configured. It does not use the guard, because callers cannot change
 * the URL. It does not follow redirects, which would forward the key, and ignores proxies of the environment.
 */
export function createEndpointClient({ connectMs, answerMs, answerBytes }: EndpointLimits) {
  let opened: { readonly request: typeof Undici.request; readonly dispatcher: Undici.Agent } | null = null;
  function open() {
    const { Agent, request } = loadUndici();
    const options = { connect: { timeout: connectMs }, connections: 32, headersTimeout: 0, bodyTimeout: 0 };
    return (opened ??= { request, dispatcher: new Agent(options) });
  }
  return {
    /** Sends a request; throws a `TimeoutError`, the signal's reason, or the network error. */
    async send({ url, headers, body, signal }: EndpointRequest): Promise<EndpointResponse> {
      const deadline = SYSTEM_CLOCK.deadline(answerMs, signal);
      const method = body === null ? 'GET' : 'POST';
      const { request, dispatcher } = open();
      const answer = await request(url, { method, headers, body, dispatcher, signal: deadline });
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      for await (const piece of answer.body) {
        if (!(piece instanceof Uint8Array)) continue;
        bytes += piece.byteLength;
        if (bytes > answerBytes) throw new ResponseTooLarge(`more than ${answerBytes} bytes`);
        pieces.push(piece);
      }
      return {
        status: answer.statusCode,
        type: parseMediaType(answer.headers['content-type']),
        text: Buffer.concat(pieces).toString('utf8'),
        retryAfterSeconds: parseSeconds(answer.headers['retry-after']),
      };
    },
    close: async (): Promise<void> => opened?.dispatcher.destroy(),
  };
}

function parseMediaType(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' ? (header.split(';')[0] ?? '').trim().toLowerCase() : '';
}

/** Parses `Retry-After` in seconds (RFC 9110 section 10.2.3); these endpoints do not send the date form. */
function parseSeconds(header: string | readonly string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) : null;
}
