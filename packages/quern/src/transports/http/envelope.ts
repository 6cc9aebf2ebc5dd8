import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '#kernel/errors.ts';
import type { ServerParts } from './parts.ts';
import { requestPathOf } from './unrouted.ts';

const MAX_HEADERS = 100;

/** Paths that are still served while the service drains. */
const ALWAYS_SERVED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Refuses requests before any route: those to a draining service, with a malformed head, or from the service to itself. */
export function checkEnvelope(
  request: FastifyRequest,
  reply: FastifyReply,
  { draining, depthHeader }: Pick<ServerParts, 'draining' | 'depthHeader'>,
): void {
  if (draining.aborted && !ALWAYS_SERVED.has(requestPathOf(request))) {
    throw new ServiceError('backend_unavailable', 'the service is stopping; call again');
  }
  checkHead(request, reply);
  const depth = request.headers[depthHeader.toLowerCase()];
  if (depth !== undefined && depth !== '0') {
    throw new ServiceError('invalid_request', 'the service does not fetch from itself');
  }
}

/** Reads the raw list, since Node joins or drops repeated fields. */
function checkHead({ headers, raw }: FastifyRequest, reply: FastifyReply): void {
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  const isMissing = hosts === 0 && raw.httpVersion === '1.1';
  if (raw.rawHeaders.length <= 2 * MAX_HEADERS && hosts <= 1 && !isMissing) return;
  reply.header('connection', 'close');
  throw new ServiceError(
    'invalid_request',
    headers.host === undefined ? 'the Host header is missing' : `more than ${MAX_HEADERS} headers, or two of Host`,
  );
}

/** Refuses compressed bodies, whose size is not known before they are read. */
export function refuseCompressedBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new ServiceError('unsupported_media_type', 'request bodies are read without Content-Encoding only');
}
