import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#engine/call/operation.ts';
import { assertPlan } from '#engine/call/steps/order.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type Credential, type FindByCredential, readCredential } from './credentials.ts';
import type { Exchanges } from './exchange.ts';
import { isOverLimit, assertWithinLimit, type RequestLimits } from './limits.ts';

type AuthParts = {
  readonly find: FindByCredential;
  readonly exchanges: Exchanges;
  readonly limits: RequestLimits;
  /** Reads the credential of a request. */
  readonly read?: (request: FastifyRequest) => Credential;
  /** Finds the caller of a request without a credential; null if it needs one. */
  readonly findKeyless?: (request: FastifyRequest) => Promise<Caller | null>;
};

/**
 * Creates the authentication hook of a route; `operation` is null for `/mcp`. It accepts only known keys and sessions
 * within their request rate, and runs before the body is read. The plan is checked before the rate limit error is thrown,
 * so that nobody waits for an operation that the plan does not include.
 */
export function createAuthentication({ find, exchanges, limits, read = readCredential, findKeyless }: AuthParts) {
  async function findKnown(request: FastifyRequest): Promise<Caller> {
    const credential = read(request);
    if (credential.kind === 'none') {
      const keyless = (await findKeyless?.(request)) ?? null;
      if (keyless !== null) return keyless;
      throw new ServiceError('missing_api_key', 'send the API key as the header Authorization: Bearer <key>');
    }
    const key = formatCredential(credential);
    limits.assertNotGuessing(request.ip, key);
    const caller = await find(credential);
    if (caller !== null) {
      limits.rememberValidKey(key);
      return caller;
    }
    await limits.countBadKey(request.ip);
    if (credential.kind === 'session') throw createSessionEndedError();
    throw new ServiceError('invalid_api_key', 'the API key is not known');
  }

  return (operation: Operation | null) =>
    async function authenticate(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
      const caller = await findKnown(request);
      const rate = await limits.countRequest(caller);
      exchanges.update(request, { caller, rate });
      if (operation !== null && isOverLimit(rate)) assertPlan(operation, caller);
      assertWithinLimit(rate, caller);
    };
}

/** Formats a credential as the text that a guesser would have to find. */
function formatCredential(credential: Credential): string {
  if (credential.kind === 'key') return credential.text;
  return credential.kind === 'session' ? `${credential.proof.token} ${credential.proof.secret}` : '';
}

/** The error for a session that has ended or whose key was revoked. */
export function createSessionEndedError(): ServiceError {
  return new ServiceError('invalid_api_key', 'the session of the console has ended: sign in again');
}
