import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#engine/call/operation.ts';
import { gatePlan } from '#engine/call/steps/order.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type Credential, type FindByCredential, readCredential } from './credentials.ts';
import type { Exchanges } from './exchange.ts';
import { isExcess, refuseExcess, type RequestLimits } from './limits.ts';

type AuthParts = {
  readonly find: FindByCredential;
  readonly exchanges: Exchanges;
  readonly limits: RequestLimits;
};

/**
 * Gives the hook of an operation, null for none, that lets only known keys and sessions within their request rate past; it
 * runs before the body is read. Who waits because of the rate must not learn then that the plan does not have the operation.
 */
export function buildAuthentication({ find, exchanges, limits }: AuthParts) {
  async function findKnown(request: FastifyRequest): Promise<Caller> {
    const credential = readCredential(request);
    if (credential.kind === 'none') {
      throw new ServiceError('missing_api_key', 'send the API key as the header Authorization: Bearer <key>');
    }
    const key = writeCredential(credential);
    limits.refuseGuess(request.ip, key);
    const caller = await find(credential);
    if (caller !== null) {
      limits.noteRightKey(key);
      return caller;
    }
    await limits.countBadKey(request.ip);
    if (credential.kind === 'session') throw endedSession();
    throw new ServiceError('invalid_api_key', 'the API key is not known');
  }

  return (operation: Operation | null) =>
    async function authenticate(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
      const caller = await findKnown(request);
      const rate = await limits.countRequest(caller);
      exchanges.note(request, { caller, rate });
      if (operation !== null && isExcess(rate)) gatePlan(operation, caller);
      refuseExcess(rate, caller);
    };
}

/** What a guesser would have to find. */
function writeCredential(credential: Credential): string {
  if (credential.kind === 'key') return credential.text;
  return credential.kind === 'session' ? `${credential.proof.token} ${credential.proof.secret}` : '';
}

/** The error of a session that has ended, or whose key has. */
export function endedSession(): ServiceError {
  return new ServiceError('invalid_api_key', 'the session of the console has ended: sign in again');
}
