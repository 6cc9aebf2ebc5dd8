import { InvariantError } from '#extract/invariant-error.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#engine/identity/caller.ts';
import type { Written } from '#engine/call/ask.ts';
import { isStream, type Operation } from '#engine/call/operation.ts';
import { Unread } from '#engine/call/validation.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { buildMcp } from '#transports/mcp/http.ts';
import type { ToolReply } from '#transports/mcp/tool.ts';
import { type Parameters, readParameters, splitQuery, toParameters } from '#transports/parameters.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { lazy } from '#kernel/lazy.ts';
import { buildAuthentication } from './auth.ts';
import { emptyBody, refuseCompressedBody } from './request-checks.ts';
import { addSessionRoutes } from './console/session-routes.ts';
import { findsByCredential } from './credentials.ts';
import type { RequestAndReply, Exchanges } from './exchange.ts';
import type { NoteFailure } from './errors.ts';
import { addHealth } from './health.ts';
import { buildLimits } from './limits.ts';
import { mayReadMetrics, type Metrics } from './metrics.ts';
import { tagsOf, toOpenApi } from './openapi.ts';
import type { ServerParts, Timeouts } from './parts.ts';
import { readRoute } from './route.ts';
import { buildStreams, type SendStream, untilSent } from './streams.ts';
import { unknownRoute } from './unknown-routes.ts';

type RouteParts = ServerParts & {
  readonly exchanges: Exchanges;
  readonly metrics: Metrics;
  readonly noteFailure: NoteFailure;
};

/** Adds a route for each operation, `/mcp`, and the health, metrics and OpenAPI routes. */
export function addRoutes(server: FastifyInstance, parts: RouteParts): void {
  const { operations, exchanges, consoleParts } = parts;
  const find = findsByCredential(parts);
  const limits = buildLimits(parts.rates, parts.clock);
  const authenticate = buildAuthentication({ find, exchanges, limits });

  /** The hooks of a route that needs a key, in the order of the contract; all run before the body is read. */
  function guard(operation: Operation | null) {
    return [
      async (request: FastifyRequest) => exchanges.note(request, { operation: operation?.id ?? 'mcp' }),
      authenticate(operation),
      async (request: FastifyRequest) => refuseCompressedBody(request),
    ];
  }

  const sendStream = buildStreams({ ...parts, find });
  for (const operation of operations) {
    addOperation(server, operation, { ...parts, sendStream, onRequest: guard(operation) });
  }
  server.route({ method: 'POST', url: '/mcp', onRequest: guard(null), handler: buildMcpHandler(parts) });
  if (consoleParts !== null) addSessionRoutes(server, { ...parts, ...consoleParts, limits });
  addServiceRoutes(server, parts);
}

type OperationParts = Pick<RouteParts, 'perform' | 'exchanges' | 'draining' | 'timeouts'> & {
  readonly sendStream: SendStream;
  readonly onRequest: readonly ((request: FastifyRequest, reply: FastifyReply) => Promise<void>)[];
};

function addOperation(server: FastifyInstance, operation: Operation, parts: OperationParts): void {
  const { perform, exchanges, draining, sendStream, onRequest, timeouts } = parts;
  const { method, path, hasBody } = readRoute(operation);
  const parameters = lazy(() => toParameters(operation.input));
  server.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // A HEAD would do and charge the whole work for an answer without a body.
    exposeHeadRoute: operation.kind === 'control' && !isStream(operation),
    onRequest: [...onRequest],
    async handler(request, reply) {
      const { caller, gone } = exchanges.of(request);
      const answer = await perform(operation, readInput(request, { parameters: parameters(), hasBody }), {
        caller: callerOf(caller),
        requestId: request.id,
        signal: signalOf(operation, gone.signal, draining),
        idempotencyKey: request.method === 'POST' ? readHeader(request, 'idempotency-key') : null,
        lastEventId: readEventId(readHeader(request, 'last-event-id')),
        lease: null,
        takesJsonBytes: true,
      });
      const { status, headers, body, stream, usage, remaining, deprecated, written } = answer;
      exchanges.note(request, { usage, remaining, deprecated, headers });
      reply.status(status);
      if (stream !== null) return sendStream(request, reply, stream);
      if (written !== undefined) return sendWritten(reply, written, timeouts);
      return status === 204 ? reply.send() : body;
    },
  });
}

/** Shorter answers fit into the buffers of the connection. */
const AT_ONCE_BYTES = 64 * 1024;

/** Sends an answer that is already serialized; a stalled reader is cut off so that its memory is freed. */
function sendWritten(reply: FastifyReply, { json, bytes, leave }: Written, { stalled }: Timeouts): FastifyReply {
  untilSent(reply, leave);
  if (bytes > AT_ONCE_BYTES) reply.raw.setTimeout(stalled, () => reply.raw.destroy());
  reply.type('application/json; charset=utf-8');
  if (typeof json === 'string') return reply.send(json);
  // Joining the pieces first would copy megabytes in the event loop.
  return reply.header('content-length', bytes).send(Readable.from(json, { objectMode: false }));
}

/** Control operations end when the service stops; work may finish. */
function signalOf({ kind }: Operation, gone: AbortSignal, draining: AbortSignal): AbortSignal {
  return kind === 'control' ? AbortSignal.any([gone, draining]) : gone;
}

function readHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

/** An invalid event id counts as none, so the stream begins with the current state. */
function readEventId(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The raw input: path parameters with the query, or with the members of the body. */
function readInput(
  request: FastifyRequest,
  { parameters, hasBody }: { readonly parameters: Parameters; readonly hasBody: boolean },
): unknown {
  const inPath = isJsonObject(request.params) ? Object.entries(request.params) : [];
  const pairs = inPath.map(([name, text]): [string, string] => [name, String(text)]);
  if (!hasBody) {
    if (request.body !== undefined) {
      throw new ServiceError('invalid_request', 'body: only a POST and a PATCH take one');
    }
    const start = request.url.indexOf('?');
    const query = start === -1 ? '' : request.url.slice(start + 1);
    return readQuery(parameters, pairs, query);
  }
  if (request.url.includes('?')) {
    throw new ServiceError('invalid_request', `a ${request.method} takes its members in the body`);
  }
  // A body is optional when the path holds the required members.
  const body = request.body ?? (pairs.length === 0 ? undefined : {});
  if (body === undefined) throw emptyBody();
  if (pairs.length === 0 || !isJsonObject(body)) return body;
  const twice = pairs.find(([name]) => Object.hasOwn(body, name));
  if (twice !== undefined) throw new ServiceError('invalid_request', `${twice[0]}: is already in the path`);
  return { ...readParameters(parameters, pairs), ...body };
}

/** A malformed query is reported after plan errors, as the order of checks demands. */
function readQuery(parameters: Parameters, pairs: readonly [string, string][], query: string): unknown {
  try {
    return readParameters(parameters, [...pairs, ...splitQuery(query)]);
  } catch (error) {
    if (error instanceof ServiceError) return new Unread(error);
    throw error;
  }
}

function callerOf(caller: Caller | null): Caller {
  if (caller === null) throw new InvariantError('a route without authentication asked for its caller');
  return caller;
}

/** MCP is loaded at its first call: most instances never need it. */
function buildMcpHandler({ version, operations, perform, exchanges, draining, noteFailure }: RouteParts) {
  let loading: Promise<ReturnType<typeof buildMcp>> | null = null;

  async function ask({ request, reply }: RequestAndReply, operation: Operation, raw: unknown): Promise<ToolReply> {
    const { caller, gone } = exchanges.of(request);
    try {
      const { body, stream, usage, remaining, deprecated, written } = await perform(operation, raw, {
        caller: callerOf(caller),
        requestId: request.id,
        signal: signalOf(operation, gone.signal, draining),
        idempotencyKey: null,
        lastEventId: null,
        lease: null,
      });
      if (written !== undefined) untilSent(reply, written.leave);
      // Of several operations of one call those that cost nothing hide no charge.
      exchanges.note(request, { ...(usage === null ? {} : { usage }), remaining, deprecated });
      return { body, stream: stream?.pieces ?? null };
    } catch (error) {
      throw await noteFailure(request, error);
    }
  }

  return async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    loading ??= import('#transports/mcp/http.ts').then((module) => module.buildMcp(version, operations));
    const answer = await loading;
    const { body } = request;
    if (body === undefined) throw emptyBody();
    if (!isJsonObject(body)) throw new ServiceError('invalid_request', 'body: send one JSON-RPC message, not a list');
    const response = await answer({
      headers: pickText(request.headers),
      body,
      ask: async (operation, raw) => ask({ request, reply }, operation, raw),
    });
    return reply.status(response.status).headers(response.headers).send(response.body);
  };
}

function pickText(headers: FastifyRequest['headers']): Readonly<Record<string, string>> {
  const names = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];
  return Object.fromEntries(names.map((name) => [name, headers[name]]).filter((pair) => isTextPair(pair)));
}

function isTextPair(pair: readonly unknown[]): pair is [string, string] {
  return pair.every((part) => typeof part === 'string');
}

function addServiceRoutes(server: FastifyInstance, parts: RouteParts): void {
  const { operations, unrouted, metrics, metricsToken } = parts;
  addHealth(server, parts);
  server.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken)) throw unknownRoute();
    return reply.type(metrics.contentType).send(await metrics.write());
  });
  addOpenApi(server, [...operations, ...unrouted]);
}

/** The OpenAPI document, whole and by tag; each is made when it is first asked for. */
function addOpenApi(server: FastifyInstance, operations: readonly Operation[]): void {
  const documents = new Map<string, () => string>([
    ['/openapi.json', lazy(() => JSON.stringify(toOpenApi(operations)))],
    ...tagsOf(operations).map((tag): [string, () => string] => [
      `/openapi/${tag}.json`,
      lazy(() => JSON.stringify(toOpenApi(operations, tag))),
    ]),
  ]);
  for (const [path, write] of documents)
    server.get(path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(write()));
}
