import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '#kernel/errors.ts';
import { readJson } from '#transports/json.ts';
import type { ServerParts } from './server-parts.ts';
import { getRequestPath } from './unknown-routes.ts';

/** Maximum size of a request body. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Makes JSON in UTF-8 the only accepted body. A byte order mark is ignored, as RFC 8259 permits. */
export function addBodyParser(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (request, body, done) => {
      try {
        done(null, readJsonBody(request, body));
      } catch (error) {
        done(error instanceof Error ? error : new Error('the body parser failed', { cause: error }));
      }
    },
  );
}

/** Reads a body of any type: JSON is parsed, other types are kept as bytes for the route to accept or refuse. */
export function addAnyBodyParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (request, body, done) => {
    const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? 'application/json');
    try {
      if (isJson) done(null, readJsonBody(request, body));
      else done(null, body.length === 0 ? undefined : body);
    } catch (error) {
      done(error instanceof Error ? error : new Error('the body parser failed', { cause: error }));
    }
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a body as JSON in UTF-8; undefined if it is empty. Throws `ServiceError`. */
export function readJsonBody({ headers }: FastifyRequest, body: string | Buffer): unknown {
  assertUtf8(headers['content-type'] ?? '');
  return body.length === 0 ? undefined : readJson(decodeUtf8(body), 'body');
}

/** The error of a missing request body. */
export function createEmptyBodyError(): ServiceError {
  return new ServiceError('invalid_request', 'body: is empty; send a JSON object with Content-Type: application/json');
}

function assertUtf8(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  throw new ServiceError('unsupported_media_type', 'JSON is read in UTF-8 only');
}

function decodeUtf8(body: string | Buffer): string {
  if (typeof body === 'string') return body;
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new ServiceError('invalid_request', 'body: not valid UTF-8', { cause });
  }
}

const MAX_HEADERS = 100;

/** Paths that are served even while the service drains. */
const SERVED_WHILE_DRAINING: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Throws before routing if the service is draining, the request head is malformed, or the service calls itself. */
export function assertAcceptable(
  request: FastifyRequest,
  reply: FastifyReply,
  { draining, depthHeader }: Pick<ServerParts, 'draining' | 'depthHeader'>,
): void {
  if (draining.aborted && !SERVED_WHILE_DRAINING.has(getRequestPath(request))) {
    throw new ServiceError('backend_unavailable', 'the service is stopping; call again');
  }
  assertValidHead(request, reply);
  const depth = request.headers[depthHeader.toLowerCase()];
  if (depth !== undefined && depth !== '0') {
    throw new ServiceError('invalid_request', 'the service cannot fetch from itself');
  }
}

/** Checks the raw headers, since Node joins or drops repeated fields. */
function assertValidHead({ headers, raw }: FastifyRequest, reply: FastifyReply): void {
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  const isMissing = hosts === 0 && raw.httpVersion === '1.1';
  if (raw.rawHeaders.length <= 2 * MAX_HEADERS && hosts <= 1 && !isMissing) return;
  reply.header('connection', 'close');
  throw new ServiceError(
    'invalid_request',
    headers.host === undefined ? 'the Host header is missing' : `more than ${MAX_HEADERS} headers, or two of Host`,
  );
}

/** Throws for a compressed body, whose size is unknown before it is read. */
export function assertUncompressedBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new ServiceError('unsupported_media_type', 'request bodies are read without Content-Encoding only');
}
