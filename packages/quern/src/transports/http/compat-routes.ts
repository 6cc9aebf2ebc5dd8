import { Readable } from 'node:stream';
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#engine/call/operation.ts';
import type { Usage } from '#engine/credits/prices.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { findRoute } from '#transports/compat/find-route.ts';
import type { CompatInterface, CompatReply, CompatRequest } from '#transports/compat/interface.ts';
import { COMPAT_MOUNTS, type CompatMount } from '#transports/compat/mounts.ts';
import { createAuthentication } from './auth.ts';
import { createCredentialLookup, readCompatCredential } from './credentials.ts';
import type { Exchanges } from './exchange.ts';
import type { RecordFailure } from './errors.ts';
import { createKeylessLookup } from './keyless.ts';
import type { RequestLimits } from './limits.ts';
import { assertUncompressedBody, MAX_BODY_BYTES, readJsonBody } from './request-checks.ts';
import type { ServerParts } from './server-parts.ts';
import { onSent } from './streams.ts';
import { getRequestPath } from './unknown-routes.ts';

type CompatParts = Pick<
  ServerParts,
  'operations' | 'perform' | 'findCaller' | 'consoleParts' | 'clock' | 'newRequestId'
> & {
  readonly compat: NonNullable<ServerParts['compat']>;
  readonly exchanges: Exchanges;
  readonly limits: RequestLimits;
  readonly noteFailure: RecordFailure;
};

/** Clients send nothing over a WebSocket but closing and answering pings. */
const MAX_MESSAGE_BYTES = 1024;

/** The prefix of addresses that contain the key, for clients that cannot send a header. */
const KEY_PREFIX = '/key/:key';

/**
 * Adds the interfaces of other services. Each is loaded at its first request. Errors have the form of the interface;
 * keys, limits and logs are those of every other route.
 */
export function addCompatRoutes(server: FastifyInstance, parts: CompatParts): void {
  void server.register(websocket, { options: { maxPayload: MAX_MESSAGE_BYTES } });
  const authenticate = createAuthentication({
    ...parts,
    find: createCredentialLookup(parts),
    read: readCompatCredential,
    findKeyless: createKeylessLookup(parts.compat),
  })(null);
  for (const mount of COMPAT_MOUNTS) {
    void server.register(async (scope) => addMount(scope, mount, { ...parts, authenticate }));
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

type MountParts = CompatParts & { readonly authenticate: ReturnType<ReturnType<typeof createAuthentication>> };

function addMount(scope: FastifyInstance, mount: CompatMount, parts: MountParts): void {
  const { exchanges, authenticate, noteFailure } = parts;
  let loading: Promise<CompatInterface> | null = null;
  const load = async (): Promise<CompatInterface> => (loading ??= mount.load());
  addAnyBodyParser(scope);
  scope.setErrorHandler(async (error, request, reply) => {
    const failure: ServiceError = await noteFailure(request, error);
    return send({ request, reply }, (await load()).describeFailure(failure, pickHeaders(request)));
  });
  const onRequest = [
    async (request: FastifyRequest) => exchanges.update(request, { operation: mount.name }),
    authenticate,
    async (request: FastifyRequest) => assertUncompressedBody(request),
  ];
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { path, base } = splitPath(request, mount, parts.compat);
    const { route, params } = findRoute((await load()).routes, request.method, path);
    return send({ request, reply }, await route.answer(toCompatRequest({ request, params, base, onEnd }, parts)));

    function onEnd(end: () => void): void {
      onSent(reply, end);
    }
  };
  const wsHandler = async (socket: WebSocket, request: FastifyRequest): Promise<void> =>
    watch({ socket, request, mount, load }, parts);
  const paths = mount.paths.flatMap((one) => [`${mount.prefix}${one}`, `${KEY_PREFIX}${mount.prefix}${one}`]);
  for (const url of paths) {
    scope.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url, onRequest, handler });
    scope.route({ method: 'GET', url, exposeHeadRoute: false, onRequest, handler, wsHandler });
  }
}

type Watching = {
  readonly socket: WebSocket;
  readonly request: FastifyRequest;
  readonly mount: CompatMount;
  readonly load: () => Promise<CompatInterface>;
};

/** The status with which a WebSocket ends normally, and after an error (RFC 6455 section 7.4.1). */
const CLOSED_NORMALLY = 1000;
const CLOSED_AFTER_ERROR = 1011;

/** Serves a WebSocket until what it watches has ended, or an error, which is sent as a message. */
async function watch({ socket, request, mount, load }: Watching, parts: CompatParts): Promise<void> {
  const { exchanges, noteFailure } = parts;
  const ends: (() => void)[] = [];
  socket.on('error', () => exchanges.get(request).gone.abort());
  socket.on('close', () => exchanges.get(request).gone.abort());
  const sendMessage = async (message: unknown): Promise<void> =>
    new Promise((resolve, reject) => {
      socket.send(JSON.stringify(message), (error) =>
        error === undefined || error === null ? resolve() : reject(error),
      );
    });
  try {
    const { path, base } = splitPath(request, mount, parts.compat);
    const { route, params } = findRoute((await load()).watches ?? [], 'GET', path);
    await route.watch(
      toCompatRequest({ request, params, base, onEnd: (end) => void ends.push(end) }, parts),
      sendMessage,
    );
    socket.close(CLOSED_NORMALLY);
  } catch (error) {
    const { message } = await noteFailure(request, error);
    await sendMessage({ type: 'error', error: message }).catch(() => undefined);
    socket.close(CLOSED_AFTER_ERROR);
  } finally {
    for (const end of ends) end();
  }
}

/** The URL of the service as the client reaches it; Fastify reads the forwarded host and protocol of trusted proxies. */
function getPublicUrl({ protocol, host }: FastifyRequest, { publicUrl }: CompatParts['compat']): string {
  return publicUrl ?? `${protocol}://${host}`;
}

/**
 * Splits a path into the path within the interface and the address of the interface. The address repeats the part with
 * the key, so that links in answers work.
 */
function splitPath(
  request: FastifyRequest,
  { prefix }: CompatMount,
  compat: CompatParts['compat'],
): { readonly path: string; readonly base: string } {
  const path = getRequestPath(request);
  const keyPath = /^\/key\/[^/]+(?=\/)/.exec(path)?.[0] ?? '';
  return {
    path: path.slice(keyPath.length + prefix.length),
    base: `${getPublicUrl(request, compat)}${keyPath}${prefix}`,
  };
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

type RequestFacts = Pick<CompatRequest, 'params' | 'base'> & {
  readonly request: FastifyRequest;
  /** Adds what is done once the answer is sent. */
  readonly onEnd: (end: () => void) => void;
};

function toCompatRequest(
  { request, params, base, onEnd }: RequestFacts,
  { operations, perform, exchanges, compat, clock, newRequestId }: CompatParts,
): CompatRequest {
  let runs = 0;
  const { caller, gone } = exchanges.get(request);
  if (caller === null) throw new InvariantError('a route without authentication asked for its caller');
  const search = request.url.slice(getRequestPath(request).length);
  return {
    params,
    query: new URLSearchParams(search),
    search,
    headers: pickHeaders(request),
    body: request.body,
    base,
    caller,
    clock,
    webhookSecret: compat.deriveWebhookSecret(caller.tenant),
    signal: gone.signal,
    toFileUrl(id) {
      const token = compat.fileLinks.write({ tenant: caller.tenant, id, until: clock.now() + FILE_LINK_MS });
      return `${getPublicUrl(request, compat)}/files/${token}`;
    },
    async run(id, input, idempotencyKey = null) {
      const answer = await perform(findOperation(operations, id), input, {
        caller,
        // A request id is charged once, so further operations of one call have their own.
        requestId: runs++ === 0 ? request.id : newRequestId(),
        signal: gone.signal,
        idempotencyKey,
        lastEventId: null,
        lease: null,
      });
      const { usage, remaining, deprecated, serialized } = answer;
      if (serialized !== undefined) onEnd(serialized.leave);
      // One call may run several operations: the response reports the sum of their charges.
      const total = usage === null ? {} : { usage: addUsage(exchanges.get(request).usage, usage) };
      exchanges.update(request, { operation: id, ...total, remaining, deprecated });
      return answer;
    },
  };
}

function addUsage(before: Usage | null, { credits, base, surcharge, ...usage }: Usage): Usage {
  return {
    ...usage,
    credits: credits + (before?.credits ?? 0),
    base: base + (before?.base ?? 0),
    surcharge: surcharge + (before?.surcharge ?? 0),
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
      if (isJson) done(null, readJsonBody(request, body));
      else done(null, body.length === 0 ? undefined : body);
    } catch (error) {
      done(error instanceof Error ? error : new Error('the body parser failed', { cause: error }));
    }
  });
}
