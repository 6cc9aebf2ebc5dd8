import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#engine/call/operation.ts';
import { addUsage } from '#engine/credits/prices.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { findRoute } from '#transports/compat/find-route.ts';
import type { CompatReply, CompatRequest } from '#transports/compat/interface.ts';
import { COMPAT_MOUNTS, type CompatMount } from '#transports/compat/mounts.ts';
import { createAuthentication } from './auth.ts';
import { createCredentialLookup, readCompatCredential } from './credentials.ts';
import type { Exchanges } from './exchange.ts';
import type { RecordFailure } from './errors.ts';
import { addFileRoute, toFilePath } from './file-route.ts';
import { createKeylessLookup } from './keyless.ts';
import type { RequestLimits } from './limits.ts';
import { addAnyBodyParser, assertUncompressedBody } from './request-checks.ts';
import type { ServerParts } from './server-parts.ts';
import { onSent } from './streams.ts';
import { createUnknownRouteError, getRequestPath } from './unknown-routes.ts';

type CompatParts = Pick<
  ServerParts,
  'operations' | 'perform' | 'findCaller' | 'consoleParts' | 'clock' | 'newRequestId' | 'timeouts' | 'draining'
> & {
  readonly compat: NonNullable<ServerParts['compat']>;
  readonly exchanges: Exchanges;
  readonly limits: RequestLimits;
  readonly noteFailure: RecordFailure;
};

/** Clients send nothing over a WebSocket but closing and answering pings. */
const MAX_MESSAGE_BYTES = 1024;

/** How long a client may take to answer the end of a WebSocket. A stop of the service waits for it. */
const CLOSE_WAIT_MS = 1000;

/** The largest body that is read to find its key, before the caller is known. */
const MAX_KEYED_BODY_BYTES = 65_536;

/**
 * The paths to serve: one for each interface with a prefix, and one for addresses that contain the key, for clients that
 * cannot send a header.
 */
const PATHS: readonly string[] = [
  ...COMPAT_MOUNTS.flatMap(({ prefix, paths }): readonly string[] => (prefix === '' ? paths : [`${prefix}/*`])),
  '/key/:key/*',
];

/**
 * Adds the interfaces of other services. Each is loaded at its first request. Errors have the form of the interface;
 * keys, limits and logs are those of every other route.
 */
export function addCompatRoutes(server: FastifyInstance, parts: CompatParts): void {
  void server.register(websocket, { options: { maxPayload: MAX_MESSAGE_BYTES } });
  void server.register(async (scope) => addInterfaces(scope, parts));
  addFileRoute(server, parts);
}

function addInterfaces(scope: FastifyInstance, parts: CompatParts): void {
  const { exchanges, noteFailure, compat } = parts;
  const authenticate = createAuthentication({
    ...parts,
    find: createCredentialLookup(parts),
    read: readCompatCredential,
    findKeyless: createKeylessLookup(compat),
  })(null);
  addAnyBodyParser(scope);
  scope.setErrorHandler(async (error, request, reply) => {
    const place = findPlace(request, compat);
    if (place === null) throw error;
    const failure = await noteFailure(request, error);
    return send(reply, (await place.mount.load()).describeFailure(failure, pickHeaders(request)));
  });
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { mount } = getPlace(request, compat);
    exchanges.update(request, { operation: mount.name });
    if (!mayHaveKeyInBody(request, mount)) await authenticate(request, reply);
    assertUncompressedBody(request);
  };
  const preHandler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (exchanges.get(request).caller === null) await authenticate(request, reply);
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { mount, path, base } = getPlace(request, compat);
    const { route, params } = findRoute((await mount.load()).routes, request.method, path);
    return send(reply, await route.answer(toCompatRequest({ request, params, base, onEnd }, parts)));

    function onEnd(end: () => void): void {
      onSent(reply, end);
    }
  };
  const wsHandler = async (socket: WebSocket, request: FastifyRequest): Promise<void> => watch(socket, request, parts);
  for (const url of PATHS) {
    scope.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url, onRequest, preHandler, handler });
    scope.route({ method: 'GET', url, exposeHeadRoute: false, onRequest, preHandler, handler, wsHandler });
  }
}

/** The interface of a request, the path within it, and its address as the client reaches it. */
type Place = { readonly mount: CompatMount; readonly path: string; readonly base: string };

/** Finds the interface of a request; null if no interface has its path. */
function findPlace(request: FastifyRequest, compat: CompatParts['compat']): Place | null {
  const whole = getRequestPath(request);
  // The address repeats the part with the key, so that links in answers work.
  const keyPath = /^\/key\/[^/]+(?=\/)/.exec(whole)?.[0] ?? '';
  const path = whole.slice(keyPath.length);
  const mount = COMPAT_MOUNTS.find(({ prefix, paths }) =>
    paths.some((one) => (one.endsWith('*') ? path.startsWith(prefix + one.slice(0, -1)) : path === prefix + one)),
  );
  if (mount === undefined) return null;
  const base = `${getPublicUrl(request, compat)}${keyPath}${mount.prefix}`;
  return { mount, path: path.slice(mount.prefix.length), base };
}

function getPlace(request: FastifyRequest, compat: CompatParts['compat']): Place {
  const place = findPlace(request, compat);
  if (place === null) throw createUnknownRouteError();
  return place;
}

/** The URL of the service as the client reaches it; Fastify reads the forwarded host and protocol of trusted proxies. */
function getPublicUrl({ protocol, host }: FastifyRequest, { publicUrl }: CompatParts['compat']): string {
  return publicUrl ?? `${protocol}://${host}`;
}

/** Whether the key of a request may be in its body, which is small enough to be read before the caller is known. */
function mayHaveKeyInBody(request: FastifyRequest, { hasKeyInBody = false }: CompatMount): boolean {
  const bytes = Number(request.headers['content-length'] ?? Infinity);
  return hasKeyInBody && bytes <= MAX_KEYED_BODY_BYTES && readCompatCredential(request).kind === 'none';
}

/** The status with which a WebSocket ends normally, when the service stops, and after an error (RFC 6455 section 7.4.1). */
const CLOSED_NORMALLY = 1000;
const SERVICE_STOPS = 1001;
const CLOSED_AFTER_ERROR = 1011;

/** Clients read the reason as one more message, which says nothing here. */
const CLOSE_REASON = JSON.stringify({ type: 'closed' });

/** Ends a WebSocket, even if its client does not answer. */
function endSocket(socket: WebSocket, status: number, clock: CompatParts['clock']): void {
  const late = clock.after(CLOSE_WAIT_MS, () => socket.terminate());
  socket.once('close', () => late.close());
  socket.close(status, CLOSE_REASON);
}

/** Serves a WebSocket until what it watches has ended, or an error, which is sent as a message. */
async function watch(socket: WebSocket, request: FastifyRequest, parts: CompatParts): Promise<void> {
  const { exchanges, noteFailure, compat, clock, timeouts, draining } = parts;
  const ends: (() => void)[] = [];
  const stop = (): void => endSocket(socket, SERVICE_STOPS, clock);
  draining.addEventListener('abort', stop);
  socket.on('error', () => exchanges.get(request).gone.abort());
  socket.on('close', () => exchanges.get(request).gone.abort());
  const sendMessage = async (message: unknown): Promise<void> =>
    new Promise((resolve, reject) => {
      // A client that reads nothing would keep its messages in memory.
      const stalled = clock.after(timeouts.stalled, () => socket.terminate());
      socket.send(JSON.stringify(message), (error) => {
        stalled.close();
        if (error === undefined || error === null) resolve();
        else reject(error);
      });
    });
  try {
    const { mount, path, base } = getPlace(request, compat);
    const { route, params } = findRoute((await mount.load()).watches ?? [], 'GET', path);
    const onEnd = (end: () => void): void => void ends.push(end);
    await route.watch(toCompatRequest({ request, params, base, onEnd }, parts), sendMessage);
    endSocket(socket, CLOSED_NORMALLY, clock);
  } catch (error) {
    const { message } = await noteFailure(request, error);
    await sendMessage({ type: 'error', error: message }).catch(() => undefined);
    endSocket(socket, CLOSED_AFTER_ERROR, clock);
  } finally {
    draining.removeEventListener('abort', stop);
    for (const end of ends) end();
  }
}

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
  const { tenant } = caller;
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
    toFileUrl: (id) => getPublicUrl(request, compat) + toFilePath(compat.fileLinks, { tenant, id, now: clock.now() }),
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

function send(reply: FastifyReply, answer: CompatReply): FastifyReply {
  reply.status(answer.status).headers(answer.headers ?? {});
  if ('json' in answer) return reply.send(answer.json);
  return reply.type(answer.type).send(answer.body);
}
