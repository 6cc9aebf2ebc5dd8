import type { PageRequest } from '#access/page.ts';
import type { VisitCall, VisitWrapper } from './visit.ts';

export type RobotsPolicy = {
  /** Throws if a URL may not be visited. */
  readonly demand: (url: URL, signal: AbortSignal) => Promise<void>;
  /** Whether a redirect may be followed. An error ends the visit. */
  readonly follows: NonNullable<PageRequest['follows']>;
};

/** Checks robots.txt before a visit and each redirect. `policyOf` returns null if robots.txt is not obeyed. */
export function withRobots<C extends VisitCall>(policyOf: (call: C) => RobotsPolicy | null): VisitWrapper<C> {
  return (next) => async (request, call) => {
    const policy = policyOf(call);
    if (policy === null) return next(request, call);
    await policy.demand(request.url, call.signal);
    const { follows } = request;
    return next(
      {
        ...request,
        follows: async (to, signal) => ((await follows?.(to, signal)) ?? true) && policy.follows(to, signal),
      },
      call,
    );
  };
}
