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
import { addBodyParser, MAX_BODY_BYTES, assertAcceptable } from './request-checks.ts';
import { addConsole } from './console/console-routes.ts';
import { addDocsRoutes } from './docs.ts';
import { createFailureRecorder, writeRefusal, describeParserError } from './errors.ts';
import {
  createExchanges,
  createRecorder,
  type Exchanges,
  EXPOSED_HEADERS,
  type Recorder,
  buildAnswerHeaders,
} from './exchange.ts';
import { addCompatRoutes } from './compat-routes.ts';
import { createRequestLimits } from './limits.ts';
import { lingerAfterAnswer } from './linger.ts';
import { createMetrics } from './metrics.ts';
import type { ServerParts } from './server-parts.ts';
import { readRoute } from './route.ts';
import { addRoutes } from './routes.ts';
import { addUnknownRoutes, LONG_PATH_MESSAGE, MAX_PART_LENGTH } from './unknown-routes.ts';

/** Creates the HTTP server, ready to listen; `close` waits for running requests. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { clock } = parts;
  const exchanges = createExchanges();
  const metrics = createMetrics(parts.readings);
  const recorder = createRecorder({ log: parts.log, clock, exchanges, metrics });
  const noteFailure = createFailureRecorder({ ...parts, exchanges });
  const listsFaults = createDetailsLookup(parts.operations);
  const server = createFastify(parts, { exchanges, recorder, listsFaults });
  server.addHook('onRequest', async (request, reply) => {
    recorder.begin(request, reply);
    assertAcceptable(request, reply, parts);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(buildAnswerHeaders(request.id, exchanges.get(request)));
    // A kept-alive connection would delay the drain until it times out.
    if (parts.draining.aborted) reply.header('connection', 'close');
    lingerAfterAnswer(request.raw, clock);
    done(null, payload);
  });
  server.setErrorHandler(async (error, request, reply) => {
    const failure = await noteFailure(request, error);
    return reply.status(failure.status).send(toErrorBody(failure, request.id, listsFaults(request.url)));
  });
  if (parts.corsOrigins.length > 0) await addCors(server, parts.corsOrigins);
  addUnknownRoutes(server);
  await addCompression(server);
  addBodyParser(server);
  const limits = createRequestLimits(parts.rates, clock);
  addRoutes(server, { ...parts, exchanges, metrics, noteFailure, limits });
  const { compat } = parts;
  if (compat !== null) addCompatRoutes(server, { ...parts, compat, exchanges, noteFailure, limits });
  addDocsRoutes(server, parts.operations);
  if (parts.consoleParts === null) server.get('/', async (_request, reply) => reply.redirect('/docs'));
  else addConsole(server, parts.consoleParts.folder);
  await server.ready();
  return server;
}

/** Returns a function that tells whether error responses of a URL list `details`, regardless of the stage that rejects. */
function createDetailsLookup(operations: readonly Operation[]): (url: string) => boolean {
  const paths = new Set(operations.flatMap((one) => (one.errorDetails === true ? readRoute(one).path : [])));
  return (url) => paths.has(url.split('?', 1)[0] ?? '');
}

const UNREADABLE_PATH_MESSAGE = 'the path is malformed: check its percent escapes';

/** Maximum size of request line and headers. It permits a prompt of 8,000 characters of any script in a query. */
const MAX_HEAD_BYTES = 128 * 1024;

type Observers = {
  readonly exchanges: Exchanges;
  readonly recorder: Recorder;
  readonly listsFaults: (url: string) => boolean;
};

function createFastify(parts: ServerParts, { exchanges, recorder, listsFaults }: Observers): FastifyInstance {
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
      // Node would reject with an empty body; `assertAcceptable` sends the usual error body.
      requireHostHeader: false,
      // Other upgrades, such as to HTTP/2, are answered in HTTP/1.1, as without WebSockets.
      shouldUpgradeCallback: (request) => /^websocket$/i.test(request.headers.upgrade ?? ''),
    },
    // Operations validate their own input and output, so Fastify's schema compilers (1 MB) are not loaded.
    schemaController: { compilersFactory: { buildValidator: throwSchemaError, buildSerializer: throwSchemaError } },
    routerOptions: { querystringParser: () => ({}), maxParamLength: MAX_PART_LENGTH },
    clientErrorHandler(error, socket) {
      // After an error, the parser reports another one for every further byte.
      if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return;
      const refusal = { ...describeParserError(error, MAX_HEAD_BYTES), requestId: newRequestId() };
      const { requestId: request_id, status } = refusal;
      log.info({ request_id, status, code: 'invalid_request', address: socket.remoteAddress ?? null });
      writeRefusal(socket, { ...refusal, listsDetails: listsFaults(getRequestPath(socket) ?? '') }, clock);
    },
    frameworkErrors(error, request, reply) {
      recorder.begin(request, reply);
      const isLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
      const failure = new ServiceError('invalid_request', isLong ? LONG_PATH_MESSAGE : UNREADABLE_PATH_MESSAGE);
      exchanges.update(request, { code: failure.code });
      lingerAfterAnswer(request.raw, clock);
      // No hooks run for a request that Fastify rejects before routing.
      const body = JSON.stringify(toErrorBody(failure, request.id));
      reply.raw.writeHead(failure.status, {
        ...buildAnswerHeaders(request.id, exchanges.get(request)),
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      });
      reply.raw.end(body);
    },
  });
  const getRequestPath = trackRequestPaths(server.server);
  // Node would answer an unknown `Expect` header without a body; the header is ignored instead.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response));
  server.server.on('connect', (_request, socket) =>
    writeRefusal(
      socket,
      { status: 400, message: 'CONNECT is not served', requestId: newRequestId(), listsDetails: false },
      clock,
    ),
  );
  return server;
}

function throwSchemaError(): never {
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

/** Stored length of a request line: more than the longest path without parameters. */
const MAX_REQUEST_LINE_CHARS = 128;
const REQUEST_LINE = /^[A-Z]+ (\/[^ ?#\r\n]*)[ ?#\r\n]/;
const LETTER_A = 0x41;
const LETTER_Z = 0x5a;

/**
 * Tracks the path of the current request of each connection, since Node's parser does not report the path of a request
 * that it rejects. The returned function returns null if the request line is unknown.
 */
function trackRequestPaths(server: Server): (socket: Duplex) => string | null {
  const starts = new WeakMap<Duplex, string>();
  server.on('connection', (socket) => {
    socket.prependListener('data', (chunk: Buffer) => {
      const first = chunk[0] ?? 0;
      if (first >= LETTER_A && first <= LETTER_Z)
        starts.set(socket, chunk.toString('latin1', 0, MAX_REQUEST_LINE_CHARS));
    });
  });
  return (socket) => REQUEST_LINE.exec(starts.get(socket) ?? '')?.[1] ?? null;
}
