import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { ServiceError, toErrorBody } from '#kernel/errors.ts';
import type { Metric } from '#kernel/metric.ts';
import { toRequestFailure } from './errors.ts';
import { lingerAfterAnswer } from './linger.ts';
import { mayReadMetrics, createRegistry } from './metrics.ts';
import type { ServerParts } from './server-parts.ts';
import { addUnknownRoutes, createUnknownRouteError } from './unknown-routes.ts';

/** Requests have no body here. */
const MAX_BODY_BYTES = 1;

/** What the HTTP server of a worker needs. */
export type HealthParts = Pick<ServerParts, 'findObstacles' | 'draining' | 'metricsToken' | 'timeouts' | 'clock'> & {
  readonly newRequestId: () => string;
  readonly log: Pick<ServerParts['log'], 'error'>;
  readonly metrics: readonly Metric[];
};

/** Creates the HTTP server of a worker with `/healthz`, `/readyz` and `/metrics` only. */
export async function createHealthServer(parts: HealthParts): Promise<FastifyInstance> {
  const { findObstacles, draining, metricsToken, timeouts, newRequestId, log, metrics, clock } = parts;
  const registry = createRegistry(metrics);
  const server = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: newRequestId,
    requestIdHeader: false,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    return503OnClosing: false,
    http: { headersTimeout: timeouts.headers, connectionsCheckingInterval: timeouts.check },
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id);
    if (draining.aborted) reply.header('connection', 'close');
    lingerAfterAnswer(request.raw, clock);
    done(null, payload);
  });
  server.setErrorHandler(async (error, request, reply) => {
    const failure = toRequestFailure(error);
    if (failure.code === 'internal_error') log.error({ request_id: request.id, err: error }, 'internal error');
    return reply.status(failure.status).send(toErrorBody(failure, request.id));
  });
  addUnknownRoutes(server);
  server.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken)) throw createUnknownRouteError();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  addHealthRoutes(server, { findObstacles, draining });
  await server.ready();
  return server;
}

/** Adds `/healthz` and `/readyz`. */
export function addHealthRoutes(
  server: FastifyInstance,
  { findObstacles, draining }: Pick<HealthParts, 'findObstacles' | 'draining'>,
): void {
  server.get('/healthz', async (request) => ({ request_id: request.id, status: 'ok' }));
  server.get('/readyz', async (request) => {
    const obstacles = [...(draining.aborted ? ['the service is stopping'] : []), ...(await findObstacles())];
    if (obstacles.length > 0) throw new ServiceError('backend_unavailable', obstacles.join('; '));
    return { request_id: request.id, status: 'ready' };
  });
}
