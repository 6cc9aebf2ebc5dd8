import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '#kernel/clock.ts';
import type { Exchanges } from './exchange.ts';
import type { Metrics } from './metrics.ts';

/** The status that the log gives a request whose client left before the answer was through. */
const CLIENT_GONE = 499;
const MAX_CLIENT_ID_CHARS = 128;

export type Recorder = {
  /** Opens the exchange of a request; at its end come one log line and the counters, however it ends. */
  readonly begin: (request: FastifyRequest, reply: FastifyReply) => void;
};

type RecorderParts = {
  readonly log: Logger;
  readonly clock: Clock;
  readonly exchanges: Exchanges;
  readonly metrics: Metrics;
};

/** Writes down each request once: never query values, bodies, other headers or keys. */
export function buildRecorder({ log, clock, exchanges, metrics }: RecorderParts): Recorder {
  function end(request: FastifyRequest, reply: FastifyReply, begun: number): void {
    const { operation, caller, usage, code, gone } = exchanges.of(request);
    const left = !reply.raw.writableFinished;
    if (left) gone.abort();
    const status = left ? CLIENT_GONE : reply.raw.statusCode;
    // Fastify's own `elapsedTime` stays 0 while its request logging is off.
    const milliseconds = clock.monotonic() - begun;
    const clientId = toClientId(request);
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
      const begun = clock.monotonic();
      reply.raw.once('close', () => end(request, reply, begun));
    },
  };
}

/** The caller's own id for the log: printable ASCII of bounded length. */
function toClientId(request: FastifyRequest): string | null {
  const id = request.headers['x-request-id'];
  if (typeof id !== 'string') return null;
  return id.slice(0, MAX_CLIENT_ID_CHARS).replaceAll(/[^\x20-\x7e]/g, '?');
}
