import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Usage } from '#engine/credits/prices.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { RequestRate } from './limits.ts';
import type { Metrics } from './metrics.ts';

/** The state of one request, from which its headers, log line and metrics are built. */
export type HttpExchange = {
  readonly operation: string | null;
  readonly caller: Caller | null;
  readonly rate: RequestRate | null;
  readonly usage: Usage | null;
  readonly remaining: number | null;
  readonly deprecated: readonly string[];
  readonly code: ErrorCode | null;
  readonly retryAfterSeconds: number | null;
  /** Further headers of this response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the client disconnects before the response is complete. */
  readonly gone: AbortController;
};

/** A request and its reply. */
export type RequestAndReply = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** The exchanges of current requests. `get` opens an exchange if there is none; `update` changes some of its members. */
export type Exchanges = {
  readonly open: (request: FastifyRequest) => HttpExchange;
  readonly get: (request: FastifyRequest) => HttpExchange;
  readonly update: (request: FastifyRequest, news: Partial<HttpExchange>) => void;
};

/** Creates the store of current exchanges. Each lives as long as its request object. */
export function createExchanges(): Exchanges {
  const exchanges = new WeakMap<FastifyRequest, HttpExchange>();

  function open(request: FastifyRequest): HttpExchange {
    const exchange: HttpExchange = {
      operation: null,
      caller: null,
      rate: null,
      usage: null,
      remaining: null,
      deprecated: [],
      code: null,
      retryAfterSeconds: null,
      headers: {},
      gone: new AbortController(),
    };
    exchanges.set(request, exchange);
    return exchange;
  }

  function of(request: FastifyRequest): HttpExchange {
    return exchanges.get(request) ?? open(request);
  }

  return {
    open,
    get: of,
    update: (request, news) => exchanges.set(request, { ...of(request), ...news }),
  };
}

/** Headers that CORS exposes to web pages. */
export const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Credits-Used',
  'X-Credits-Base',
  'X-Credits-Surcharge',
  'X-Credits-Remaining',
  'X-Access-Tier',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Location',
  'Idempotent-Replayed',
  'Deprecation',
  'Mcp-Session-Id',
] as const;

/**
 * Builds the headers of one response. The rate fields follow draft-ietf-httpapi-ratelimit-headers-11: structured lists of
 * one policy named `default`, with quota `q`, window `w`, remaining `r` and seconds to the next window `t`.
 */
export function buildAnswerHeaders(requestId: string, exchange: HttpExchange): Readonly<Record<string, string>> {
  const { usage, remaining, rate, caller, retryAfterSeconds } = exchange;
  return {
    'x-request-id': requestId,
    'x-credits-used': String(usage?.credits ?? 0),
    'x-credits-base': String(usage?.base ?? 0),
    'x-credits-surcharge': String(usage?.surcharge ?? 0),
    'x-content-type-options': 'nosniff',
    ...(usage === null ? {} : { 'x-access-tier': usage.tier }),
    ...(remaining === null ? {} : { 'x-credits-remaining': String(remaining) }),
    ...(caller === null ? {} : { 'cache-control': 'no-store' }),
    ...(exchange.deprecated.length === 0 ? {} : { deprecation: 'true' }),
    ...(retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(rate === null
      ? {}
      : {
          'ratelimit-policy': `"default";q=${rate.limit};w=60`,
          ratelimit: `"default";r=${Math.max(0, rate.remaining)};t=${rate.resetSeconds}`,
        }),
    ...(exchange.code === 'missing_api_key' || exchange.code === 'invalid_api_key'
      ? { 'www-authenticate': 'Bearer' }
      : {}),
    ...exchange.headers,
  };
}

/** The logged status of a request whose client disconnected before the response was complete. */
const CLIENT_GONE_STATUS = 499;
const MAX_CLIENT_ID_CHARS = 128;

/** Records requests for the log and the metrics. */
export type Recorder = {
  /** Opens the exchange of a request. When it ends, for any reason, one log line is written and the counters are updated. */
  readonly begin: (request: FastifyRequest, reply: FastifyReply) => void;
};

type RecorderParts = {
  readonly log: Logger;
  readonly clock: Clock;
  readonly exchanges: Exchanges;
  readonly metrics: Metrics;
};

/** Logs each request once, without query values, bodies, keys or other headers. */
export function createRecorder({ log, clock, exchanges, metrics }: RecorderParts): Recorder {
  function end(request: FastifyRequest, reply: FastifyReply, startedAt: number): void {
    const { operation, caller, usage, code, gone } = exchanges.get(request);
    const isClientGone = !reply.raw.writableFinished;
    if (isClientGone) gone.abort();
    const status = isClientGone ? CLIENT_GONE_STATUS : reply.raw.statusCode;
    // Fastify's own `elapsedTime` stays 0 while its request logging is off.
    const milliseconds = clock.monotonic() - startedAt;
    const clientId = readClientRequestId(request);
    metrics.end({ operation: operation ?? 'none', status, code: code ?? 'none', seconds: milliseconds / 1000 });
    log.info({
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      operation,
      tenant: caller?.tenant ?? null,
      key_id: caller?.keyId ?? null,
      status,
      code,
      credits: usage?.credits ?? 0,
      tier: usage?.tier ?? null,
      duration_ms: Math.round(milliseconds),
      address: request.ip,
      ...(clientId === null ? {} : { client_request_id: clientId }),
    });
  }

  return {
    begin(request, reply) {
      exchanges.open(request);
      metrics.begin();
      const startedAt = clock.monotonic();
      reply.raw.once('close', () => end(request, reply, startedAt));
    },
  };
}

/** Reads the client's own request id for the log: printable ASCII of bounded length; null if there is none. */
function readClientRequestId(request: FastifyRequest): string | null {
  const id = request.headers['x-request-id'];
  if (typeof id !== 'string') return null;
  return id.slice(0, MAX_CLIENT_ID_CHARS).replaceAll(/[^\x20-\x7e]/g, '?');
}
