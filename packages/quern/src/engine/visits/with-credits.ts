import type { Tier } from '#access/page.ts';
import type { VisitCall, VisitWrapper } from './visit.ts';

export type VisitCredits<C> = {
  /** Reserves the price of the cheapest tier, if it is not reserved yet. An error ends the visit. */
  readonly begin?: (call: C) => Promise<void>;
  /** Reserves the price of a more expensive tier. An error ends the visit, or serves the best page so far. */
  readonly raise: (tier: Tier, call: C) => Promise<void>;
};

/** Reserves the credits of each tier before it starts. */
export function withCredits<C extends VisitCall>({ begin, raise }: VisitCredits<C>): VisitWrapper<C> {
  return (next) => async (request, call) => {
    await begin?.(call);
    return next(request, { ...call, beforeTier: async (tier) => raise(tier, call) });
  };
}
