import { Agent, request } from 'undici';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

export type EndpointLimits = {
  readonly connectMs: number;
  /** Time of one answer from the first byte sent to the last received. */
  readonly answerMs: number;
  readonly answerBytes: number;
};

/** The answer of the endpoint, whatever its status. */
export type WireAnswer = {
  readonly status: number;
  /** In lower case without its parameters, empty where the endpoint does not say. */
  readonly type: string;
  readonly text: string;
  readonly retryAfterSeconds: number | null;
};

export type EndpointRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST; a GET without one. */
  readonly body: string | null;
  readonly signal: AbortSignal;
};

/** The way to one endpoint. */
export type Wire = ReturnType<typeof openWire>;

/** More than the endpoint has reason to send. */
export class AnswerTooLarge extends Error {}

/**
 * The way to the endpoint that the operator named, wherever that is: no caller can lead it elsewhere, so it does not go
 * through the guard of targets. Redirects are not followed, because the key would go with them, and the proxies of the
 * environment play no part.
 */
export function openWire({ connectMs, answerMs, answerBytes }: EndpointLimits) {
  const agent = new Agent({ connect: { timeout: connectMs }, connections: 32, headersTimeout: 0, bodyTimeout: 0 });
  return {
    /** Asks; throws a `TimeoutError` when the time of one answer is up, the signal's reason, and whatever broke on the way. */
    async send({ url, headers, body, signal }: EndpointRequest): Promise<WireAnswer> {
      const deadline = SYSTEM_CLOCK.deadline(answerMs, signal);
      const method = body === null ? 'GET' : 'POST';
      const answer = await request(url, { method, headers, body, dispatcher: agent, signal: deadline });
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      for await (const piece of answer.body) {
        if (!(piece instanceof Uint8Array)) continue;
        bytes += piece.byteLength;
        if (bytes > answerBytes) throw new AnswerTooLarge(`more than ${answerBytes} bytes`);
        pieces.push(piece);
      }
      return {
        status: answer.statusCode,
        type: parseMediaType(answer.headers['content-type']),
        text: Buffer.concat(pieces).toString('utf8'),
        retryAfterSeconds: parseSeconds(answer.headers['retry-after']),
      };
    },
    close: async (): Promise<void> => agent.destroy(),
  };
}

function parseMediaType(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' ? (header.split(';')[0] ?? '').trim().toLowerCase() : '';
}

/** `Retry-After` in its form of seconds (RFC 9110 section 10.2.3), the only one that these endpoints send. */
function parseSeconds(header: string | readonly string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) : null;
}
