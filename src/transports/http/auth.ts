import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#engine/identity/caller.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readBearer } from './bearer.ts';
import type { Exchanges } from './exchange.ts';
import type { RequestLimits } from './limits.ts';
import type { ServerParts } from './parts.ts';

type AuthParts = Pick<ServerParts, 'findCaller' | 'remaining'> & {
  readonly exchanges: Exchanges;
  readonly limits: RequestLimits;
};

/** The hook that lets only known keys within their request rate past; it runs before the body is read. */
export function buildAuthentication({ findCaller, exchanges, limits }: AuthParts) {
  async function findKnown(request: FastifyRequest): Promise<Caller> {
    const { present, key } = readBearer(request.raw.rawHeaders);
    if (!present) {
      throw new ServiceError('missing_api_key', 'send the API key as the header Authorization: Bearer <key>');
    }
    const caller = key === null ? null : await findCaller(key);
    if (caller !== null) return caller;
    await limits.countBadKey(request.ip);
    throw new ServiceError('invalid_api_key', 'the API key is not known');
  }

  return async function authenticate(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
    const caller = await findKnown(request);
    const rate = await limits.countRequest(caller);
    exchanges.note(request, { caller, rate });
    if (rate === null || rate.remaining >= 0) return;
    throw new ServiceError('rate_limited', `the plan ${caller.plan.name} allows ${rate.limit} requests a minute`, {
      retryAfterSeconds: rate.resetSeconds,
    });
  };
}
