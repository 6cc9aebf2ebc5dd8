import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Operation } from '#engine/call/operation.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { ServiceError, toErrorBody } from '#kernel/errors.ts';
import { addBodyParser, MAX_BODY_BYTES, checkEnvelope } from './request-checks.ts';
import { addConsole } from './console/console-routes.ts';
import { addDocs } from './docs.ts';
import { buildFailures, refuseConnection, toRefusal } from './errors.ts';
import { buildExchanges, buildRecorder, type Exchanges, EXPOSED_HEADERS, type Recorder, toAnswerHeaders } from './exchange.ts';
import { lingerAfter } from './linger.ts';
import { buildMetrics } from './metrics.ts';
import type { ServerParts } from './parts.ts';
import { readRoute } from './route.ts';
import { addRoutes } from './routes.ts';
import { addUnrouted } from './unknown-routes.ts';

/** The HTTP server over the registry, ready to listen; `close` lets running requests finish. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { clock } = parts;
  const exchanges = buildExchanges();
  const metrics = buildMetrics(parts.readings);
  const recorder = buildRecorder({ log: parts.log, clock, exchanges, metrics });
  const noteFailure = buildFailures({ ...parts, exchanges });
  const listsFaults = faultsListedAt(parts.operations);
  const server = openFastify(parts, { exchanges, recorder, listsFaults });
  server.addHook('onRequest', async (request, reply) => {
    recorder.begin(request, reply);
    checkEnvelope(request, reply, parts);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(toAnswerHeaders(request.id, exchanges.of(request)));
    // A connection kept alive would hold the drain until it idles out.
    if (parts.draining.aborted) reply.header('connection', 'close');
    lingerAfter(request.raw, clock);
    done(null, payload);
  });
  server.setErrorHandler(async (error, request, reply) => {
    const failure = await noteFailure(request, error);
    return reply.status(failure.status).send(toErrorBody(failure, request.id, listsFaults(request.url)));
  });
  if (parts.corsOrigins.length > 0) await addCors(server, parts.corsOrigins);
  addUnrouted(server);
  await addCompression(server);
  addBodyParser(server);
  addRoutes(server, { ...parts, exchanges, metrics, noteFailure });
  addDocs(server, parts.operations);
  if (parts.consoleParts === null) server.get('/', async (_request, reply) => reply.redirect('/docs'));
  else addConsole(server, parts.consoleParts.folder);
  await server.ready();
  return server;
}

/** Whether errors at an address list their faults, whichever stage refuses. */
function faultsListedAt(operations: readonly Operation[]): (url: string) => boolean {
  const paths = new Set(operations.flatMap((one) => (one.errorDetails === true ? readRoute(one).path : [])));
  return (url) => paths.has(url.split('?', 1)[0] ?? '');
}

/** Characters that an id in a path may have. */
const MAX_PART_LENGTH = 512;
const LONG_PATH = `a part of the path is longer than ${MAX_PART_LENGTH} characters`;
const UNREADABLE_PATH = 'the path cannot be read: check its percent escapes';

/** The longest request line with its headers, bytes: room for a prompt of 8,000 characters of any script in a query. */
const MAX_HEAD_BYTES = 128 * 1024;

type Observers = {
  readonly exchanges: Exchanges;
  readonly recorder: Recorder;
  readonly listsFaults: (url: string) => boolean;
};

function openFastify(parts: ServerParts, { exchanges, recorder, listsFaults }: Observers): FastifyInstance {
  const { timeouts, trustProxy, newRequestId, log, clock } = parts;
  const server = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: newRequestId,
    requestIdHeader: false,
    return503OnClosing: false,
    trustProxy: trustProxy.length === 0 ? false : [...trustProxy],
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.check,
      // Node would refuse with an empty body; checkEnvelope sends the usual error body.
      requireHostHeader: false,
    },
    // Operations validate their own input and output, so Fastify's schema compilers, a megabyte, are not loaded.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    routerOptions: { querystringParser: () => ({}), maxParamLength: MAX_PART_LENGTH },
    clientErrorHandler(error, socket) {
      // A parser that has given up reports an error for every further byte.
      if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return;
      const refusal = { ...toRefusal(error, MAX_HEAD_BYTES), requestId: newRequestId() };
      const { requestId: request_id, status } = refusal;
      log.info({ request_id, status, code: 'invalid_request', address: socket.remoteAddress ?? null });
      refuseConnection(socket, { ...refusal, listsFaults: listsFaults(pathOf(socket) ?? '') }, clock);
    },
    frameworkErrors(error, request, reply) {
      recorder.begin(request, reply);
      const isLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
      const failure = new ServiceError('invalid_request', isLong ? LONG_PATH : UNREADABLE_PATH);
      exchanges.note(request, { code: failure.code });
      lingerAfter(request.raw, clock);
      // No hook runs for a request without a route.
      const body = JSON.stringify(toErrorBody(failure, request.id));
      reply.raw.writeHead(failure.status, {
        ...toAnswerHeaders(request.id, exchanges.of(request)),
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      });
      reply.raw.end(body);
    },
  });
  const pathOf = rememberRequestPaths(server.server);
  // Node would answer an unknown expectation without a body; it is served as if there were none.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response));
  server.server.on('connect', (_request, socket) =>
    refuseConnection(
      socket,
      { status: 400, message: 'CONNECT is not served', requestId: newRequestId(), listsFaults: false },
      clock,
    ),
  );
  return server;
}

function refuseSchemas(): never {
  throw new InvariantError('routes have no schemas of Fastify: an operation checks its own');
}

async function addCors(server: FastifyInstance, origins: readonly string[]): Promise<void> {
  await server.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'X-Request-Id',
      'Idempotency-Key',
      'Last-Event-ID',
      'Mcp-Session-Id',
      'Mcp-Protocol-Version',
    ],
    exposedHeaders: [...EXPOSED_HEADERS],
    maxAge: 600,
    strictPreflight: false,
  });
}

async function addCompression(server: FastifyInstance): Promise<void> {
  await server.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: 1024,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 5 },
  });
}

/** Characters of a request line that are kept: more than the longest path of an operation without parameters. */
const MAX_CHARS = 128;
const REQUEST_LINE = /^[A-Z]+ (\/[^ ?#\r\n]*)[ ?#\r\n]/;
const LETTER_A = 0x41;
const LETTER_Z = 0x5a;

/**
 * Remembers the path of the request that each connection sends at the moment. Node's parser does not report the path of a
 * head that it refuses. Returns null where the request line was not seen.
 */
function rememberRequestPaths(server: Server): (socket: Duplex) => string | null {
  const starts = new WeakMap<Duplex, string>();
  server.on('connection', (socket) => {
    socket.prependListener('data', (chunk: Buffer) => {
      const first = chunk[0] ?? 0;
      if (first >= LETTER_A && first <= LETTER_Z) starts.set(socket, chunk.toString('latin1', 0, MAX_CHARS));
    });
  });
  return (socket) => REQUEST_LINE.exec(starts.get(socket) ?? '')?.[1] ?? null;
}
