import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { ConsoleSessions, LiveSession } from '#engine/identity/console-sessions.ts';
import type { FindCaller } from '#engine/identity/keys.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { createSessionEndedError } from '#transports/http/auth.ts';
import { createEmptyBodyError, assertUncompressedBody } from '#transports/http/request-checks.ts';
import { getConsoleCookie, isConsoleRequest, readSessionProof } from '#transports/http/credentials.ts';
import type { RequestAndReply, Exchanges } from '#transports/http/exchange.ts';
import { assertWithinLimit, type RequestLimits } from '#transports/http/limits.ts';

const SESSION_PATH = '/v1/console/session';
/** Small, since callers are not authenticated yet. */
const MAX_BODY_BYTES = 4096;

/** A sign-in: with an API key, or with the token of a link. */
const checkSignIn = buildInputChecker({
  input: z
    .strictObject({ api_key: z.string().min(1).max(600).optional(), token: z.string().min(1).max(100).optional() })
    .refine(({ api_key: key, token }) => (key === undefined) !== (token === undefined), 'send either api_key or token'),
});

type SessionParts = {
  readonly version: string;
  readonly findCaller: FindCaller;
  readonly sessions: ConsoleSessions;
  readonly exchanges: Exchanges;
  readonly limits: RequestLimits;
};

/** Adds the routes to sign in, to read the session, and to sign out. Only the page of the console may call them. */
export function addSessionRoutes(server: FastifyInstance, parts: SessionParts): void {
  const { sessions, exchanges } = parts;
  const guard = (operation: string) => async (request: FastifyRequest) => {
    exchanges.update(request, { operation });
    if (!isConsoleRequest(request)) {
      throw new ServiceError(
        'invalid_request',
        'only the console of this service may call this: x-quern-console is neither 1 nor a secret of a session',
      );
    }
    assertUncompressedBody(request);
  };

  server.post(
    SESSION_PATH,
    { bodyLimit: MAX_BODY_BYTES, onRequest: guard('console.sign_in') },
    async (request, reply) => signIn({ request, reply }, parts),
  );

  server.get(SESSION_PATH, { onRequest: guard('console.session'), exposeHeadRoute: false }, async (request, reply) => {
    const proof = readSessionProof(request);
    if (proof === null) throw new ServiceError('missing_api_key', 'nobody is signed in');
    const session = await sessions.find(proof);
    if (session === null) {
      setCookie({ request, reply }, '', 0);
      throw createSessionEndedError();
    }
    exchanges.update(request, { caller: session.caller });
    return { request_id: request.id, ...buildSessionView(session, parts.version) };
  });

  server.delete(SESSION_PATH, { onRequest: guard('console.sign_out') }, async (request, reply) => {
    const proof = readSessionProof(request);
    if (proof !== null) await sessions.end(proof);
    setCookie({ request, reply }, '', 0);
    return reply.status(204).send();
  });
}

/** Opens a session with a new token and secret, and ends the previous session of the page. */
async function signIn({ request, reply }: RequestAndReply, parts: SessionParts) {
  const { sessions, exchanges } = parts;
  if (request.body === undefined) throw createEmptyBodyError();
  const { input } = checkSignIn(request.body);
  parts.limits.assertNotGuessing(request.ip, input.api_key ?? '');
  const keyId =
    input.token === undefined
      ? await authenticateKey(request, input.api_key ?? '', parts)
      : await sessions.consumeLink(input.token);
  const opened = keyId === null ? null : await sessions.open(keyId);
  const session = opened === null ? null : await sessions.find(opened);
  if (opened === null || session === null) {
    await parts.limits.countBadKey(request.ip);
    throw new ServiceError('invalid_api_key', input.token === undefined ? UNKNOWN_KEY_MESSAGE : USED_LINK_MESSAGE);
  }
  const old = readSessionProof(request);
  if (old !== null) await sessions.end(old);
  exchanges.update(request, { caller: session.caller });
  setCookie({ request, reply }, opened.token, Math.floor(opened.lastsMs / 1000));
  return { request_id: request.id, ...buildSessionView(session, parts.version), secret: opened.secret };
}

const UNKNOWN_KEY_MESSAGE = 'the API key is not known';
const USED_LINK_MESSAGE = 'the link was already used or is older than ten minutes: quern console prints a new one';

/** Returns the id of a valid key, and counts the sign-in as one of its requests; null for an unknown key. */
async function authenticateKey(request: FastifyRequest, key: string, parts: SessionParts): Promise<string | null> {
  const caller = await parts.findCaller(key);
  if (caller === null) return null;
  parts.limits.rememberValidKey(key);
  const rate = await parts.limits.countRequest(caller);
  parts.exchanges.update(request, { rate });
  assertWithinLimit(rate, caller);
  return caller.keyId;
}

function setCookie({ request, reply }: RequestAndReply, value: string, seconds: number): void {
  const { name, path, secure } = getConsoleCookie(request);
  const lasting = `Path=${path}; Max-Age=${seconds}`;
  reply.header('set-cookie', `${name}=${value}; ${lasting}; HttpOnly; SameSite=Strict${secure}`);
}

function buildSessionView({ caller, tenantName, keyName, idleUntil, endsAt }: LiveSession, version: string) {
  return {
    tenant: caller.tenant,
    tenant_name: tenantName,
    plan: caller.plan.name,
    key_id: caller.keyId,
    key_name: keyName,
    operator: caller.isOperator === true,
    suspended_at: caller.suspendedAt ?? null,
    idle_until: toTimestamp(idleUntil),
    expires_at: toTimestamp(endsAt),
    version,
  };
}
