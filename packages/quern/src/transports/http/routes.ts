import { InvariantError } from '#extract/invariant-error.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Caller } from '#engine/identity/caller.ts';
import type { SerializedBody } from '#engine/call/ask.ts';
import { isEventStream, type Operation } from '#engine/call/operation.ts';
import { describeInput } from '#engine/call/validation.ts';
import { UnparsedInput } from '#engine/call/validation.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { createMcpHandler } from '#transports/mcp/http.ts';
import type { OperationReply } from '#transports/mcp/tool.ts';
import { type Parameters, readParameters, parseQuery, buildParameters } from '#transports/parameters.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { createLazy } from '#kernel/lazy.ts';
import { createAuthentication } from './auth.ts';
import { createEmptyBodyError, assertUncompressedBody } from './request-checks.ts';
import { addSessionRoutes } from './console/session-routes.ts';
import { createCredentialLookup } from './credentials.ts';
import type { RequestAndReply, Exchanges } from './exchange.ts';
import type { RecordFailure } from './errors.ts';
import { addHealthRoutes } from './health.ts';
import type { RequestLimits } from './limits.ts';
import { mayReadMetrics, type Metrics } from './metrics.ts';
import { listTags, buildOpenApi } from './openapi.ts';
import type { ServerParts, Timeouts } from './server-parts.ts';
import { type RouteParts, readRoute } from './route.ts';
import { addSharedRoute, type SharedTarget } from './shared-route.ts';
import { createStreamSender, type SendStream, onSent } from './streams.ts';
import { createUnknownRouteError } from './unknown-routes.ts';

type RoutesParts = ServerParts & {
  readonly exchanges: Exchanges;
  readonly metrics: Metrics;
  readonly noteFailure: RecordFailure;
  readonly limits: RequestLimits;
};

/** Adds the routes of all operations, of `/mcp`, of the console session, and of health, metrics and OpenAPI. */
export function addRoutes(server: FastifyInstance, parts: RoutesParts): void {
  const { operations, exchanges, consoleParts, limits } = parts;
  const find = createCredentialLookup(parts);
  const authenticate = createAuthentication({ find, exchanges, limits });

  /** Returns the hooks of a route that needs a key, in the documented order; all run before the body is read. */
  function guard(operation: Operation | null) {
    return [
      async (request: FastifyRequest) => exchanges.update(request, { operation: operation?.id ?? 'mcp' }),
      authenticate(operation),
      async (request: FastifyRequest) => assertUncompressedBody(request),
    ];
  }

  const sendStream = createStreamSender({ ...parts, find });
  const create = (operation: Operation) =>
    createOperationRoute(operation, { ...parts, sendStream, onRequest: guard(operation) });
  const shared = new Map<string, Operation>();
  for (const operation of operations) {
    const { method, path, inPath } = readRoute(operation);
    if (method === 'GET' && inPath.length === 0 && !hasHeadRoute(operation)) shared.set(path, operation);
    else server.route(create(operation));
  }
  addSharedRoute(server, { wildcard: '/v1/*', targets: shared, create });
  server.route({ method: 'POST', url: '/mcp', onRequest: guard(null), handler: createMcpRoute(parts) });
  if (consoleParts !== null) addSessionRoutes(server, { ...parts, ...consoleParts });
  addServiceRoutes(server, parts);
}

type OperationParts = Pick<RoutesParts, 'perform' | 'exchanges' | 'draining' | 'timeouts'> & {
  readonly sendStream: SendStream;
  readonly onRequest: readonly ((request: FastifyRequest, reply: FastifyReply) => Promise<void>)[];
};

function createOperationRoute(operation: Operation, parts: OperationParts): RouteOptions & SharedTarget {
  const { perform, exchanges, draining, sendStream, onRequest, timeouts } = parts;
  const { method, path, hasBody, inPath } = readRoute(operation);
  const parameters = createLazy(() => buildParameters(describeInput(operation)));
  return {
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: hasHeadRoute(operation),
    onRequest: [...onRequest],
    async handler(request, reply) {
      const { caller, gone } = exchanges.get(request);
      const answer = await perform(operation, readInput(request, { parameters: parameters(), hasBody, inPath }), {
        caller: demandCaller(caller),
        requestId: request.id,
        signal: chooseSignal(operation, gone.signal, draining),
        idempotencyKey: request.method === 'POST' ? readHeader(request, 'idempotency-key') : null,
        lastEventId: parseEventId(readHeader(request, 'last-event-id')),
        lease: null,
        takesJsonBytes: true,
      });
      const { status, headers, body, stream, usage, remaining, deprecated, serialized } = answer;
      exchanges.update(request, { usage, remaining, deprecated, headers });
      reply.status(status);
      if (stream !== null) return sendStream(request, reply, stream);
      if (serialized !== undefined) return sendSerialized(reply, serialized, timeouts);
      return status === 204 ? reply.send() : body;
    },
  };
}

/** A HEAD request to any other would do and charge the whole work for a response without a body. */
function hasHeadRoute(operation: Operation): boolean {
  return operation.kind === 'control' && !isEventStream(operation);
}

/** Smaller responses fit into the buffers of the connection. */
const MAX_BUFFERED_BYTES = 64 * 1024;

/** Sends a serialized response. A stalled reader is disconnected, so that the memory is freed. */
function sendSerialized(
  reply: FastifyReply,
  { json, bytes, leave }: SerializedBody,
  { stalled }: Timeouts,
): FastifyReply {
  onSent(reply, leave);
  if (bytes > MAX_BUFFERED_BYTES) reply.raw.setTimeout(stalled, () => reply.raw.destroy());
  reply.type('application/json; charset=utf-8');
  if (typeof json === 'string') return reply.send(json);
  // Joining the chunks first would copy megabytes on the event loop.
  return reply.header('content-length', bytes).send(Readable.from(json, { objectMode: false }));
}

/** Control operations are aborted when the service stops; work may finish. */
function chooseSignal({ kind }: Operation, gone: AbortSignal, draining: AbortSignal): AbortSignal {
  return kind === 'control' ? AbortSignal.any([gone, draining]) : gone;
}

function readHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

/** Parses a last event id; null if it is invalid, so that the stream starts with the current state. */
function parseEventId(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Reads the input before validation: path parameters, and the query or the body. */
function readInput(
  request: FastifyRequest,
  { parameters, hasBody, inPath }: Pick<RouteParts, 'hasBody' | 'inPath'> & { readonly parameters: Parameters },
): unknown {
  const given = isJsonObject(request.params) ? request.params : {};
  const pairs = inPath.map((name): [string, string] => [name, String(given[name])]);
  if (!hasBody) {
    if (request.body !== undefined) {
      throw new ServiceError('invalid_request', 'body: only POST and PATCH requests may have one');
    }
    const start = request.url.indexOf('?');
    const query = start === -1 ? '' : request.url.slice(start + 1);
    return readQuery(parameters, pairs, query);
  }
  if (request.url.includes('?')) {
    throw new ServiceError('invalid_request', `a ${request.method} takes its parameters in the body, not in the query`);
  }
  // The body is optional if the path contains the required parameters.
  const body = request.body ?? (pairs.length === 0 ? undefined : {});
  if (body === undefined) throw createEmptyBodyError();
  if (pairs.length === 0 || !isJsonObject(body)) return body;
  const twice = pairs.find(([name]) => Object.hasOwn(body, name));
  if (twice !== undefined) throw new ServiceError('invalid_request', `${twice[0]}: is already in the path`);
  return { ...readParameters(parameters, pairs), ...body };
}

/** Parses path and query. A malformed query is reported later, after plan errors, as the order of checks requires. */
function readQuery(parameters: Parameters, pairs: readonly [string, string][], query: string): unknown {
  try {
    return readParameters(parameters, [...pairs, ...parseQuery(query)]);
  } catch (error) {
    if (error instanceof ServiceError) return new UnparsedInput(error);
    throw error;
  }
}

function demandCaller(caller: Caller | null): Caller {
  if (caller === null) throw new InvariantError('a route without authentication asked for its caller');
  return caller;
}

/** Creates the handler of `/mcp`. Its code is loaded at the first call, since most instances never need it. */
function createMcpRoute({ version, operations, perform, exchanges, draining, noteFailure }: RoutesParts) {
  let loading: Promise<ReturnType<typeof createMcpHandler>> | null = null;

  async function ask({ request, reply }: RequestAndReply, operation: Operation, raw: unknown): Promise<OperationReply> {
    const { caller, gone } = exchanges.get(request);
    try {
      const { body, stream, usage, remaining, deprecated, serialized } = await perform(operation, raw, {
        caller: demandCaller(caller),
        requestId: request.id,
        signal: chooseSignal(operation, gone.signal, draining),
        idempotencyKey: null,
        lastEventId: null,
        lease: null,
      });
      if (serialized !== undefined) onSent(reply, serialized.leave);
      // If one call runs several operations, a free one must not hide the charge of another.
      exchanges.update(request, { ...(usage === null ? {} : { usage }), remaining, deprecated });
      return { body, stream: stream?.pieces ?? null };
    } catch (error) {
      throw await noteFailure(request, error);
    }
  }

  return async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    loading ??= import('#transports/mcp/http.ts').then((module) => module.createMcpHandler(version, operations));
    const answer = await loading;
    const { body } = request;
    if (body === undefined) throw createEmptyBodyError();
    if (!isJsonObject(body)) throw new ServiceError('invalid_request', 'body: send one JSON-RPC message, not a list');
    const response = await answer({
      headers: pickTextHeaders(request.headers),
      body,
      ask: async (operation, raw) => ask({ request, reply }, operation, raw),
    });
    return reply.status(response.status).headers(response.headers).send(response.body);
  };
}

function pickTextHeaders(headers: FastifyRequest['headers']): Readonly<Record<string, string>> {
  const names = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];
  return Object.fromEntries(names.map((name) => [name, headers[name]]).filter((pair) => isTextPair(pair)));
}

function isTextPair(pair: readonly unknown[]): pair is [string, string] {
  return pair.every((part) => typeof part === 'string');
}

function addServiceRoutes(server: FastifyInstance, parts: RoutesParts): void {
  const { operations, unrouted, metrics, metricsToken } = parts;
  addHealthRoutes(server, parts);
  server.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken)) throw createUnknownRouteError();
    return reply.type(metrics.contentType).send(await metrics.write());
  });
  addOpenApiRoutes(server, [...operations, ...unrouted]);
}

/** Adds the OpenAPI document, whole and by tag. Each is built at its first request. */
function addOpenApiRoutes(server: FastifyInstance, operations: readonly Operation[]): void {
  const build = (tag?: string) => createLazy(() => JSON.stringify(buildOpenApi(operations, tag)));
  const targets = new Map(listTags(operations).map((tag) => [`/openapi/${tag}.json`, build(tag)]));
  server.get('/openapi.json', createDocumentRoute(build()).handler);
  addSharedRoute(server, { wildcard: '/openapi/*', targets, create: createDocumentRoute });
}

function createDocumentRoute(write: () => string): SharedTarget {
  return {
    onRequest: [],
    handler: async (_request, reply) => reply.type('application/json; charset=utf-8').send(write()),
  };
}
