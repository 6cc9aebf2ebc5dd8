import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#engine/call/operation.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { findRoute } from '#transports/compat/find-route.ts';
import type { CompatInterface, CompatReply, CompatRequest } from '#transports/compat/interface.ts';
import { COMPAT_MOUNTS, type CompatMount } from '#transports/compat/mounts.ts';
import { readJson } from '#transports/json.ts';
import { createAuthentication } from './auth.ts';
import { createCredentialLookup, readCompatCredential } from './credentials.ts';
import type { Exchanges } from './exchange.ts';
import type { RecordFailure } from './errors.ts';
import type { RequestLimits } from './limits.ts';
import { assertUncompressedBody, MAX_BODY_BYTES } from './request-checks.ts';
import type { ServerParts } from './server-parts.ts';
import { onSent } from './streams.ts';
import { getRequestPath } from './unknown-routes.ts';

type CompatParts = Pick<ServerParts, 'operations' | 'perform' | 'findCaller' | 'consoleParts' | 'clock'> & {
  readonly compat: NonNullable<ServerParts['compat']>;
  readonly exchanges: Exchanges;
  readonly limits: RequestLimits;
  readonly noteFailure: RecordFailure;
};

/** The prefix of addresses that contain the key, for clients that cannot send a header. */
const KEY_PREFIX = '/key/:key';

/**
 * Adds the interfaces of other services. Each is loaded at its first request. Errors have the form of the interface;
 * keys, limits and logs are those of every other route.
 */
export function addCompatRoutes(server: FastifyInstance, parts: CompatParts): void {
  for (const mount of COMPAT_MOUNTS) {
    void server.register(async (scope) => addMount(scope, mount, parts));
  }
  server.get('/files/:token', async (request, reply) => sendFile({ request, reply }, parts));
}

/** How long the link to a file works. */
const FILE_LINK_MS = 86_400_000;

/** Sends the file of a signed link, for browsers and tools that have no key. */
async function sendFile({ request, reply }: Exchange, { operations, perform, exchanges, compat, clock }: CompatParts) {
  const params: unknown = request.params;
  const file =
    isJsonObject(params) && typeof params['token'] === 'string' ? compat.fileLinks.read(params['token']) : null;
  if (file === null || file.until < clock.now())
    throw new ServiceError('not_found', 'the link to the file is wrong or has expired');
  const { stream } = await perform(
    findOperation(operations, 'artifact'),
    { id: file.id },
    {
      caller: await compat.findTenant(file.tenant),
      requestId: request.id,
      signal: exchanges.get(request).gone.signal,
      idempotencyKey: null,
      lastEventId: null,
      lease: null,
    },
  );
  if (stream === null) throw new InvariantError('an artifact is sent as a stream');
  return reply.type(stream.type).send(Readable.from(stream.pieces, { objectMode: false }));
}

function addMount(scope: FastifyInstance, mount: CompatMount, parts: CompatParts): void {
  const { exchanges, limits, noteFailure } = parts;
  const find = createCredentialLookup(parts);
  const authenticate = createAuthentication({ find, exchanges, limits, read: readCompatCredential });
  let loading: Promise<CompatInterface> | null = null;
  const load = async (): Promise<CompatInterface> => (loading ??= mount.load());
  addAnyBodyParser(scope);
  scope.setErrorHandler(async (error, request, reply) => {
    const failure: ServiceError = await noteFailure(request, error);
    return send({ request, reply }, (await load()).describeFailure(failure));
  });
  for (const path of [...mount.paths].flatMap((one) => [
    `${mount.prefix}${one}`,
    `${KEY_PREFIX}${mount.prefix}${one}`,
  ])) {
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: path,
      exposeHeadRoute: false,
      onRequest: [
        async (request) => exchanges.update(request, { operation: mount.name }),
        authenticate(null),
        async (request) => assertUncompressedBody(request),
      ],
      handler: async (request, reply) => {
        const { keyPath, path: own } = splitPath(request, mount.prefix);
        const { route, params } = findRoute((await load()).routes, request.method, own);
        const base = `${request.protocol}://${request.host}${keyPath}${mount.prefix}`;
        return send(
          { request, reply },
          await route.answer(toCompatRequest({ request, reply }, { params, base }, parts)),
        );
      },
    });
  }
}

/** Splits a path into the part with the key, which answers repeat so that links work, and the path within the interface. */
function splitPath(request: FastifyRequest, prefix: string): { readonly keyPath: string; readonly path: string } {
  const path = getRequestPath(request);
  const keyPath = /^\/key\/[^/]+(?=\/)/.exec(path)?.[0] ?? '';
  return { keyPath, path: path.slice(keyPath.length + prefix.length) };
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

function toCompatRequest(
  { request, reply }: Exchange,
  { params, base }: Pick<CompatRequest, 'params' | 'base'>,
  { operations, perform, exchanges, compat, clock }: CompatParts,
): CompatRequest {
  const { caller, gone } = exchanges.get(request);
  if (caller === null) throw new InvariantError('a route without authentication asked for its caller');
  return {
    params,
    query: new URLSearchParams(request.url.split('?').slice(1).join('?')),
    headers: pickHeaders(request),
    body: request.body,
    base,
    caller,
    signal: gone.signal,
    toFileUrl(id) {
      const token = compat.fileLinks.write({ tenant: caller.tenant, id, until: clock.now() + FILE_LINK_MS });
      return `${request.protocol}://${request.host}/files/${token}`;
    },
    async run(id, input, idempotencyKey = null) {
      const answer = await perform(findOperation(operations, id), input, {
        caller,
        requestId: request.id,
        signal: gone.signal,
        idempotencyKey,
        lastEventId: null,
        lease: null,
      });
      const { usage, remaining, deprecated, serialized } = answer;
      if (serialized !== undefined) onSent(reply, serialized.leave);
      // If one call runs several operations, a free one must not hide the charge of another.
      exchanges.update(request, { operation: id, ...(usage === null ? {} : { usage }), remaining, deprecated });
      return answer;
    },
  };
}

function findOperation(operations: readonly Operation[], id: string): Operation {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new InvariantError(`an interface runs ${id}, which is no operation`);
  return operation;
}

function pickHeaders({ headers }: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

function send({ reply }: Exchange, answer: CompatReply): FastifyReply {
  reply.status(answer.status).headers(answer.headers ?? {});
  if ('json' in answer) return reply.send(answer.json);
  return reply.type(answer.type).send(answer.body);
}

/** Reads a body of any type: JSON is parsed, other types are kept as bytes for the route to accept or refuse. */
function addAnyBodyParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (request, body, done) => {
    const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? 'application/json');
    try {
      const bytes = Buffer.from(body);
      done(null, bytes.length === 0 ? undefined : isJson ? readJson(bytes.toString('utf8'), 'body') : bytes);
    } catch (error) {
      done(error instanceof Error ? error : new Error('the body parser failed', { cause: error }));
    }
  });
}
